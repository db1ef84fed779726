import {
  addressOfScript,
  type Bech32Problem,
  doubleSha256,
  equalBytes,
  locateBech32Errors,
  type Network,
  scriptOfAddress,
} from "@nodewright/bitcoin-primitives";
import { base58, bech32, bech32m } from "@scure/base";

/** Result of reading text that should be an address of a network, in Bitcoin Core's words. */
export type AddressReading =
  | { readonly kind: "address"; readonly address: string; readonly scriptPubKey: Uint8Array }
  | {
      readonly kind: "problem";
      readonly message: string;
      /** Positions of the probably invalid bytes, from 0; only found in bech32. */
      readonly locations: readonly number[];
    };

const checksumLength = 4;
/** Bytes of prefix and hash. */
const base58ContentLength = 21;
/** Maximum bytes of base58 that are decoded to distinguish an invalid checksum from text that is not base58. */
const maximumBase58Bytes = 100;
/** Maximum length of base58 text: 58^137 is the first power above 256^100. */
const maximumBase58TextLength = 137;

/** Reads an address; white space around base58 is skipped, as in Bitcoin Core. */
export function readAddress(text: string, network: Network): AddressReading {
  const isSegwit = text.slice(0, network.segwitPrefix.length).toLowerCase() === network.segwitPrefix;
  const result = scriptOfAddress(isSegwit ? text : withoutSpace(text), network);
  if (result.kind === "script") {
    const { scriptPubKey } = result;
    const address = addressOfScript(scriptPubKey, network);
    if (address === undefined) throw new Error("The script of an address has no address");
    return { kind: "address", address, scriptPubKey };
  }
  return isSegwit ? segwitProblem(text, network) : problemOf(base58Message(withoutSpace(text), network));
}

function problemOf(message: string, locations: readonly number[] = []): AddressReading {
  return { kind: "problem", message, locations };
}

/** Removes the characters that are white space in C. */
function withoutSpace(text: string): string {
  return text.replace(/^[ \f\n\r\t\v]+/, "").replace(/[ \f\n\r\t\v]+$/, "");
}

function base58Message(text: string, network: Network): string {
  const bytes = text.length > maximumBase58TextLength ? undefined : decodedBase58(text);
  if (bytes === undefined || bytes.length > maximumBase58Bytes) {
    return "Invalid or unsupported Segwit (Bech32) or Base58 encoding.";
  }
  const content = bytes.subarray(0, Math.max(bytes.length - checksumLength, 0));
  const checksum = bytes.subarray(content.length);
  const isChecked = equalBytes(doubleSha256(content).subarray(0, checksumLength), checksum);
  if (!isChecked || content.length > base58ContentLength) {
    return "Invalid checksum or length of Base58 address (P2PKH or P2SH)";
  }
  const [prefix] = content;
  return prefix === network.publicKeyHashPrefix || prefix === network.scriptHashPrefix
    ? "Invalid length for Base58 address (P2PKH or P2SH)"
    : "Invalid or unsupported Base58-encoded address.";
}

function decodedBase58(text: string): Uint8Array | undefined {
  try {
    return base58.decode(text);
  } catch {
    return undefined;
  }
}

function segwitProblem(text: string, network: Network): AddressReading {
  const located = locateBech32Errors(text);
  if (located !== undefined) return problemOf(bech32Message(located.problem), located.locations);
  const plain = bech32.decodeUnsafe(text);
  const decoded = plain ?? bech32m.decodeUnsafe(text);
  if (!decoded) return problemOf("Invalid checksum");
  const [version, ...words] = decoded.words;
  if (version === undefined) return problemOf("Empty Bech32 data section");
  if (decoded.prefix !== network.segwitPrefix) {
    const prefixes = `expected ${network.segwitPrefix}, got ${decoded.prefix}`;
    return problemOf(`Invalid or unsupported prefix for Segwit (Bech32) address (${prefixes}).`);
  }
  if (version === 0 && plain === undefined) return problemOf("Version 0 witness address must use Bech32 checksum");
  if (version !== 0 && plain !== undefined) return problemOf("Version 1+ witness address must use Bech32m checksum");
  return problemOf(programMessage(version, bech32.fromWordsUnsafe(words) ?? undefined));
}

function programMessage(version: number, program: Uint8Array | undefined): string {
  if (program === undefined) return "Invalid padding in Bech32 data section";
  const size = `${program.length} ${program.length === 1 ? "byte" : "bytes"}`;
  if (version === 0) return `Invalid Bech32 v0 address program size (${size}), per BIP141`;
  return version > 16 ? "Invalid Bech32 address witness version" : `Invalid Bech32 address program size (${size})`;
}

function bech32Message(problem: Bech32Problem): string {
  switch (problem.kind) {
    case "too-long":
      return "Bech32 string too long";
    case "invalid-character":
      return "Invalid character or mixed case";
    case "missing-separator":
      return "Missing separator";
    case "separator-position":
      return "Invalid separator position";
    case "invalid-digit":
      return "Invalid Base 32 character";
    case "checksum":
      return { bech32: "Invalid Bech32 checksum", bech32m: "Invalid Bech32m checksum", unknown: "Invalid checksum" }[
        problem.encoding ?? "unknown"
      ];
  }
}
