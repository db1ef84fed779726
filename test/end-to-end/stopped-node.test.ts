import { createGuardedUpstream, type GuardedUpstream } from "@nodewright/upstream";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { waitUntil } from "../support/calls.ts";
import { type HostileNode, startHostileNode } from "../support/hostile-node.ts";

/** Nobody waits for so long: a call that its deadline ends fails the test. */
const timeoutMilliseconds = 600_000;

let nodes: readonly HostileNode[];
let upstream: GuardedUpstream;

beforeEach(async () => {
  nodes = await Promise.all([startHostileNode(), startHostileNode()]);
  upstream = createGuardedUpstream({
    nodes: nodes.map(({ bitcoinUrl }) => ({ url: bitcoinUrl })),
    preference: "order",
    timeoutMilliseconds,
    heads: {},
  });
});

afterEach(async () => {
  await upstream.close();
  nodes[0]?.process.kill("SIGCONT");
  await Promise.all(nodes.map((node) => node.stop()));
});

describe("a node whose process is stopped", { timeout: 60_000 }, () => {
  it("is replaced by another one in calls that are under way", async () => {
    const call = (index: number) => upstream.call("getconnectioncount", [index]);
    await waitUntil("both are well", async () => upstream.nodes().every(({ standing }) => standing === "well"));
    expect(await call(0)).toBe(8);
    nodes[0]?.process.kill("SIGSTOP");
    const results = await Promise.all(Array.from({ length: 10 }, (_, index) => call(index)));
    expect(results).toEqual(Array(10).fill(8));
    expect(upstream.nodes()[1]?.hedges).toBeGreaterThan(0);
    // Nobody waits for it any more.
    await waitUntil("its circuit is open", async () => upstream.nodes()[0]?.breaker === "open");
    expect(await call(11)).toBe(8);
  });
});
