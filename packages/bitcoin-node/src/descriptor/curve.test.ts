import { createECDH, ECDH } from "node:crypto";
import { fromHex } from "@nodewright/bitcoin-primitives";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOnCurve } from "./curve.ts";

/** Another implementation: OpenSSL accepts a compressed key exactly when its x is that of a point. */
function opensslTakes(coordinate: Uint8Array): boolean {
  try {
    ECDH.convertKey(Buffer.concat([Buffer.of(2), coordinate]), "secp256k1");
    return true;
  } catch {
    return false;
  }
}

describe("isOnCurve", () => {
  it("knows the x of each public key", () => {
    for (let round = 0; round < 20; round += 1) {
      const key = createECDH("secp256k1");
      key.generateKeys();
      expect(isOnCurve(key.getPublicKey().subarray(1, 33))).toBe(true);
    }
  });

  it("agrees with OpenSSL on any 32 bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32, size: "max" }), (coordinate) => {
        expect(isOnCurve(coordinate)).toBe(opensslTakes(coordinate));
      }),
    );
  });

  it.each([
    ["0", "00".repeat(32)],
    ["the prime itself", "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f"],
    ["more than the prime", "ff".repeat(32)],
    ["an x of BIP 340's vectors without a point", "eefdea4cdb677750a420fee807eacf21eb9898ae79b9768766e4faa04a2d4a34"],
  ])("refuses %s", (_what, hex) => {
    expect(isOnCurve(fromHex(hex) ?? expect.unreachable(hex))).toBe(false);
  });
});
