import { displayHash, type Transaction } from "@nodewright/bitcoin-primitives";
import { Mempool } from "../mempool/mempool.ts";
import { MempoolEnvironment } from "../mempool/mempool-directory.ts";
import { outpointKey } from "../mempool/mempool-state.ts";
import { EmbeddedMempoolQueries } from "../query/embedded-mempool-queries.ts";
import type { MempoolQueries } from "../query/mempool-queries.ts";
import type { RegtestTip } from "./regtest-chain.ts";

/** A mempool on top of a chain, without a node. */
export interface TestMempool {
  readonly queries: MempoolQueries;
  close(): Promise<void>;
}

/** Creates a mempool in `directory` of transactions that arrived in this order, a second apart, beginning at the tip's time. */
export function createTestMempool(
  directory: string,
  tip: RegtestTip,
  transactions: readonly Transaction[],
): TestMempool {
  const tables = new MempoolEnvironment(directory);
  const mempool = new Mempool(tables.environment);
  const outputs = new Map(
    tip.coins.map(({ outpoint, value, scriptPubKey }) => {
      return [outpointKey(outpoint), { value, scriptPubKey, height: tip.height, isCoinbase: false }] as const;
    }),
  );
  mempool.startListing();
  for (const [position, transaction] of transactions.entries()) {
    const id = displayHash(transaction.txid);
    mempool.noteListed(transaction.txid);
    mempool.apply([], [{ id, transaction, time: tip.time + position, height: tip.height }], outputs);
  }
  return { queries: new EmbeddedMempoolQueries(() => tables.environment), close: () => tables.close() };
}
