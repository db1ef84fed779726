import type { ServiceError } from "@nodewright/runtime";
import { findListProblem } from "../parameters/find-list-problem.ts";
import { hashProblem, integerProblem, isNumber } from "../parameters/parameter-problems.ts";
import { rpcError } from "../parameters/rpc-error.ts";

const lowestInteger = -0x80000000;

/** Returns the problem of valid-typed parameters of getblockstats. */
export function findBlockProblem(sent: (name: string) => unknown): ServiceError | undefined {
  const block = sent("hash_or_height");
  if (isNumber(block)) {
    const isHeight = (typeof block === "bigint" || Number.isInteger(block)) && block <= 0x7fffffff;
    if (!isHeight || block < lowestInteger) return integerProblem();
    if (block < 0) return rpcError("invalidParameter", `Target block height ${block} is negative`);
  }
  if (typeof block === "string" && !/^[0-9a-fA-F]{64}$/.test(block)) return hashProblem("hash_or_height", block);
  return findListProblem("stats", sent("stats"));
}
