import { describe, expect, it } from "vitest";
import { BatchLimit } from "./batch-limit.ts";

describe("the limit of batches", () => {
  it("is half of what was refused, or what the node has named", () => {
    const limit = new BatchLimit({ maximum: 100 });
    limit.refuse(100, undefined);
    expect(limit.current).toBe(50);
    limit.refuse(50, 20);
    expect(limit.current).toBe(20);
    limit.refuse(20, 400);
    expect(limit.current).toBe(10);
    limit.refuse(10, 10);
    expect(limit.current).toBe(5);
    limit.refuse(5, 0);
    expect(limit.current).toBe(3);
    limit.refuse(3, 1);
    expect(limit.current).toBe(1);
  });

  it("is what is wanted at first, by the clock of the process", () => {
    const limit = new BatchLimit({ maximum: 7 });
    expect([limit.current, limit.known]).toEqual([7, 7]);
    limit.refuse(7, undefined);
    expect([limit.current, limit.known]).toEqual([4, 4]);
  });

  it("does not fall further for requests that were under way when it fell", () => {
    const limit = new BatchLimit({ maximum: 100 });
    for (let time = 0; time < 5; time += 1) limit.refuse(100, undefined);
    expect(limit.current).toBe(50);
  });

  it("falls to single calls and no lower", () => {
    const limit = new BatchLimit({ maximum: 3 });
    limit.refuse(3, undefined);
    limit.refuse(2, undefined);
    limit.refuse(1, undefined);
    expect(limit.current).toBe(1);
  });

  it("is tried again after a while, by twice as many each time, up to what is wanted", () => {
    let now = 0;
    const limit = new BatchLimit({ maximum: 100, now: () => now });
    limit.refuse(60, 30);
    now = 59_000;
    expect(limit.current).toBe(30);
    now = 61_000;
    expect([limit.current, limit.current, limit.known]).toEqual([60, 60, 60]);
    now = 120_999;
    expect(limit.current).toBe(60);
    now = 121_000;
    expect(limit.current).toBe(100);
    // This is the configured maximum, so nothing more is tried.
    limit.refuse(100, 99);
    now = 180_999;
    expect([limit.current, limit.known]).toEqual([99, 99]);
    now = 181_000;
    expect(limit.known).toBe(99);
    expect(limit.current).toBe(100);
  });

  it("knows which lengths were taken, until one is refused", () => {
    const limit = new BatchLimit({ maximum: 100 });
    expect(limit.isProven(10)).toBe(false);
    limit.accept(10);
    expect([limit.isProven(10), limit.isProven(11)]).toEqual([true, false]);
    limit.accept(4);
    expect(limit.isProven(10)).toBe(true);
    limit.refuse(10, undefined);
    expect([limit.isProven(5), limit.isProven(6), limit.isProven(10)]).toEqual([true, false, false]);
  });
});
