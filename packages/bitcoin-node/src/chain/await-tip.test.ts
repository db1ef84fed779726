import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { BitcoinNodeContext } from "../context/context.ts";
import { waitforblock } from "../handlers/waitforblock.ts";
import { waitforblockheight } from "../handlers/waitforblockheight.ts";
import { waitfornewblock } from "../handlers/waitfornewblock.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});

afterEach(() => {
  vi.useRealTimers();
});

function block(height: number): { readonly hash: string; readonly height: number } {
  return { hash: height.toString(16).padStart(64, "a"), height };
}

/** Returns an index whose best block can be changed; no other method is called. */
function growingChain(height: number) {
  const state = { height, hasGone: false };
  const index = { tip: async () => block(state.height) as BlockRecord } as ChainQueries;
  return { state, context: { index, isClientDisconnected: () => state.hasGone } as BitcoinNodeContext };
}

/** Returns the state of a call: its result, or `undefined` while it waits. */
function follow(call: unknown): { readonly outcome: unknown } {
  const followed: { outcome: unknown } = { outcome: undefined };
  void Promise.resolve(call).then(
    (result) => {
      followed.outcome = result;
    },
    (reason: unknown) => {
      followed.outcome = reason;
    },
  );
  return followed;
}

describe("waitfornewblock", () => {
  it("returns the block that comes", async () => {
    const { state, context } = growingChain(7);
    const call = follow(waitfornewblock({}, context));
    await vi.advanceTimersByTimeAsync(4_000);
    expect(call.outcome).toBeUndefined();
    state.height = 8;
    await vi.advanceTimersByTimeAsync(200);
    expect(call.outcome).toEqual(block(8));
  });

  it("returns at once where the client knows another block as the best one", async () => {
    const { context } = growingChain(7);
    expect(await waitfornewblock({ currentTip: block(6).hash }, context)).toEqual(block(7));
  });

  it("waits where the client knows the best block, in letters of either case", async () => {
    const { context } = growingChain(7);
    const call = follow(waitfornewblock({ currentTip: block(7).hash.toUpperCase(), timeout: 900 }, context));
    await vi.advanceTimersByTimeAsync(899);
    expect(call.outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(call.outcome).toEqual(block(7));
  });

  it.each([[0], [60_000], [2_147_483_647]])("waits 5 seconds at most with a timeout of %i", async (timeout) => {
    const { context } = growingChain(7);
    const call = follow(waitfornewblock({ timeout }, context));
    await vi.advanceTimersByTimeAsync(4_999);
    expect(call.outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(call.outcome).toEqual(block(7));
  });

  it("ends when the client has gone", async () => {
    const { state, context } = growingChain(7);
    const call = follow(waitfornewblock({}, context));
    await vi.advanceTimersByTimeAsync(1_000);
    state.hasGone = true;
    await vi.advanceTimersByTimeAsync(200);
    expect(call.outcome).toMatchObject({ code: "invalid_request" });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("waitforblock", () => {
  it("passes over other blocks", async () => {
    const { state, context } = growingChain(7);
    const call = follow(waitforblock({ blockhash: block(9).hash.toUpperCase() }, context));
    state.height = 8;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(call.outcome).toBeUndefined();
    state.height = 9;
    await vi.advanceTimersByTimeAsync(200);
    expect(call.outcome).toEqual(block(9));
  });

  it("returns the best block when the time is over", async () => {
    const { context } = growingChain(7);
    const call = follow(waitforblock({ blockhash: block(6).hash, timeout: 50 }, context));
    await vi.advanceTimersByTimeAsync(50);
    expect(call.outcome).toEqual(block(7));
  });
});

describe("waitforblockheight", () => {
  it("returns at once at the height and above it", async () => {
    const { context } = growingChain(7);
    expect(await waitforblockheight({ height: 7 }, context)).toEqual(block(7));
    expect(await waitforblockheight({ height: -1 }, context)).toEqual(block(7));
  });

  it("waits for the height", async () => {
    const { state, context } = growingChain(7);
    const call = follow(waitforblockheight({ height: 9 }, context));
    state.height = 8;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(call.outcome).toBeUndefined();
    state.height = 10;
    await vi.advanceTimersByTimeAsync(200);
    expect(call.outcome).toEqual(block(10));
  });
});

it.each([
  ["waitfornewblock", (context: BitcoinNodeContext) => waitfornewblock({ timeout: -1 }, context)],
  ["waitforblock", (context: BitcoinNodeContext) => waitforblock({ blockhash: "00", timeout: -1 }, context)],
  ["waitforblockheight", (context: BitcoinNodeContext) => waitforblockheight({ height: 1, timeout: -1 }, context)],
])("%s refuses a negative timeout as Bitcoin Core does", async (_method, call) => {
  await expect(async () => call(growingChain(7).context)).rejects.toMatchObject({
    rpcCode: -1,
    message: "Negative timeout",
  });
});
