import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeBigint,
  decodeBitcoinAmount,
  decodeNumber,
  encodeBigint,
  encodeBitcoinAmount,
  formatBitcoinAmount,
} from "./codec.ts";
import { writeLosslessJson } from "../json/lossless-json.ts";

/** 2^26 bitcoin: up to there, neighboring doubles are less than a satoshi apart. */
const maximumExact = 2n ** 26n * 100_000_000n;

describe("a bitcoin amount", () => {
  it.each([
    [0n, "0.00000000"],
    [1n, "0.00000001"],
    [-1n, "-0.00000001"],
    [99_999_999n, "0.99999999"],
    [100_000_000n, "1.00000000"],
    [-2_100_000_000_000_000n, "-21000000.00000000"],
  ])("of %s satoshi is written with eight decimals: %s", (satoshi, text) => {
    expect(formatBitcoinAmount(satoshi)).toBe(text);
    expect(writeLosslessJson([encodeBitcoinAmount(satoshi)])).toBe(`[${text}]`);
  });

  it("is read as it was written, exactly", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -maximumExact, max: maximumExact }), (satoshi) => {
        expect(decodeBitcoinAmount(JSON.parse(formatBitcoinAmount(satoshi)))).toBe(satoshi);
      }),
    );
  });

  it.each<[unknown, bigint]>([
    [5n, 500_000_000n],
    [1e-8, 1n],
    [1e-7, 10n],
    [-1.5, -150_000_000n],
    [1e21, 10n ** 29n],
    [1e32, 10n ** 40n],
  ])("is a number: %s", (wire, satoshi) => {
    expect(decodeBitcoinAmount(wire)).toBe(satoshi);
  });

  it.each<[unknown, string]>([
    ["1", "A bitcoin amount is a JSON number"],
    [null, "A bitcoin amount is a JSON number"],
    [Number.NaN, "A bitcoin amount is a finite decimal"],
    [Number.POSITIVE_INFINITY, "A bitcoin amount is a finite decimal"],
    [1e-9, "A bitcoin amount has at most 8 decimals"],
    [0.123456789, "A bitcoin amount has at most 8 decimals"],
    [1e33, "A bitcoin amount is out of range"],
    [1e-49, "A bitcoin amount is out of range"],
  ])("is a whole number of satoshi: %s is refused", (wire, message) => {
    expect(() => decodeBitcoinAmount(wire)).toThrow(new RangeError(message));
  });
});

describe("an integer", () => {
  it("is a bigint on this side, and JSON on the wire", () => {
    expect([decodeBigint(5n), decodeBigint(-5), decodeBigint(2 ** 60)]).toEqual([5n, -5n, 2n ** 60n]);
    expect(writeLosslessJson([encodeBigint(2n ** 64n)])).toBe("[18446744073709551616]");
    for (const wire of [1.5, "5", null, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => decodeBigint(wire)).toThrow(new RangeError("A JSON integer is expected"));
    }
  });

  it("may be a double, rounded", () => {
    expect([decodeNumber(1.5), decodeNumber(2n ** 53n + 1n)]).toEqual([1.5, 2 ** 53]);
  });
});
