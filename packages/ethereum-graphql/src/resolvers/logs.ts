import type { EthereumHandler } from "@nodewright/ethereum-api/server";
import type { FilterCriteria } from "@nodewright/ethereum-api/types";
import { ServiceError } from "@nodewright/runtime";
import type { EthereumContext } from "../request/context.ts";
import type { EthereumParents } from "./parents.ts";
import { type PromiseOrValue, whenAll, whenResolved } from "../basics/promise-or-value.ts";
import { findLogsOfBlock, findLogsOfRange } from "../logs/find-logs.ts";
import type { NodeBlock, NodeLog } from "../results/node-values.ts";
import { quantity } from "../basics/quantity.ts";
import { rangeTooLong } from "../logs/range-too-long.ts";
import { planOnce, type SelectionInfo } from "../basics/selection.ts";
import { needsOf, type TransactionNeeds } from "../values/transaction-value.ts";

/** Resolver of `Query.logs`: those of one block by its hash, so that they are cached, and those of more by their heights below the head. */
export const logs: EthereumHandler<"logs", EthereumContext, EthereumParents> = ({ filter }, context, info) =>
  whenResolved(context.head(), (head) =>
    whenResolved(readLogs(filter, head, context), (found) => prepare(found, info, context)),
  );

/** Reads logs. Clients differ in their treatment of a range that is reversed or goes beyond the head, so it never reaches them. */
function readLogs(
  filter: FilterCriteria,
  head: NodeBlock,
  context: EthereumContext,
): PromiseOrValue<readonly NodeLog[]> {
  const height = BigInt(head.number);
  const from = heightOf(filter.fromBlock, height);
  const to = heightOf(filter.toBlock, height);
  if (from > to) throw new ServiceError("invalid_input", "The first block of the range comes after the last one");
  if (to > height) throw new ServiceError("invalid_input", "The range of blocks goes beyond the latest block");
  const limit = context.limits.logBlocks;
  if (to - from >= BigInt(limit)) throw rangeTooLong("logBlocks", limit, to - from + 1n);
  if (from === height) return findLogsOfBlock(head.hash, filter, context);
  if (from === to) {
    return whenResolved(context.getBlockByNumber(quantity(from)), ({ hash }) => findLogsOfBlock(hash, filter, context));
  }
  return findLogsOfRange({ fromBlock: quantity(from), toBlock: quantity(to) }, filter, head, context);
}

/** Loads what the logs' transactions need, each block once, so that they are available when each log resolves its own. */
function prepare(
  found: readonly NodeLog[],
  info: SelectionInfo,
  context: EthereumContext,
): PromiseOrValue<readonly NodeLog[]> {
  const { body, receipt } = needsOfTransactions(info);
  if (!body && !receipt) return found;
  const hashes = [...new Set(found.map(({ blockHash }) => blockHash))];
  const loading: PromiseOrValue<unknown>[] = hashes.flatMap((hash) => [
    body ? context.getFullBlock(hash) : undefined,
    receipt ? context.receipts(hash) : undefined,
  ]);
  return whenResolved(whenAll(loading), () => found);
}

const needsOfTransactions: (info: SelectionInfo) => TransactionNeeds = planOnce((selection) =>
  needsOf(selection.below("transaction")),
);

function heightOf(number: string | null | undefined, head: bigint): bigint {
  return number === null || number === undefined ? head : BigInt(number);
}
