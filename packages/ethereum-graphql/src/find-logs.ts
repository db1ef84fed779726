import type { BlockFilterCriteria } from "@nodewright/ethereum-api/types";
import { ServiceError } from "@nodewright/runtime";
import type { EthereumContext } from "./context.ts";
import { LogFilter } from "./log-filter.ts";
import type { NodeLog } from "./node-values.ts";

/** Which blocks: one by its hash, or a range of heights, both ends included. */
export type LogBlocks = { readonly blockHash: string } | { readonly fromBlock: string; readonly toBlock: string };

/** The logs that match, in the order of the chain. */
export async function findLogs(
  blocks: LogBlocks,
  criteria: BlockFilterCriteria,
  context: EthereumContext,
): Promise<readonly NodeLog[]> {
  const filter = LogFilter.of(criteria);
  const answer = await context.read("eth_getLogs", [{ ...blocks, ...filter.params }]);
  return context.count(checkLogs(answer, blocks, filter));
}

/**
 * Holds what a node answered against what it was asked for, and leaves out logs that only some clients let match.
 *
 * Throws `upstream_unavailable` for logs of other blocks or contracts, taken back, out of order, or of two versions of the chain.
 */
export function checkLogs(answer: unknown, blocks: LogBlocks, filter: LogFilter): readonly NodeLog[] {
  if (!Array.isArray(answer)) throw unusable("something that is no list of logs");
  const order = new ChainOrder();
  return (answer as readonly unknown[]).filter((log): log is NodeLog => {
    if (!isLog(log)) throw unusable("something that is no log");
    if (log.removed === true) throw reorganised();
    if (!isIn(blocks, log)) throw unusable("logs of other blocks than it was asked for");
    order.add(log);
    const match = filter.match(log);
    if (match === "no") throw unusable("logs that do not match the filter");
    return match === "yes";
  });
}

/** Whether logs follow each other, and name one block for each height. */
class ChainOrder {
  #height = -1;
  #index = -1;
  #hash = "";

  add({ blockNumber, blockHash, logIndex }: NodeLog): void {
    const height = Number(blockNumber);
    const index = Number(logIndex);
    if (height === this.#height) {
      if (blockHash !== this.#hash) throw reorganised();
      if (index <= this.#index) throw unusable("logs out of order");
    } else if (height < this.#height) throw unusable("logs out of order");
    this.#height = height;
    this.#index = index;
    this.#hash = blockHash;
  }
}

function isIn(blocks: LogBlocks, { blockHash, blockNumber }: NodeLog): boolean {
  if ("blockHash" in blocks) return blockHash === blocks.blockHash;
  const height = BigInt(blockNumber);
  return height >= BigInt(blocks.fromBlock) && height <= BigInt(blocks.toBlock);
}

function isLog(value: unknown): value is NodeLog {
  if (typeof value !== "object" || value === null) return false;
  const log = value as Partial<Record<keyof NodeLog, unknown>>;
  return (
    Array.isArray(log.topics) &&
    [log.address, log.data, ...log.topics].every((member) => typeof member === "string") &&
    typeof log.blockHash === "string" &&
    typeof log.transactionHash === "string" &&
    [log.blockNumber, log.transactionIndex, log.logIndex].every(isQuantity)
  );
}

function isQuantity(value: unknown): boolean {
  return typeof value === "string" && /^0x[0-9a-fA-F]+$/.test(value);
}

function unusable(what: string): ServiceError {
  return new ServiceError("upstream_unavailable", `The node answered ${what}`);
}

/** What a request fails with when the chain changed while it was read. */
export function reorganised(): ServiceError {
  return new ServiceError("upstream_unavailable", "The chain was reorganised while it was read; ask again");
}
