import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { computeNextBaseFee } from "./base-fee.ts";
import { quantity } from "../basics/quantity.ts";

const gwei = 10n ** 9n;

function next(baseFee: bigint, gasUsed: bigint, gasLimit = 30_000_000n): bigint {
  const fee = computeNextBaseFee({
    baseFeePerGas: quantity(baseFee),
    gasUsed: quantity(gasUsed),
    gasLimit: quantity(gasLimit),
  });
  return BigInt(fee ?? -1);
}

describe("the next base fee (EIP-1559)", () => {
  it("stays where the block used half of its gas", () => {
    expect(next(7n * gwei, 15_000_000n)).toBe(7n * gwei);
  });

  it("rises by an eighth after a full block and falls by an eighth after an empty one", () => {
    expect(next(8n * gwei, 30_000_000n)).toBe(9n * gwei);
    expect(next(8n * gwei, 0n)).toBe(7n * gwei);
  });

  it("rises by at least one wei, and never falls below zero", () => {
    expect(next(0n, 30_000_000n)).toBe(1n);
    expect(next(7n, 15_000_001n)).toBe(8n);
    expect(next(0n, 0n)).toBe(0n);
  });

  it("never moves by more than an eighth", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 8n, max: 10n ** 15n }), fc.bigInt({ min: 0n, max: 30_000_000n }), (fee, used) => {
        const following = next(fee, used);
        expect(following <= fee + fee / 8n && following >= fee - fee / 8n).toBe(true);
      }),
    );
  });

  it("is unknown before London", () => {
    expect(computeNextBaseFee({ gasUsed: "0x1", gasLimit: "0x2" })).toBeNull();
  });
});
