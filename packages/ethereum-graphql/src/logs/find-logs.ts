import type { BlockFilterCriteria } from "@nodewright/ethereum-api/types";
import type { EthereumContext } from "../request/context.ts";
import { type PromiseOrValue, whenResolved } from "../basics/promise-or-value.ts";
import { LogFilter } from "./log-filter.ts";
import { type NodeBlock, type NodeLog, type NodeReceipt, nameFields } from "../results/node-values.ts";
import { hasForms } from "../results/response-forms.ts";
import { logForms } from "../results/object-forms.ts";
import { failureOfState, keyOfState } from "../request/state-reads.ts";
import { reorganised, unexpectedResult } from "../basics/unexpected-result.ts";

/** Blocks to search: one by its hash, or a range of heights, both ends included. */
type LogBlocks = { readonly blockHash: string } | { readonly fromBlock: string; readonly toBlock: string };

/** Returns the matching logs of one block, in order: from its receipts where they are loaded, or loaded for something else. */
export function findLogsOfBlock(
  blockHash: string,
  criteria: BlockFilterCriteria,
  context: EthereumContext,
): PromiseOrValue<readonly NodeLog[]> {
  const filter = LogFilter.of(criteria);
  const receipts = context.findReceipts(blockHash);
  const logs =
    receipts === undefined
      ? readLogsOfBlock(blockHash, filter, context)
      : whenResolved(receipts, (known) => logsOfReceipts(known, filter));
  return whenResolved(logs, (found) => context.count(found));
}

/**
 * Returns the matching logs of a range of heights, in the order of the chain that ends with `head`.
 *
 * Throws `upstream_unavailable` when the chain has changed by the time that the logs are read.
 */
export function findLogsOfRange(
  range: { readonly fromBlock: string; readonly toBlock: string },
  criteria: BlockFilterCriteria,
  head: NodeBlock,
  context: EthereumContext,
): PromiseOrValue<readonly NodeLog[]> {
  const filter = LogFilter.of(criteria);
  const params = [{ ...range, ...filter.params }];
  // The logs in a range are determined by the head that the chain leads to.
  const logs = findOrKeep(params, head.hash, context, async () => {
    const [response, block] = await Promise.all([
      context.calls.read("eth_getLogs", params),
      context.calls.readLast("eth_getBlockByNumber", [head.number, false]),
    ]);
    const checked = checkLogs(response, range, filter);
    const hasMoved = (block as NodeBlock | null)?.hash !== head.hash;
    if (hasMoved || !isOnChain(checked, head, context)) throw reorganised();
    return checked;
  });
  return whenResolved(logs, (found) => context.count(found));
}

function readLogsOfBlock(
  blockHash: string,
  filter: LogFilter,
  context: EthereumContext,
): PromiseOrValue<readonly NodeLog[]> {
  const params = [{ blockHash, ...filter.params }];
  return findOrKeep(params, blockHash, context, async () => {
    // Sibling fields may request the receipts in this turn.
    await Promise.resolve();
    const receipts = context.findReceipts(blockHash);
    if (receipts !== undefined) return logsOfReceipts(await receipts, filter);
    return checkLogs(await context.calls.read("eth_getLogs", params), { blockHash }, filter);
  });
}

/** Returns the cached result for this state of the chain, or otherwise that of `read`. */
function findOrKeep(
  params: readonly unknown[],
  hash: string,
  { node: { store } }: EthereumContext,
  read: () => Promise<readonly NodeLog[]>,
): PromiseOrValue<readonly NodeLog[]> {
  const key = keyOfState("eth_getLogs", params, hash);
  const kept = store.findState(key);
  if (kept !== undefined) return kept.value as readonly NodeLog[];
  return read().then(
    (logs) => {
      store.keepState(key, logs);
      return logs;
    },
    (reason: unknown) => {
      throw failureOfState(reason);
    },
  );
}

function logsOfReceipts(receipts: readonly NodeReceipt[], filter: LogFilter): readonly NodeLog[] {
  return receipts.flatMap((receipt) => {
    const logs: readonly NodeLog[] = receipt.logs;
    return logs.filter((log) => filter.match(log) === "yes");
  });
}

/** Returns false when a log refers to another block than is known to be at its height below the head. */
function isOnChain(logs: readonly NodeLog[], head: NodeBlock, { node: { chain } }: EthereumContext): boolean {
  if (!chain.contains(head)) return true;
  return logs.every(({ blockNumber, blockHash }) => (chain.hashAt(Number(blockNumber)) ?? blockHash) === blockHash);
}

/**
 * Compares a node's result with the request, and drops logs that match only on some clients.
 *
 * Throws `upstream_unavailable` for logs of other blocks or contracts, removed, out of order, or of two versions of the chain.
 */
function checkLogs(response: unknown, blocks: LogBlocks, filter: LogFilter): readonly NodeLog[] {
  if (!Array.isArray(response)) throw unexpectedResult("a value that is not a list of logs");
  const order = new ChainOrder();
  const isRequested = createBlockTest(blocks);
  return (response as readonly unknown[]).filter((log): log is NodeLog => {
    if (!isLog(log)) throw unexpectedResult("a value that is not a log");
    if (log.removed === true) throw reorganised();
    if (!isRequested(log)) throw unexpectedResult("logs of other blocks than requested");
    order.add(log);
    const match = filter.match(log);
    if (match === "no") throw unexpectedResult("logs that do not match the filter");
    nameFields(log);
    return match === "yes";
  });
}

/** Checker that logs follow each other, and refer to one block for each height and one transaction for each place in it. */
class ChainOrder {
  #height = -1;
  #index = -1;
  #hash = "";
  #position = -1;
  #transaction = "";

  add({ blockNumber, blockHash, logIndex, transactionIndex, transactionHash }: NodeLog): void {
    const height = Number(blockNumber);
    const index = Number(logIndex);
    const position = Number(transactionIndex);
    if (height === this.#height) {
      if (blockHash !== this.#hash) throw reorganised();
      if (index <= this.#index || position < this.#position) throw unexpectedResult("logs out of order");
      if ((position === this.#position) !== (transactionHash === this.#transaction))
        throw unexpectedResult("logs of two transactions at one place");
    } else if (height < this.#height) throw unexpectedResult("logs out of order");
    else if (blockHash === this.#hash) throw unexpectedResult("logs of one block at several heights");
    this.#height = height;
    this.#index = index;
    this.#hash = blockHash;
    this.#position = position;
    this.#transaction = transactionHash;
  }
}

/** Returns a test whether a log is in the blocks. Heights that a double would round are beyond any chain's. */
function createBlockTest(blocks: LogBlocks): (log: NodeLog) => boolean {
  if ("blockHash" in blocks) return ({ blockHash }) => blockHash === blocks.blockHash;
  const [from, to] = [Number(blocks.fromBlock), Number(blocks.toBlock)];
  return ({ blockNumber }) => Number(blockNumber) >= from && Number(blockNumber) <= to;
}

function isLog(value: unknown): value is NodeLog {
  return hasForms(value, logForms);
}
