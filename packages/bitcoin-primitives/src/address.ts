import { base58, bech32, bech32m } from "@scure/base";
import { base58Text, segwitAddressText } from "./address-text.ts";
import { concatBytes, equalBytes } from "./bytes.ts";
import { doubleSha256 } from "./hash.ts";
import { type Network, networks } from "./network.ts";
import { opcodes } from "./opcode.ts";
import { publicKeyHashOf, scriptHashOf, type WitnessProgram, witnessProgramOf } from "./script-type.ts";

/** Reason why a text is not an address. */
export type AddressProblem =
  /** Neither base58 nor bech32, or of an impossible length. */
  | "malformed"
  | "bad-checksum"
  /** A base58 address whose first byte belongs to no network. */
  | "unknown-prefix"
  /** A base58 address whose bytes are not those of a prefix and a hash. */
  | "bad-length"
  /** BIP 173: a witness program whose human-readable part belongs to no network. */
  | "unknown-human-readable-part"
  /** BIP 173 and BIP 350: not a witness program, or in the wrong one of the two encodings. */
  | "bad-witness-program";

/** Result of parsing an address. */
export type AddressResult =
  | { readonly kind: "script"; readonly scriptPubKey: Uint8Array }
  /** A valid address of another network. */
  | { readonly kind: "wrong-network" }
  | { readonly kind: "invalid"; readonly problem: AddressProblem };

