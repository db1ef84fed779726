import { describe, expect, it } from "vitest";
import type { NodeBlock } from "../results/node-values.ts";
import { HeadFollower } from "./head-follower.ts";

const block = (hash: string): NodeBlock => ({ hash, number: "0x1" }) as NodeBlock;

function createFollower(): { head: HeadFollower; clock: { now: number }; reported: string[] } {
  const clock = { now: 1_000 };
  const reported: string[] = [];
  const head = new HeadFollower({
    milliseconds: 250,
    now: () => clock.now,
    onChange: ({ hash }) => void reported.push(hash),
  });
  return { head, clock, reported };
}

describe("the followed head", () => {
  it("is fresh for a while after it was requested, not after it was answered", () => {
    const { head, clock } = createFollower();
    expect(head.findFresh()).toBeUndefined();
    const requestedAt = head.now();
    clock.now += 200;
    head.notify(block("a"), requestedAt);
    expect(head.findFresh()?.hash).toBe("a");
    clock.now += 50;
    expect(head.findFresh()).toBeUndefined();
    expect(head.last?.hash).toBe("a");
  });

  it("is not turned back by a late response to an earlier question", () => {
    const { head, clock, reported } = createFollower();
    const early = head.now();
    clock.now += 10;
    head.notify(block("b"), head.now());
    head.notify(block("a"), early);
    expect(head.findFresh()?.hash).toBe("b");
    head.notify(block("b"), head.now());
    expect(reported).toEqual(["b"]);
  });

  it("has to be requested again by every request for a moment after a transaction was sent", () => {
    const { head, clock } = createFollower();
    head.notify(block("a"), head.now());
    head.expectBlock();
    expect(head.findFresh()).toBeUndefined();
    head.notify(block("b"), head.now());
    expect(head.findFresh()).toBeUndefined();
    clock.now += 1_001;
    head.notify(block("c"), head.now());
    expect(head.findFresh()?.hash).toBe("c");
  });

  it("has to be requested again when another one was heard of", () => {
    const { head } = createFollower();
    head.notify(block("a"), head.now());
    head.outdate();
    expect(head.findFresh()).toBeUndefined();
  });

  it("is neither fresh nor turned back by answers to what was asked before another one was heard of", () => {
    const { head, clock, reported } = createFollower();
    const early = head.now();
    clock.now += 1;
    head.notify(block("b"), head.now());
    clock.now += 1;
    const late = head.now();
    clock.now += 1;
    head.outdate();
    head.notify(block("a"), early);
    expect(head.last?.hash).toBe("b");
    head.notify(block("b"), late);
    expect(head.findFresh()).toBeUndefined();
    clock.now += 1;
    head.notify(block("c"), head.now());
    expect(head.findFresh()?.hash).toBe("c");
    expect(reported).toEqual(["b", "c"]);
  });
});
