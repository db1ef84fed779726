import { startHeavyNode } from "../support/heavy-node.ts";
import { heavyRequests } from "../support/heavy-requests.ts";

/**
 * Prints how long costly requests keep the serving thread: `node --conditions=source test/benchmarks/turns.ts [PART OF A NAME]`.
 * The first column is the CPU of the longest turn of the event loop, the second that of all, both in milliseconds.
 */
const [wanted = ""] = process.argv.slice(2);
const node = await startHeavyNode({
  transactions: 20_000,
  mempool: 16_000,
  cluster: 2_000,
  length: 10_000,
  branches: 200,
});
console.log(`${node.facts.bigTxids.length} transactions in the large block, ${node.facts.unconfirmed} unconfirmed`);
try {
  for (const [name, requests] of heavyRequests(node.facts)) {
    if (!name.includes(wanted)) continue;
    const first = await node.measure(requests);
    const again = await node.measure(requests);
    const figures = [
      first.longestMilliseconds,
      first.cpuMilliseconds,
      again.longestMilliseconds,
      again.cpuMilliseconds,
    ];
    console.log(
      figures.map((figure) => figure.toFixed(1).padStart(8)).join(" "),
      String(first.turns).padStart(7),
      `${name} (${first.status}, ${first.bytes} bytes)`,
      first.bytes < 400 ? first.start : "",
    );
  }
} finally {
  await node.stop();
}
