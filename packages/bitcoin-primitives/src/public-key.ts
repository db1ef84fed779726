import { secp256k1 } from "@noble/curves/secp256k1.js";
import { concatBytes } from "./bytes.ts";

/** First byte of a compressed key whose y is even (SEC 1, section 2.3.3). */
const evenPrefix = 2;

/**
 * Returns whether bytes are a point of secp256k1, compressed (33 bytes) or not (65). The hybrid form, which no standard describes for
 * Bitcoin, is invalid.
 */
export function isPublicKey(bytes: Uint8Array): boolean {
  try {
    secp256k1.Point.fromBytes(bytes).assertValidity();
    return true;
  } catch {
    return false;
  }
}

/** Returns the key with the given x and even y, in 33 bytes (BIP 340). Whether there is such a point is not checked. */
export function liftedKey(xOnlyKey: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(evenPrefix), xOnlyKey);
}

/** Returns the public key of a private one, in 33 bytes or in 65. Throws for 32 bytes that are not a private key. */
export function publicKeyOfPrivateKey(
  privateKey: Uint8Array,
  { compressed }: { readonly compressed: boolean },
): Uint8Array {
  return secp256k1.getPublicKey(privateKey, compressed);
}
