/**
 * A reader as a process of its own, for tests: it queries an index again and again while another process changes it, and reports results
 * that cannot come from one chain. Forked with a `WatchOrder` as its first message; any second message requests the `WatchReport`.
 */
import { networks } from "@nodewright/bitcoin-primitives";
import { setImmediate as nextTimeSlice } from "node:timers/promises";
import { type ChainIndexReader, openChainIndex } from "../chain-index-reader.ts";
import type { WatchTask, WatchReport } from "./watch-index.ts";

const inconsistencies: string[] = [];
const tips = new Set<string>();
let rounds = 0;
let isRequested = false;

process.once("message", async (order: WatchTask) => {
  process.once("message", () => {
    isRequested = true;
  });
  const reader = openChainIndex(order.directory, { network: networks.regtest });
  process.send?.("ready");
  while (!isRequested && process.connected) {
    await look(reader, order);
    rounds += 1;
    await nextTimeSlice();
  }
  await reader.close();
  const report: WatchReport = { rounds, tips: tips.size, inconsistencies };
  process.send?.(report, () => process.disconnect());
});

/** Queries the index. Each result comes from one state of the chain, and its parts must agree. */
async function look(reader: ChainIndexReader, { branches, scriptHash, forkHeight, depth }: WatchTask): Promise<void> {
  const records = await reader.blocks(forkHeight + depth, depth + 2);
  for (const [index, record] of records.entries()) {
    const below = records[index + 1];
    if (below !== undefined && record.previousHash !== below.hash)
      notify(`block ${record.hash} stands on ${below.hash}`);
  }
  const tip = await reader.tip();
  if (tip !== undefined) tips.add(tip.hash);
  // Transactions of one branch alone: all of them are confirmed, or none.
  const confirmed = await Promise.all(
    branches.map(async (txids) => (await reader.transactions(txids)).map((found) => found?.block !== undefined)),
  );
  for (const [index, branch] of confirmed.entries()) {
    if (new Set(branch).size > 1) notify(`branch ${index} is confirmed in part`);
  }
  const history = await reader.scriptHistory(scriptHash, { limit: 100 });
  const heights = history.map(({ block }) => block?.height ?? -1);
  if (heights.some((height, index) => height > (heights[index - 1] ?? height))) notify("a history is out of order");
  const onBranches = branches.map((txids) => history.filter(({ txid }) => txids.includes(txid)).length);
  if (onBranches.filter((count) => count > 0).length > 1) notify("a history holds transactions of two branches");
}

function notify(mixture: string): void {
  if (inconsistencies.length < 10) inconsistencies.push(mixture);
}
