import { describe, expect, it } from "vitest";
import { GraphqlError } from "./client-errors.ts";
import { createPageLength } from "./page-length.ts";
import {
  failedRange,
  markFailedRange,
  memberAt,
  readRangeValue,
  withMemberAt,
  writeRangeValue,
} from "./page-ranges.ts";

const refusal = (extensions: Readonly<Record<string, unknown>> | undefined) => {
  const entry = { message: "no", ...(extensions === undefined ? {} : { extensions }) };
  return new GraphqlError("logs", [{ message: "other" }, entry], undefined, {
    status: 200,
    retryAfterSeconds: undefined,
  });
};

describe("the length of a page", () => {
  it.each<[string, unknown]>([
    ["another error", new Error("no")],
    ["an error without a limit", refusal(undefined)],
    ["a limit that is no name", refusal({ limit: 5 })],
    ...[
      ...["tokens", "lines", "escapes", "name", "directives", "nesting", "depth", "aliases", "fields", "definitions"],
      ...["repetitions", "introspection", "introspectionDepth", "variables", "variableName"],
      ...["addresses", "topics", "topicAlternatives"],
    ].map((limit): [string, unknown] => [
      `the limit ${limit}, which is the same for a shorter range`,
      refusal({ limit }),
    ]),
  ])("is not made shorter for %s", (_name, error) => {
    const length = createPageLength(100);
    expect(length.reject(100, error)).toBe(false);
    expect(length.next).toBe(100);
  });

  it("is halved for a limit that the service tells nothing of, down to one", () => {
    const length = createPageLength(5);
    const lengths: number[] = [];
    while (length.reject(length.next, refusal({ limit: "logs" }))) lengths.push(length.next);
    expect(lengths).toEqual([2, 1]);
  });

  it.each<[number, object, number]>([
    // If the limit is on the range itself, its value is used.
    [100, { maximum: 80, actual: 100 }, 80],
    [100, { maximum: 1, actual: 100 }, 1],
    // If the limit is on the content of the range: as much shorter as it was too much, and by at least a half.
    [100, { maximum: 10, actual: 40 }, 25],
    [100, { maximum: 10, actual: 12 }, 50],
    [100, { maximum: 1, actual: 1000 }, 1],
    // It contains nothing usable.
    [100, { maximum: 0, actual: 40 }, 50],
    [100, { maximum: 40, actual: 40 }, 50],
    [100, { maximum: 10 }, 50],
    [100, { actual: 40 }, 50],
    [100, { maximum: "10", actual: 40 }, 50],
    [100, { maximum: 10, actual: Number.POSITIVE_INFINITY }, 50],
  ])("of %i is made shorter by what the service says, %j: %i", (before, reported, after) => {
    const length = createPageLength(before);
    expect(length.reject(before, refusal({ limit: "logs", ...reported }))).toBe(true);
    expect(length.next).toBe(after);
  });

  const response = (length: ReturnType<typeof createPageLength>, count: number): readonly number[] =>
    Array.from({ length: count }, () => {
      length.accept(length.next);
      return length.next;
    });

  it("grows again below the one that was refused, and tries that again after eight pages", () => {
    const length = createPageLength(64);
    length.reject(64, refusal({ limit: "logs" }));
    expect(response(length, 9)).toEqual([32, 32, 32, 32, 32, 32, 32, 64, 64]);
    length.reject(64, refusal({ limit: "logs" }));
    length.reject(32, refusal({ limit: "logs" }));
    length.reject(16, refusal({ limit: "logs" }));
    expect(length.next).toBe(8);
    expect(response(length, 8)).toEqual([8, 8, 8, 8, 8, 8, 8, 16]);
  });

  it("waits twice as long before it tries again what was refused twice", () => {
    const length = createPageLength(64);
    length.reject(64, refusal({ limit: "logs" }));
    response(length, 8);
    // As a page succeeds in between, its rejection counts as the first again.
    length.accept(64);
    length.reject(64, refusal({ limit: "logs" }));
    expect(response(length, 8).at(-1)).toBe(64);
    length.reject(64, refusal({ limit: "logs" }));
    expect(response(length, 15).at(-1)).toBe(32);
    expect(response(length, 1)).toEqual([64]);
  });

  it("never grows beyond a limit of the range itself, nor for a page that is shorter than it might be", () => {
    const length = createPageLength(100);
    length.reject(100, refusal({ limit: "range", maximum: 80, actual: 100 }));
    expect(new Set(response(length, 40))).toEqual(new Set([80]));
    const other = createPageLength(100);
    other.reject(100, refusal({ limit: "logs" }));
    for (let count = 0; count < 20; count++) other.accept(49);
    expect(other.next).toBe(50);
  });
});

describe("values of a range", () => {
  it.each<[unknown, bigint | undefined]>([
    [5n, 5n],
    [-5, -5n],
    [2 ** 53, undefined],
    [0.5, undefined],
    ["12", 12n],
    ["-12", -12n],
    ["0xFf", 255n],
    ["0X10", 16n],
    ["-0x1", undefined],
    ["", undefined],
    ["1.5", undefined],
    ["x1", undefined],
    ["1x", undefined],
    ["0x", undefined],
    ["0xg", undefined],
    ["9".repeat(100), BigInt("9".repeat(100))],
    ["9".repeat(101), undefined],
    [`0x${"f".repeat(101)}`, undefined],
    [null, undefined],
    [true, undefined],
  ])("are read: %o", (value, integer) => {
    expect(readRangeValue(value)).toBe(integer);
  });

  it.each<[bigint, unknown, unknown]>([
    [16n, 1n, 16n],
    [16n, "0x1", "0x10"],
    [16n, "0X1", "0x10"],
    [-16n, "0x1", "-16"],
    [16n, "1", "16"],
    [16n, "10x", "16"],
    [16n, 1, 16],
    [2n ** 53n, 1, "9007199254740992"],
  ])("are written as others are: %o like %o", (integer, example, value) => {
    expect(writeRangeValue(integer, example)).toBe(value);
  });

  it("stand at paths, where what is around is copied", () => {
    const value = { a: { b: 1, c: 2 }, d: 3 };
    expect([
      memberAt(value, ["a", "b"]),
      memberAt(value, []),
      memberAt(value, ["d", "e"]),
      memberAt(null, ["a"]),
    ]).toEqual([1, value, undefined, undefined]);
    expect(memberAt(value, ["toString"])).toBeUndefined();
    expect(withMemberAt(value, ["a", "b"], 5)).toEqual({ a: { b: 5, c: 2 }, d: 3 });
    expect(withMemberAt(5, ["a", "b"], 5)).toEqual({ a: { b: 5 } });
    expect(withMemberAt(null, ["a"], 5)).toEqual({ a: 5 });
    expect(withMemberAt(value, [], 5)).toBe(5);
    expect(value).toEqual({ a: { b: 1, c: 2 }, d: 3 });
  });

  it("are in an error what has failed, which shows nothing of it", () => {
    const [error, range] = [new Error("no"), { from: 1n, to: 2n }];
    markFailedRange(error, range);
    expect(failedRange(error)).toBe(range);
    expect(Object.keys(error)).toEqual([]);
    markFailedRange(error, { from: 3n, to: 4n });
    expect(failedRange(error)).toEqual({ from: 3n, to: 4n });
    for (const other of [Object.freeze(new Error("no")), "text", null, {}]) {
      markFailedRange(other, range);
      expect(failedRange(other)).toBeUndefined();
    }
    expect(failedRange(Object.create(error))).toBeUndefined();
  });
});
