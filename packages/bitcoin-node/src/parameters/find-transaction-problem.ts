import type { ServiceError } from "@nodewright/runtime";
import { findListProblem } from "./find-list-problem.ts";
import { hashProblem, integerProblem, isNumber } from "./parameter-problems.ts";
import { rpcError } from "./rpc-error.ts";

type Sent = (name: string) => unknown;

const hashPattern = /^[0-9a-fA-F]{64}$/;
/** Largest output position: Bitcoin Core reads positions of outputs into 32 bits. */
const highestPosition = 0xffffffff;

/** Returns the problem of the output in the parameters of `gettxout`. */
export function findOutputProblem(sent: Sent): ServiceError | undefined {
  return findHashProblem("txid", sent("txid")) ?? findPositionProblem(sent("vout"));
}

/** Returns the problem of the transactions in the parameters of `gettxoutproof`. */
export function findProofProblem(sent: Sent): ServiceError | undefined {
  const txids = sent("txids");
  if (Array.isArray(txids) && txids.length === 0) {
    return rpcError("invalidParameter", "Parameter 'txids' cannot be empty");
  }
  return findHashesProblem("txids", "txid", txids);
}

/** Returns the problem of the blocks in the parameters of `getheaders`. */
export function findLocatorProblem(sent: Sent): ServiceError | undefined {
  return findHashesProblem("blocklocators", "blocklocators", sent("blocklocators"));
}

/** Returns the problem of a list of hashes. `name` is that of the list, `hashName` Bitcoin Core's name of one of its hashes. */
function findHashesProblem(name: string, hashName: string, list: unknown): ServiceError | undefined {
  const mistyped = findListProblem(name, list);
  if (mistyped !== undefined || !Array.isArray(list)) return mistyped;
  for (const hash of list) {
    const problem = findHashProblem(hashName, hash);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findHashProblem(name: string, value: unknown): ServiceError | undefined {
  return typeof value !== "string" || hashPattern.test(value) ? undefined : hashProblem(name, value);
}

function findPositionProblem(value: unknown): ServiceError | undefined {
  if (!isNumber(value)) return undefined;
  const isPosition = Number.isInteger(Number(value)) && value >= 0 && value <= highestPosition;
  return isPosition ? undefined : integerProblem();
}
