import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGuardedUpstream, type GuardedUpstream, type UpstreamCall } from "@nodewright/upstream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Anvil, prepareAnvil } from "../support/anvil.ts";
import { waitUntil } from "../support/calls.ts";
import { type Geth, startGeth } from "../support/geth.ts";
import { requireInstalled, requireProgram } from "../support/requirement.ts";

const gethPath = requireProgram("geth").path;
const anvilPath = requireProgram("anvil").path;
const chainPath = requireInstalled("geth-chain", "The chain of geth's own tests").path;
/** What geth is told to take at most. */
const requestLimit = 7;
const responseBytes = 20_000;
/** The height of that chain. */
const headHeight = 600;

let directory: string;
const upstreams: GuardedUpstream[] = [];

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "execution-clients-"));
});

afterEach(async () => {
  for (const upstream of upstreams.splice(0)) await upstream.close();
});

afterAll(() => rmSync(directory, { recursive: true }));

function connect(...urls: readonly string[]): GuardedUpstream {
  const upstream = createGuardedUpstream({
    nodes: urls.map((url) => ({ url })),
    heads: { words: "ethereum", pollMilliseconds: 50 },
  });
  upstreams.push(upstream);
  return upstream;
}

const blocks = (count: number, isFull = false): readonly UpstreamCall[] =>
  Array.from({ length: count }, (_, height) => ({
    method: "eth_getBlockByNumber",
    params: [`0x${height.toString(16)}`, isFull],
  }));

async function numbersOf(upstream: GuardedUpstream, calls: readonly UpstreamCall[]): Promise<readonly unknown[]> {
  const results = await upstream.batch(calls);
  return results.map((result) => (result.ok ? (result.result as { readonly number?: unknown }).number : result.error));
}

describe.skipIf(gethPath === undefined || chainPath === undefined)("geth that takes short batches", () => {
  let geth: Geth;

  beforeAll(async () => {
    const chain = chainPath ?? "";
    geth = await startGeth(gethPath ?? "", join(directory, "geth"), {
      genesis: join(chain, "genesis.json"),
      blocks: join(chain, "chain.rlp"),
      parameters: [
        ...["--rpc.batch-request-limit", String(requestLimit)],
        ...["--rpc.batch-response-max-size", String(responseBytes)],
      ],
    });
  });

  afterAll(() => geth.stop());

  it("is asked by as many as it takes, and for the rest of a long response once more", async () => {
    const upstream = connect(geth.url);
    await waitUntil("its head is known", () => upstream.head !== undefined);
    const calls = blocks(60, true);

    expect(await numbersOf(upstream, calls)).toEqual(calls.map(({ params }) => (params as readonly unknown[])[0]));

    const [node] = upstream.nodes();
    expect(node).toMatchObject({ standing: "well", breaker: "closed", failures: 0, chainId: "3503995874084926" });
    expect(node?.version).toMatch(/^Geth\/v1\./);
    expect(node?.batchLimit).toBeGreaterThan(requestLimit / 2);
    expect(node?.batchLimit).toBeLessThanOrEqual(requestLimit);
    // The head, four batches that were too long, the short ones and what these left out.
    expect(upstream.totals().methodCalls).toBeLessThan(400);
  });

  it("follows its head, and leaves out a client of another chain", async () => {
    const anvil = await prepareAnvil(anvilPath ?? "", 31_337);
    await anvil.start();
    try {
      const upstream = connect(geth.url, anvil.url);
      await waitUntil("both are judged", () => upstream.nodes().every(({ standing }) => standing !== "unheard"));
      expect(upstream.nodes()).toMatchObject([
        { standing: "well", head: { height: headHeight } },
        { standing: "other-network", chainId: "31337" },
      ]);
      expect(await upstream.call("eth_blockNumber")).toBe(`0x${headHeight.toString(16)}`);
    } finally {
      await anvil.stop();
    }
  });

  it("says of a block that it does not have what another client is asked for then", async () => {
    const ahead = await startGeth(gethPath ?? "", join(directory, "empty"), {
      genesis: join(chainPath ?? "", "genesis.json"),
    });
    try {
      const upstream = createGuardedUpstream({
        // The one without blocks first; both are well, because so many blocks may be missing.
        nodes: [{ url: ahead.url }, { url: geth.url }],
        heads: { words: "ethereum", pollMilliseconds: 50, maximumLag: 10_000 },
        preference: "order",
      });
      upstreams.push(upstream);
      await waitUntil("both are heard", () => upstream.nodes().every(({ head }) => head !== undefined));
      const head = (await geth.call("eth_getBlockByNumber", "latest", false)) as { readonly hash: string };
      const address = `0x${"0".repeat(40)}`;
      const pinned = { blockHash: head.hash };
      const calls = [
        { method: "eth_getBlockByHash", params: [head.hash, false] },
        { method: "eth_getBlockReceipts", params: [pinned] },
        { method: "eth_getBalance", params: [address, pinned] },
        { method: "eth_getStorageAt", params: [address, "0x0", pinned] },
        { method: "eth_getProof", params: [address, [], pinned] },
        { method: "eth_call", params: [{ to: address }, pinned] },
        { method: "eth_estimateGas", params: [{ to: address }, pinned] },
        { method: "eth_getLogs", params: [pinned] },
        { method: "debug_getRawBlock", params: [head.hash] },
        { method: "debug_traceCall", params: [{ to: address }, pinned, { tracer: "callTracer" }] },
      ];
      const results = await upstream.batch(calls);
      const failed = results.flatMap((result, position) =>
        result.ok && result.result !== null ? [] : [calls[position]?.method, result],
      );
      expect(failed).toEqual([]);
      expect(upstream.nodes().map(({ failures }) => failures)).toEqual([0, 0]);
      expect(await upstream.call("eth_getBlockReceipts", [pinned])).not.toBeNull();
    } finally {
      await ahead.stop();
    }
  });
});

describe.skipIf(anvilPath === undefined)("anvil", () => {
  let anvil: Anvil;

  beforeAll(async () => {
    anvil = await prepareAnvil(anvilPath ?? "", 31_337);
    await anvil.start();
  });

  afterAll(() => anvil.stop());

  it("takes batches as long as they are sent, is told of its blocks, and may begin anew", async () => {
    const upstream = connect(anvil.url);
    const heights: number[] = [];
    upstream.onHead?.(({ head }) => void heights.push(head.height));
    await anvil.call("anvil_mine", "0x20");
    await waitUntil("its head is known", () => upstream.head?.height === 32);
    expect(await numbersOf(upstream, blocks(33))).toEqual(blocks(33).map(({ params }) => (params as unknown[])[0]));
    expect(upstream.nodes()[0]).toMatchObject({ batchLimit: 100, version: expect.stringMatching(/^anvil/) });

    await anvil.stop();
    await waitUntil("it is gone", () => upstream.head === undefined);
    await expect(upstream.call("eth_gasPrice")).rejects.toMatchObject({ code: "upstream_unavailable" });
    await anvil.start();
    await waitUntil("it has begun anew", () => upstream.head?.height === 0);
    expect(upstream.nodes()[0]?.standing).toBe("well");
    expect(heights.at(-1)).toBe(0);
  });
});
