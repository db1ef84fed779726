import type { ServiceError } from "@nodewright/runtime";
import { findListProblem } from "./find-list-problem.ts";
import { hashProblem, integerProblem, isNumber } from "./parameter-problems.ts";
import { rpcError } from "./rpc-error.ts";

type Sent = (name: string) => unknown;

const hashPattern = /^[0-9a-fA-F]{64}$/;
/** Bitcoin Core reads positions of outputs into 32 bits. */
const highestPosition = 0xffffffff;

/** What is wrong with the output that `gettxout` is asked for. */
export function findOutputProblem(sent: Sent): ServiceError | undefined {
  return findHashProblem("txid", sent("txid")) ?? findPositionProblem(sent("vout"));
}

/** What is wrong with the transactions that `gettxoutproof` is to prove. */
export function findProofProblem(sent: Sent): ServiceError | undefined {
  const txids = sent("txids");
  if (Array.isArray(txids) && txids.length === 0) {
    return rpcError("invalidParameter", "Parameter 'txids' cannot be empty");
  }
  return findHashesProblem("txids", "txid", txids);
}

/** What is wrong with the blocks that `getheaders` is told of. */
export function findLocatorProblem(sent: Sent): ServiceError | undefined {
  return findHashesProblem("blocklocators", "blocklocators", sent("blocklocators"));
}

/** `name` is that of the list, `hashName` what Bitcoin Core calls one of its hashes. */
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
