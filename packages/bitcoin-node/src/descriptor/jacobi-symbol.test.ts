import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jacobiByDivision, jacobiSymbol } from "./jacobi-symbol.ts";

const bound = 2n ** 256n - 1n;
const fieldPrime = 2n ** 256n - 2n ** 32n - 977n;
const odd = fc.bigInt({ min: 0n, max: bound }).map((number) => number | 1n);
/** Numbers of any length, including those with long runs of zeros or ones. */
const anyNumber = fc.oneof(
  fc.bigInt({ min: 0n, max: bound }),
  fc
    .tuple(fc.integer({ min: 0, max: 255 }), fc.bigInt({ min: 0n, max: 3n }))
    .map(([bits, add]) => (1n << BigInt(bits)) + add),
  fc
    .tuple(fc.integer({ min: 1, max: 256 }), fc.bigInt({ min: 0n, max: 1n }))
    .map(([bits, less]) => (1n << BigInt(bits)) - 1n - less),
);

describe("jacobiSymbol", () => {
  it("tells the squares modulo a small prime", () => {
    const squares = new Set([1n, 4n, 9n, 5n, 3n]);
    for (let value = 1n; value < 11n; value += 1n) expect(jacobiSymbol(value, 11n)).toBe(squares.has(value) ? 1 : -1);
    expect(jacobiSymbol(0n, 11n)).toBe(0);
    expect(jacobiSymbol(33n, 11n)).toBe(0);
  });

  it("is 1 for each square modulo the prime of secp256k1, and -1 for a square times what is none", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: fieldPrime - 1n }), (root) => {
        const square = (root * root) % fieldPrime;
        expect(jacobiSymbol(square, fieldPrime)).toBe(1);
        expect(jacobiSymbol((square * 3n) % fieldPrime, fieldPrime)).toBe(-1);
      }),
    );
  });

  it("is the same by division, for any numbers", () => {
    fc.assert(
      fc.property(
        anyNumber,
        fc.oneof(
          odd,
          anyNumber.map((number) => number | 1n),
        ),
        (value, modulus) => {
          expect(jacobiSymbol(value, modulus)).toBe(jacobiByDivision(value, modulus));
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
