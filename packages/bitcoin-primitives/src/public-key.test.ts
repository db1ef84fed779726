import { describe, expect, test } from "vitest";
import { fromHex, isPublicKey, liftedKey, publicKeyOfPrivateKey, toHex } from "./index.ts";

/** The generator of secp256k1 (SEC 2, section 2.4.1), which is the public key of 1. */
const x = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798";
const y = "483ada7726a3c4655da4fbfc0e1108a8fd17b448a68554199c47d08ffb10d4b8";

function bytesOf(hex: string): Uint8Array {
  return fromHex(hex) ?? expect.unreachable(`${hex} is no hex`);
}

describe("isPublicKey", () => {
  test.each([
    ["an even y", `02${x}`, true],
    ["an odd y", `03${x}`, true],
    ["both coordinates", `04${x}${y}`, true],
    ["the hybrid form", `06${x}${y}`, false],
    ["x alone", x, false],
    ["another first byte", `05${x}`, false],
    ["an x of no point", `02${"00".repeat(31)}05`, false],
    ["an x above the field", `02${"ff".repeat(32)}`, false],
    ["another y", `04${x}${x}`, false],
    ["a byte too many", `02${x}00`, false],
    ["nothing", "", false],
  ])("of %s", (_, hex, expected) => {
    expect(isPublicKey(bytesOf(hex))).toBe(expected);
  });
});

test("a lifted key has the even y", () => {
  expect(toHex(liftedKey(bytesOf(x)))).toBe(`02${x}`);
});

describe("publicKeyOfPrivateKey", () => {
  const one = bytesOf("01".padStart(64, "0"));

  test("gives the point in either form", () => {
    expect(toHex(publicKeyOfPrivateKey(one, { compressed: true }))).toBe(`02${x}`);
    expect(toHex(publicKeyOfPrivateKey(one, { compressed: false }))).toBe(`04${x}${y}`);
  });

  test("throws for bytes that are no private key", () => {
    expect(() => publicKeyOfPrivateKey(new Uint8Array(32), { compressed: true })).toThrow();
  });
});
