import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ByteWriter } from "./byte-writer.ts";
import { concatBytes, toHex } from "./bytes.ts";
import { taggedHash } from "./hash.ts";
import { liftedKey } from "./public-key.ts";

/** Leaf version of tapscript (BIP 342). */
export const tapscriptVersion = 0xc0;

/** Returns the hash of a leaf of a script tree (BIP 341). */
export function tapLeafHash(script: Uint8Array): Uint8Array {
  const writer = new ByteWriter();
  writer.writeUint8(tapscriptVersion);
  writer.writeVariableBytes(script);
  return taggedHash("TapLeaf", writer.finish());
}

/** Returns the hash above two nodes of a script tree, which are sorted by their bytes (BIP 341). */
export function tapBranchHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const children = Buffer.compare(left, right) <= 0 ? [left, right] : [right, left];
  return taggedHash("TapBranch", concatBytes(...children));
}

/**
 * Returns the x of the output key that commits to a tree of scripts (BIP 341); without `merkleRoot`, to none. `undefined` where the
 * internal key is not a point, or for one of the 2^128 trees without a key.
 */
export function taprootOutputKey(internalKey: Uint8Array, merkleRoot?: Uint8Array): Uint8Array | undefined {
  const tweak = BigInt(`0x${toHex(taggedHash("TapTweak", concatBytes(internalKey, merkleRoot ?? new Uint8Array())))}`);
  try {
    // Rejects a tweak of zero, and one that is not below the order.
    const point = secp256k1.Point.fromBytes(liftedKey(internalKey)).add(secp256k1.Point.BASE.multiply(tweak));
    return point.toBytes(true).subarray(1);
  } catch {
    return undefined;
  }
}
