/**
 * A reader for the mempool's benchmark, as a process of its own. Told a data directory, it asks 200 questions a second of each kind in
 * turn; told `{ "take": true }` it answers the latencies of the questions since then, in milliseconds; told `{ "walk": true }` it reads
 * every transaction once.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openChainIndex } from "../../packages/bitcoin-indexer/src/index.ts";
import { hashScript, networks, toHex } from "../../packages/bitcoin-primitives/src/index.ts";

process.once("message", async (directory: string) => {
  const { mempool, close } = withClose(openChainIndex(directory, { network: networks.regtest }));
  let latencies: number[] = [];
  let isOver = false;
  process.on("disconnect", () => {
    isOver = true;
  });
  process.on("message", async (request: { readonly take?: true; readonly walk?: true }) => {
    if (request.walk === true) {
      for (let after: string | undefined; ; ) {
        const ids = await mempool.transactionIds({ after, limit: 1_000 });
        for (const id of ids) await mempool.transaction(id);
        after = ids.at(-1);
        if (after === undefined) break;
        await sleep(1);
      }
    }
    process.send?.({ latencies });
    latencies = [];
  });
  const busy = toHex(hashScript(Buffer.from(`0014${"00".repeat(20)}`, "hex")));
  let ids: readonly string[] = [];
  for (let turn = 0; !isOver; turn += 1) {
    if (turn % 100 === 0) ids = await mempool.transactionIds({ limit: 100 });
    const id = ids[turn % Math.max(1, ids.length)] ?? "";
    const start = performance.now();
    const transaction = await mempool.transaction(id);
    const script = transaction?.transaction.outputs[0]?.scriptPubKey;
    const scriptHash = script === undefined ? busy : toHex(hashScript(script));
    await mempool.summary();
    await mempool.recent(10);
    await mempool.scriptStatistics(scriptHash);
    await mempool.scriptHistory(scriptHash, { limit: 50 });
    await mempool.scriptStatistics(busy);
    await mempool.scriptHistory(busy, { limit: 50 });
    await mempool.spends([{ txid: id, vout: 0 }]);
    latencies.push(performance.now() - start);
    await sleep(5);
  }
  await close();
});

function withClose(
  reader: ReturnType<typeof openChainIndex>,
): Pick<typeof reader, "mempool"> & { close(): Promise<void> } {
  return { mempool: reader.mempool, close: () => reader.close() };
}
