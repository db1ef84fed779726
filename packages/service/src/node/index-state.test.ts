import type { IndexerEvent } from "@nodewright/bitcoin-indexer";
import { describe, expect, it } from "vitest";
import { emptyIndex, nextIndexState, problemOfIndex } from "./index-state.ts";

const event = (state: IndexerEvent["state"], height: number): IndexerEvent => ({
  state,
  height,
  targetHeight: 9,
  blocks: 0,
  transactions: 0,
  bytes: 0,
  megabytesPerSecond: 0,
  reason: "Something broke.",
});

describe("the problem of an index", () => {
  it("is none while the indexer works", () => {
    expect(problemOfIndex(nextIndexState(emptyIndex, event("ready", 9)))).toBeUndefined();
  });

  it("says up to which height there is something to serve", () => {
    expect(problemOfIndex(nextIndexState(emptyIndex, event("failed", 4)))).toBe(
      "Served up to height 4: Something broke.",
    );
    expect(problemOfIndex(nextIndexState(emptyIndex, event("failed", -1)))).toBe("Nothing is served: Something broke.");
  });

  it("does not deny what is served when the indexer could not even start", () => {
    const served = nextIndexState(emptyIndex, event("ready", 9));
    expect(problemOfIndex(nextIndexState(served, event("failed", -1)))).toBe(
      "Served as indexed before: Something broke.",
    );
  });
});
