import type { IndexerEvent } from "@nodewright/bitcoin-indexer";
import { describe, expect, it } from "vitest";
import { emptyIndex, nextIndexState, unavailableIndex } from "./index-state.ts";

function event(state: IndexerEvent["state"], more: Partial<IndexerEvent> = {}): IndexerEvent {
  const numbers = { height: 41, targetHeight: 99, blocks: 42, transactions: 42, bytes: 1, megabytesPerSecond: 1 };
  return { state, ...numbers, ...more };
}

describe("the state of an index", () => {
  it("says how much is there, and when to ask again, while it is built", () => {
    expect(unavailableIndex(emptyIndex)).toMatchObject({ code: "installing", retryAfterSeconds: 5 });
    expect(unavailableIndex(nextIndexState(emptyIndex, event("indexing", { secondsLeft: 6.2 })))).toMatchObject({
      code: "installing",
      httpStatus: 503,
      message: "The index is being built: 42 %",
      details: { percent: 42 },
      retryAfterSeconds: 7,
    });
    expect(unavailableIndex(nextIndexState(emptyIndex, event("indexing", { secondsLeft: 1e6 })))).toMatchObject({
      retryAfterSeconds: 60,
    });
  });

  it("is served once it is complete, and stays so whatever comes", () => {
    const complete = nextIndexState(emptyIndex, event("ready"));

    expect(unavailableIndex(complete)).toBeUndefined();
    for (const state of ["indexing", "stalled", "failed", "stopped"] as const) {
      expect(unavailableIndex(nextIndexState(complete, event(state, { reason: "x" })))).toBeUndefined();
    }
  });

  it("is served up to the last good block when a bad one ends it", () => {
    expect(unavailableIndex(nextIndexState(emptyIndex, event("failed", { reason: "bad" })))).toBeUndefined();
  });

  it("is not served when there is no good block, and tells callers no file name", () => {
    const failed = nextIndexState(emptyIndex, event("failed", { height: -1, reason: "/home/me/blk00000.dat is bad." }));

    expect(unavailableIndex(failed)).toMatchObject({
      httpStatus: 503,
      message: "The index of this node could not be built",
    });
  });

  it("says what it waits for", () => {
    const stalled = nextIndexState(emptyIndex, event("stalled", { reason: "the node does not answer" }));

    expect(unavailableIndex(stalled)?.message).toBe("The index is being built: 42 %, waiting for its node");
  });
});
