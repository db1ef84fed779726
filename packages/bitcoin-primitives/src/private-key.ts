import { secp256k1 } from "@noble/curves/secp256k1.js";
import { base58 } from "@scure/base";
import { concatBytes, equalBytes } from "./bytes.ts";
import { doubleSha256 } from "./hash.ts";
import type { Network } from "./network.ts";

/** A private key in the form that wallets export. */
export interface PrivateKey {
  /** Private key, 32 bytes. */
  readonly secret: Uint8Array;
  /** Whether the public key is used in its form of 33 bytes. */
  readonly compressed: boolean;
}

const checksumLength = 4;
const secretLength = 32;
/** Maximum length of text: prefix, secret, compression flag, checksum in 52 characters. */
const maximumTextLength = 52;
/** Byte after the secret of a key that is used in its compressed form. */
const compressionFlag = 1;

/** Parses the wallet import format of a network; `undefined` for any other text, including a key of another network. */
export function parsePrivateKey(text: string, network: Network): PrivateKey | undefined {
  const content = contentWithValidChecksum(text);
  if (content === undefined || content[0] !== network.privateKeyPrefix) return undefined;
  const secret = content.subarray(1, 1 + secretLength);
  const rest = content.subarray(1 + secretLength);
  const compressed = rest.length === 1 && rest[0] === compressionFlag;
  if (!compressed && rest.length > 0) return undefined;
  return secp256k1.utils.isValidSecretKey(secret) ? { secret, compressed } : undefined;
}

/** Writes the wallet import format. */
export function encodePrivateKey({ secret, compressed }: PrivateKey, network: Network): string {
  const mark = compressed ? Uint8Array.of(compressionFlag) : new Uint8Array();
  const content = concatBytes(Uint8Array.of(network.privateKeyPrefix), secret, mark);
  return base58.encode(concatBytes(content, doubleSha256(content).subarray(0, checksumLength)));
}

/** Returns the bytes before a valid checksum. */
function contentWithValidChecksum(text: string): Uint8Array | undefined {
  if (text.length > maximumTextLength) return undefined;
  try {
    const bytes = base58.decode(text);
    const content = bytes.subarray(0, -checksumLength);
    const checksum = doubleSha256(content).subarray(0, checksumLength);
    return equalBytes(checksum, bytes.subarray(-checksumLength)) ? content : undefined;
  } catch {
    return undefined;
  }
}
