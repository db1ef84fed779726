import { secp256k1 } from "@noble/curves/secp256k1.js";
import { ByteWriter } from "./byte-writer.ts";
import { doubleSha256 } from "./hash.ts";

/** Stands before each message that is signed, so that no signature of a message is one of a transaction. */
const messageMagic = "Bitcoin Signed Message:\n";
/** One byte that says which key it is, and two numbers of 32 bytes. */
const signatureLength = 65;
/** The least value of the first byte; the three lowest bits of what is above it count. */
const headerBase = 27;
const recoveryMask = 3;
const compressionFlag = 4;

/**
 * The public key that signed a message, in 33 bytes or in 65, as the signature says; `undefined` when the bytes are the signature of
 * nobody. Like Bitcoin Core's, it takes any first byte and looks at three bits of it.
 */
export function recoverMessageKey(message: string, signature: Uint8Array): Uint8Array | undefined {
  if (signature.length !== signatureLength) return undefined;
  const header = ((signature[0] ?? 0) - headerBase) & 0xff;
  try {
    const numbers = secp256k1.Signature.fromBytes(signature.subarray(1), "compact");
    const point = numbers.addRecoveryBit(header & recoveryMask).recoverPublicKey(messageHash(message));
    return point.toBytes((header & compressionFlag) !== 0);
  } catch {
    // A number that is 0 or above the curve's order, or an x of no point.
    return undefined;
  }
}

function messageHash(message: string): Uint8Array {
  const writer = new ByteWriter();
  writer.writeVariableBytes(Buffer.from(messageMagic));
  writer.writeVariableBytes(Buffer.from(message));
  return doubleSha256(writer.finish());
}
