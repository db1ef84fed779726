import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeBigint,
  decodeBitcoinAmount,
  encodeBigint,
  encodeBitcoinAmount,
  formatBitcoinAmount,
} from "../operations/codec.ts";
import { isDeeperThan } from "./json-depth.ts";
import { readLosslessJson, writeLosslessJson } from "./lossless-json.ts";

describe("lossless JSON", () => {
  it("reads an integer beyond 2^53 as a bigint, anywhere, and nothing else", () => {
    expect(
      readLosslessJson(
        '{"a":[9007199254740993,-18446744073709551615],"b":"9007199254740993","c":1.5,"d":9007199254740991}',
      ),
    ).toEqual({
      a: [9_007_199_254_740_993n, -18_446_744_073_709_551_615n],
      b: "9007199254740993",
      c: 1.5,
      d: 9_007_199_254_740_991,
    });
    expect(readLosslessJson("12345678901234567890")).toBe(12_345_678_901_234_567_890n);
  });

  it("leaves numbers that no integer spells to the double", () => {
    expect(readLosslessJson("[1e400,12345678901234567890.5]")).toEqual([
      Number.POSITIVE_INFINITY,
      12_345_678_901_234_567_000,
    ]);
    expect(readLosslessJson(`[${"9".repeat(2000)}]`)).toEqual([Number.POSITIVE_INFINITY]);
  });

  it("reads what it has written, for any JSON value with bigints", () => {
    const integers = fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n });
    const beyond = integers.filter((value) => !Number.isSafeInteger(Number(value)));
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), beyond)), (value) => {
        const text = writeLosslessJson(value);
        expect(writeLosslessJson(readLosslessJson(text))).toBe(text);
      }),
    );
  });

  it("makes no prototype of a member", () => {
    const value = readLosslessJson('{"__proto__":{"x":12345678901234567890}}') as object;
    expect("x" in value).toBe(false);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

describe("bitcoin amounts", () => {
  it("are exact for every amount there can be", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -2_100_000_000_000_000n, max: 2_100_000_000_000_000n }), (satoshi) => {
        const text = JSON.stringify(encodeBitcoinAmount(satoshi));
        expect(text).toMatch(/^-?[0-9]+\.[0-9]{8}$/);
        expect(decodeBitcoinAmount(JSON.parse(text))).toBe(satoshi);
      }),
    );
  });

  it.each([
    ["0.00000001", 1n],
    ["1e-8", 1n],
    ["1e-05", 1000n],
    ["20999999.9769", 2_099_999_997_690_000n],
    ["50", 5_000_000_000n],
    ["-0.5", -50_000_000n],
    ["0", 0n],
    ["1.10", 110_000_000n],
  ])("read %s", (text, satoshi) => {
    expect(decodeBitcoinAmount(readLosslessJson(text))).toBe(satoshi);
  });

  it.each([[0.000000001], [1e300], [1e-300], ["1"], [null], [Number.NaN]])("refuse %s", (value) => {
    expect(() => decodeBitcoinAmount(value)).toThrow(RangeError);
  });

  it("are written with eight decimals", () => {
    expect([0n, 1n, -1n, 100_000_000n, -123_456_789_012n].map(formatBitcoinAmount)).toEqual([
      "0.00000000",
      "0.00000001",
      "-0.00000001",
      "1.00000000",
      "-1234.56789012",
    ]);
  });
});

describe("integers as bigints", () => {
  it("come back as they were written", () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        expect(decodeBigint(readLosslessJson(JSON.stringify(encodeBigint(value))))).toBe(value);
      }),
    );
  });

  it("refuse what is no integer", () => {
    for (const value of [1.5, "1", null, Number.NaN]) expect(() => decodeBigint(value)).toThrow(RangeError);
  });
});

describe("the depth of JSON", () => {
  it("is that of its value", () => {
    const depthOf = (value: unknown): number =>
      typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        const depth = depthOf(value);
        expect(isDeeperThan(text, depth)).toBe(false);
        if (depth > 0) expect(isDeeperThan(text, depth - 1)).toBe(true);
      }),
    );
  });

  it("does not count what is in strings", () => {
    expect(isDeeperThan(JSON.stringify(['[[[[[["\\']), 1)).toBe(false);
    expect(isDeeperThan('["', 0)).toBe(true);
  });
});