/** Maximum length of bech32 text (BIP 173). Base58 addresses are shorter still, so longer text is not even decoded. */
const maximumAddressLength = 90;
const checksumLength = 4;
/** Length in bytes. */
const hashLength = 20;
/** Pattern of BIP 173: all lower case or all upper case, and at least the six characters of the checksum. */
const bech32Pattern = /^(?:[!-@[-~]+1[02-9ac-hj-np-z]{6,}|[!-`{-~]+1[02-9AC-HJ-NP-Z]{6,})$/;

/** Human-readable parts of all networks. */
const segwitPrefixes: ReadonlySet<string> = new Set(Object.values(networks).map((network) => network.segwitPrefix));

/**
 * Returns the address that pays to a scriptPubKey on a network; `undefined` when there is none, as for P2PK, bare multisig and OP_RETURN.
 *
 * Witness programs of versions without a meaning yet have an address too; a program of version 0 must be 20 or 32 bytes.
 */
export function addressOfScript(scriptPubKey: Uint8Array, network: Network): string | undefined {
  const publicKeyHash = publicKeyHashOf(scriptPubKey);
  if (publicKeyHash !== undefined) return base58Address(network.publicKeyHashPrefix, publicKeyHash);
  const scriptHash = scriptHashOf(scriptPubKey);
  if (scriptHash !== undefined) return base58Address(network.scriptHashPrefix, scriptHash);
  const witness = witnessProgramOf(scriptPubKey);
  if (witness === undefined || !isKnownForm(witness)) return undefined;
  return segwitAddress(witness, network);
}

/** Returns the scriptPubKey of an address of a network. */
export function scriptOfAddress(text: string, network: Network): AddressResult {
  if (text.length > maximumAddressLength) return { kind: "invalid", problem: "malformed" };
  const witness = readSegwitAddress(text);
  if (typeof witness === "object") return scriptOfWitnessProgram(witness, network);
  const result = scriptOfBase58Address(text, network);
  const isBase58 = result.kind !== "invalid" || (result.problem !== "malformed" && result.problem !== "bad-checksum");
  const prefix = text.slice(0, Math.max(text.lastIndexOf("1"), 0)).toLowerCase();
  // Base58 text of other kinds may begin with a human-readable part of a network and a 1.
  return !isBase58 && segwitPrefixes.has(prefix) ? { kind: "invalid", problem: witness } : result;
}

function base58Address(prefix: number, hash: Uint8Array): string {
  const content = concatBytes(Uint8Array.of(prefix), hash);
  return base58Text(concatBytes(content, doubleSha256(content).subarray(0, checksumLength)));
}

function scriptOfBase58Address(text: string, network: Network): AddressResult {
  const bytes = decodeBase58(text);
  if (bytes === undefined || bytes.length < checksumLength) return { kind: "invalid", problem: "malformed" };
  const content = bytes.subarray(0, -checksumLength);
  const checksum = bytes.subarray(-checksumLength);
  if (!equalBytes(doubleSha256(content).subarray(0, checksumLength), checksum)) {
    return { kind: "invalid", problem: "bad-checksum" };
  }
  if (content.length !== 1 + hashLength) return { kind: "invalid", problem: "bad-length" };
  const prefix = content[0];
  const hash = content.subarray(1);
  const isPublicKeyHash = prefix === network.publicKeyHashPrefix;
  const isOurs = isPublicKeyHash || prefix === network.scriptHashPrefix;
  if (!isOurs && !isPrefixOfSomeNetwork(prefix)) return { kind: "invalid", problem: "unknown-prefix" };
  if (!isOurs) return { kind: "wrong-network" };
  return { kind: "script", scriptPubKey: isPublicKeyHash ? publicKeyHashScript(hash) : scriptHashScript(hash) };
}

function decodeBase58(text: string): Uint8Array | undefined {
  try {
    return base58.decode(text);
  } catch {
    return undefined;
  }
}

function isPrefixOfSomeNetwork(prefix: number | undefined): boolean {
  return Object.values(networks).some(
    (network) => prefix === network.publicKeyHashPrefix || prefix === network.scriptHashPrefix,
  );
}

function publicKeyHashScript(hash: Uint8Array): Uint8Array {
  return concatBytes(
    Uint8Array.of(opcodes.OP_DUP, opcodes.OP_HASH160, hash.length),
    hash,
    Uint8Array.of(opcodes.OP_EQUALVERIFY, opcodes.OP_CHECKSIG),
  );
}

function scriptHashScript(hash: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(opcodes.OP_HASH160, hash.length), hash, Uint8Array.of(opcodes.OP_EQUAL));
}

function segwitAddress({ version, program }: WitnessProgram, network: Network): string {
  return segwitAddressText(network.segwitPrefix, version, program);
}

function scriptOfWitnessProgram({ prefix, version, program }: SegwitAddress, network: Network): AddressResult {
  if (!segwitPrefixes.has(prefix)) return { kind: "invalid", problem: "unknown-human-readable-part" };
  if (prefix !== network.segwitPrefix) return { kind: "wrong-network" };
  const opcode = version === 0 ? opcodes.OP_0 : opcodes.OP_RESERVED + version;
  return { kind: "script", scriptPubKey: concatBytes(Uint8Array.of(opcode, program.length), program) };
}

/** A witness program and the human-readable part before it, of any chain. */
type SegwitAddress = WitnessProgram & { readonly prefix: string };

/** Returns the witness program, or why the text has none. */
function readSegwitAddress(text: string): SegwitAddress | AddressProblem {
  if (!bech32Pattern.test(text)) return "malformed";
  const plain = bech32.decodeUnsafe(text);
  const decoded = plain ?? bech32m.decodeUnsafe(text);
  if (!decoded) return "bad-checksum";
  const { prefix } = decoded;
  const [version = 0, ...words] = decoded.words;
  const program = bech32.fromWordsUnsafe(words);
  const isRightEncoding = (version === 0) === (plain !== undefined);
  if (version > 16 || !program || !isRightEncoding || !isKnownForm({ version, program })) return "bad-witness-program";
  return { prefix, version, program };
}

/** Returns whether a program has a known form. BIP 141: 2 to 40 bytes, and for version 0 the hash of a public key or of a script. */
function isKnownForm({ version, program }: WitnessProgram): boolean {
  if (version === 0) return program.length === hashLength || program.length === 32;
  return program.length >= 2 && program.length <= 40;
}
