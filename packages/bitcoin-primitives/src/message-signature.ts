import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ByteWriter } from "./byte-writer.ts";
import { doubleSha256 } from "./hash.ts";

/** Prefix of each signed message, so that no signature of a message is one of a transaction. */
const messageMagic = "Bitcoin Signed Message:\n";
/** Length of a signature: one byte that identifies the key, and two numbers of 32 bytes. */
const signatureLength = 65;
/** Minimum of the first byte; the three lowest bits of the difference count. */
const headerBase = 27;
const recoveryMask = 3;
const compressionFlag = 4;

/**
 * Returns the public key that signed a message, in 33 bytes or in 65, as the signature indicates; `undefined` when the signature is
 * invalid. Like Bitcoin Core's, it accepts any first byte and reads three bits of it.
 */
export function recoverMessageKey(message: string, signature: Uint8Array): Uint8Array | undefined {
  if (signature.length !== signatureLength) return undefined;
  const header = ((signature[0] ?? 0) - headerBase) & 0xff;
  try {
    const numbers = secp256k1.Signature.fromBytes(signature.subarray(1), "compact");
    const point = numbers.addRecoveryBit(header & recoveryMask).recoverPublicKey(messageHash(message));
    return point.toBytes((header & compressionFlag) !== 0);
  } catch {
    // A number that is 0 or above the curve's order, or an x without a point.
    return undefined;
  }
}

function messageHash(message: string): Uint8Array {
  const writer = new ByteWriter();
  writer.writeVariableBytes(Buffer.from(messageMagic));
  writer.writeVariableBytes(Buffer.from(message));
  return doubleSha256(writer.finish());
}
