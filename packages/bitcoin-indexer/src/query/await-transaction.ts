import { setTimeout as sleep } from "node:timers/promises";
import type { TransactionId } from "@nodewright/bitcoin-primitives";
import type { ChainQueries } from "./chain-queries.ts";
import type { MempoolQueries } from "./mempool-queries.ts";

/** Places where a transaction may appear. */
export interface ShownTransactions {
  readonly index: Pick<ChainQueries, "transactionPlace">;
  /** Mempool; absent where nothing is unconfirmed. */
  readonly mempool?: Pick<MempoolQueries, "has"> | undefined;
}

/** Default timeout in milliseconds. The mempool is refreshed about once a second. */
const defaultTimeoutMilliseconds = 3_000;
const pollMilliseconds = 20;

/**
 * Waits until a transaction that the node has accepted appears here as well, in the mempool or in a block: clients that receive its txid
 * query it at once.
 *
 * Also returns when it does not appear in time: the node has it. Does not wait where there is no mempool.
 */
export async function awaitTransaction(
  txid: TransactionId,
  { index, mempool }: ShownTransactions,
  timeoutMilliseconds: number = defaultTimeoutMilliseconds,
): Promise<void> {
  if (mempool === undefined) return;
  const deadline = performance.now() + timeoutMilliseconds;
  const isShown = async (): Promise<boolean> =>
    (await mempool.has(txid)) || (await index.transactionPlace(txid)) !== undefined;
  while (!(await isShown()) && performance.now() < deadline) await sleep(pollMilliseconds);
}
