import { beforeEach, describe, expect, it } from "vitest";
import { createDamageList } from "./damage-list.ts";

describe("the list of damaged blocks", () => {
  const damage = { position: { file: 0, offset: 8, length: 80 }, path: "blk00000.dat", offset: 8, reason: "changed" };
  let time: number;
  let reads: number;
  let stamp: number | undefined;

  beforeEach(() => {
    [time, reads, stamp] = [0, 0, undefined];
  });

  const create = () =>
    createDamageList({
      read: () => {
        reads += 1;
        return [damage].slice(0, reads - 1);
      },
      stamp: () => stamp,
      now: () => time,
    });

  it("is read once a second, however often it is requested", () => {
    const list = create();
    for (time = 0; time < 1_000; time += 100) expect(list()).toEqual([]);
    expect(reads).toBe(1);
    expect(list()).toEqual([damage]);
    expect(reads).toBe(2);
  });

  it("is read at once when a block was reported", () => {
    const list = create();
    expect(list()).toEqual([]);
    stamp = 1;
    expect(list()).toEqual([damage]);
    expect(list()).toEqual([damage]);
    expect(reads).toBe(2);
  });
});
