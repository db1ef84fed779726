import { secp256k1 } from "@noble/curves/secp256k1.js";
import { concatBytes, equalBytes, toHex } from "./bytes.ts";
import { taggedHash } from "./hash.ts";

/**
 * Aggregates public keys of 33 bytes into one, for which their owners sign together (BIP 327, KeyAgg). The order counts.
 *
 * Returns 33 bytes, or `undefined` where a key is invalid or the keys cancel each other out.
 */
export function aggregateKeys(publicKeys: readonly Uint8Array[]): Uint8Array | undefined {
  const { Point } = secp256k1;
  const listHash = taggedHash("KeyAgg list", concatBytes(...publicKeys));
  // BIP 327: keys that equal the second distinct one are added unchanged.
  const second = publicKeys.find((key) => !equalBytes(key, publicKeys[0] ?? key));
  try {
    const sum = publicKeys.reduce((total, key) => {
      const point = Point.fromBytes(key);
      if (second !== undefined && equalBytes(key, second)) return total.add(point);
      const hash = taggedHash("KeyAgg coefficient", concatBytes(listHash, key));
      const coefficient = BigInt(`0x${toHex(hash)}`) % Point.CURVE().n;
      return total.add(point.multiplyUnsafe(coefficient));
    }, Point.ZERO);
    return sum.is0() ? undefined : sum.toBytes(true);
  } catch {
    return undefined;
  }
}
