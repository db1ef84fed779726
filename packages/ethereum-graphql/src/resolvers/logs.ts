import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { FilterCriteria } from "@nodewright/ethereum-api/types";
import { ServiceError } from "@nodewright/runtime";
import type { EthereumContext } from "../context.ts";
import type { EthereumParents } from "./parents.ts";
import { findLogs, type LogBlocks } from "../find-logs.ts";
import { quantity } from "../quantity.ts";
import { rangeTooLong } from "../range-too-long.ts";

/** `Query.logs`. */
export const logs: EthereumHandler<"logs", EthereumContext, EthereumParents> = async ({ filter }, context) =>
  await findLogs(await blocksOf(filter, context), filter, context);

/** Clients differ in what they make of a range that is turned round or goes beyond the head, so it never reaches them. */
async function blocksOf({ fromBlock, toBlock }: FilterCriteria, context: EthereumContext): Promise<LogBlocks> {
  const head = await context.head();
  const height = BigInt(head.number);
  const from = fromBlock === null || fromBlock === undefined ? height : BigInt(fromBlock);
  const to = toBlock === null || toBlock === undefined ? height : BigInt(toBlock);
  if (from > to) throw new ServiceError("invalid_input", "The first block of the range comes after the last one");
  if (to > height) throw new ServiceError("invalid_input", "The range of blocks goes beyond the latest block");
  const limit = context.node.limits.logBlocks;
  if (to - from >= BigInt(limit)) throw rangeTooLong("logBlocks", limit, to - from + 1n);
  if (from === height) return { blockHash: head.hash };
  return { fromBlock: quantity(from), toBlock: quantity(to) };
}
