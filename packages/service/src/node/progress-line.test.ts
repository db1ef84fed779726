import type { IndexerEvent } from "@nodewright/bitcoin-indexer";
import { describe, expect, it } from "vitest";
import { createProgressLine, percentOf, renderProgress, renderRepair } from "./progress-line.ts";

const event: IndexerEvent = {
  state: "indexing",
  height: 699,
  targetHeight: 14_131,
  blocks: 700,
  transactions: 705,
  bytes: 151_000,
  megabytesPerSecond: 3.46,
  secondsLeft: 1.2,
};

describe("the progress line", () => {
  function follow(isTTY: boolean) {
    const written: string[] = [];
    let time = 0;
    const line = createProgressLine({ isTTY, write: (text) => written.push(text) }, () => time);
    return { written, line, pass: (milliseconds: number) => (time += milliseconds) };
  }

  it("says how far, how fast and how long", () => {
    expect(renderProgress("bitcoin-mainnet", event)).toBe(
      "bitcoin-mainnet: indexing, height 699 of 14131 (4 %), 700 blocks, 3.5 MB/s, 2 s left",
    );
    expect(renderProgress("n", { ...event, secondsLeft: 7_200 })).toMatch(/2\.0 h left$/);
    expect(renderProgress("n", { ...event, secondsLeft: 600 })).toMatch(/10 min left$/);
  });

  it("says why an indexer does not go on", () => {
    const failed: IndexerEvent = { ...event, state: "failed", reason: "byte 17 of blk00000.dat is wrong." };

    expect(renderProgress("n", failed)).toBe(
      "n: failed, height 699 of 14131 (4 %), 700 blocks, 3.5 MB/s: byte 17 of blk00000.dat is wrong.",
    );
  });

  it("speaks of no height where there is no block", () => {
    const empty: IndexerEvent = { ...event, height: -1, blocks: 0 };

    expect(renderProgress("n", empty)).toBe("n: indexing, no block yet of 14131 (0 %), 2 s left");
    expect(renderProgress("n", { ...empty, state: "failed", targetHeight: -1 })).toBe("n: failed, no block yet");
  });

  it("counts a hundred percent only when nothing is missing", () => {
    expect(percentOf({ height: 14_130, targetHeight: 14_131 })).toBe(99);
    expect(percentOf({ height: 14_131, targetHeight: 14_131 })).toBe(100);
    expect(percentOf({ height: -1, targetHeight: -1 })).toBe(0);
    expect(percentOf({ height: 5, targetHeight: 3 })).toBe(100);
  });

  it("stays in one place of a terminal, and makes way for other lines", () => {
    const { written, line } = follow(true);
    line.show("n", event);
    line.show("n", event);
    line.say("something else");
    line.show("n", { ...event, state: "ready" });

    const shown = renderProgress("n", event);
    const erase = "\r\u001b[2K";
    expect(written).toEqual([
      `${erase}${shown}`,
      `${erase}${shown}`,
      erase,
      "something else\n",
      `${renderProgress("n", { ...event, state: "ready" })}\n`,
    ]);
  });

  it("is written from time to time elsewhere, and at each change of state", () => {
    const { written, line, pass } = follow(false);
    line.show("n", event);
    pass(9_000);
    line.show("n", event);
    pass(1_000);
    line.show("n", event);
    line.show("n", { ...event, state: "ready" });

    expect(written).toHaveLength(3);
    expect(written.every((text) => text.endsWith("\n") && !text.includes("\r"))).toBe(true);
  });

  it("names the file and the byte of a block that was repaired, or why it can't be", () => {
    const damage = { path: "/data/blk00000.dat", offset: 8, reason: "its bytes 8 to 9 were changed" };
    expect(renderRepair("n", damage)).toBe("n: a damaged block was repaired: /data/blk00000.dat, byte 8");
    expect(renderRepair("n", { ...damage, problem: "the node has none" })).toBe(
      "n: a damaged block can't be repaired: /data/blk00000.dat, byte 8: the node has none",
    );
  });
});
