import { afterEach, describe, expect, it } from "vitest";
import { BlockHolders } from "./block-holders.ts";
import { defaultCircuitBreakerOptions } from "./circuit-breaker.ts";
import type { Head } from "./node-standing.ts";
import { createHttpUpstream } from "./http-upstream.ts";
import { NodeLink } from "./node-link.ts";
import type { UpstreamResult } from "./upstream.ts";
import { UpstreamRpcError } from "./upstream-rpc-error.ts";

const hashOf = (height: number, chain = "a"): string => `0x${chain}${String(height).padStart(63, "0")}`;
const headAt = (height: number, chain?: string): Head => ({ height, hash: hashOf(height, chain) });
const blockAt = (height: number, chain?: string): UpstreamResult => ({
  ok: true,
  result: { hash: hashOf(height, chain), number: `0x${height.toString(16)}`, parentHash: hashOf(height - 1) },
});
const byHash = (height: number, chain?: string) => ({ method: "eth_getBlockByHash", params: [hashOf(height, chain)] });
const byHeight = (height: number) => ({ method: "eth_getBlockByNumber", params: [`0x${height.toString(16)}`, false] });

const links: NodeLink[] = [];

afterEach(async () => {
  for (const { upstream } of links.splice(0)) await upstream.close();
});

/** Creates holders for nodes with these heads, without calls. */
function createHolders(heads: readonly (Head | undefined)[], best?: Head) {
  const nodes = heads.map((_, position) => {
    return new NodeLink(
      String(position),
      createHttpUpstream({ url: "http://127.0.0.1:1" }),
      defaultCircuitBreakerOptions,
    );
  });
  links.push(...nodes);
  const known = { head: best, headOf: (node: NodeLink) => heads[nodes.indexOf(node)] };
  const holders = new BlockHolders(nodes, known);
  /** Returns which of the nodes have what the calls need. */
  const find = (...calls: readonly { method: string; params: readonly unknown[] }[]) => {
    const isHolder = holders.findHolders(calls);
    return isHolder && nodes.map(isHolder);
  };
  const note = (position: number, result: UpstreamResult): void => {
    const node = nodes[position];
    if (node !== undefined) holders.note(node, result);
  };
  return { holders, find, note };
}

describe("who has a block", () => {
  it("is everybody whose head is as high, and nobody who has told no head", () => {
    const { find } = createHolders([headAt(9), headAt(10), headAt(11), undefined]);
    expect(find(byHeight(10))).toEqual([false, true, true, false]);
  });

  it("is who has the best block, where the latest is requested", () => {
    const latest = { method: "eth_blockNumber", params: [] };
    const heads = [headAt(9), headAt(10, "b"), headAt(10), headAt(11)];
    expect(createHolders(heads, headAt(10)).find(latest)).toEqual([false, false, true, true]);
    expect(createHolders(heads).find(latest)).toBeUndefined();
  });

  it("is anybody where no block is needed, or nobody has named it", () => {
    const { find } = createHolders([headAt(9)]);
    expect([find(), find({ method: "eth_gasPrice", params: [] }), find(byHash(20))]).toEqual(Array(3).fill(undefined));
  });

  it("is who has the highest one, whatever the order of several calls", () => {
    const { find } = createHolders([headAt(9), headAt(10), headAt(11)]);
    const calls = [byHeight(9), byHeight(11), byHeight(10), { method: "eth_gasPrice", params: [] }];
    expect(find(...calls)).toEqual([false, false, true]);
    expect(find(...calls.toReversed())).toEqual([false, false, true]);
  });

  it("is who has named it, and who has come to it since", () => {
    const heads = [headAt(9), headAt(9), headAt(10, "b"), headAt(11)];
    const { find, note } = createHolders(heads);
    note(0, blockAt(10));
    expect(find(byHash(10))).toEqual([true, false, false, true]);
    heads[1] = headAt(10);
    expect(find(byHash(10))).toEqual([true, true, false, true]);
  });

  it("is who has named it first", () => {
    const { find, note } = createHolders([headAt(9), headAt(9)]);
    note(1, blockAt(10));
    note(0, blockAt(10));
    expect(find(byHash(10))).toEqual([false, true]);
  });

  it("is not remembered of what all have, nor of what is no block", () => {
    const { find, note } = createHolders([headAt(10), headAt(11)]);
    note(0, blockAt(10));
    expect(find(byHash(10))).toBeUndefined();
    const [hash, number, parentHash] = [hashOf(12), "0xc", hashOf(11)];
    for (const result of [{ number, parentHash }, { hash, parentHash }, { hash, number }, null, "0x", undefined])
      note(0, { ok: true, result });
    note(0, { ok: false, error: new UpstreamRpcError(-32_000, "header not found") });
    expect(find(byHash(12))).toBeUndefined();
    note(0, { ok: true, result: { hash, number, parentHash } });
    expect(find(byHash(12))).toEqual([true, false]);
  });

  it("is remembered of the latest 128 blocks", () => {
    const { find, note } = createHolders([headAt(0), headAt(0)]);
    for (let height = 1; height <= 128; height += 1) note(0, blockAt(height));
    expect(find(byHash(1))).toEqual([true, false]);
    // A result that is no block displaces no other.
    note(0, { ok: true, result: { number: "0x1", parentHash: hashOf(0) } });
    expect(find(byHash(1))).toEqual([true, false]);
    note(0, blockAt(129));
    expect([find(byHash(1)), find(byHash(2)), find(byHash(129))]).toEqual([undefined, [true, false], [true, false]]);
  });
});

it("a block that nobody is known to have is lacking nowhere", () => {
  const none = { ok: true, result: null } as const;
  expect(createHolders([headAt(0)], headAt(0)).holders.isLacking(byHeight(0), none)).toBe(true);
  expect(createHolders([headAt(0)], headAt(0)).holders.isLacking(byHeight(1), none)).toBe(false);
  expect(createHolders([headAt(0)]).holders.isLacking(byHeight(0), none)).toBe(false);
});
