import { hexOf, integerBytesOf, keccakOf, type RlpValue, serializeRlp } from "./rlp.ts";
import { quantity } from "../basics/quantity.ts";

interface Entry {
  /** Nibbles of the key: two for each byte. */
  readonly nibbles: readonly number[];
  readonly value: Uint8Array;
}

/**
 * Returns the root of the trie of a block's list, which its header contains: transactions, receipts or withdrawals, each in its encoding
 * (yellow paper, sections 4.3 and D). Keys are the positions in RLP, none of which begins another.
 */
export function listRoot(values: readonly Uint8Array[]): string {
  const entries = values.map((value, position) => ({ nibbles: nibblesOf(keyOf(position)), value }));
  return hexOf(keccakOf(serializeRlp(entries.length === 0 ? new Uint8Array() : nodeOf(entries, 0))));
}

/** Returns the node above all entries, after the first `depth` nibbles of their keys. */
function nodeOf(entries: readonly Entry[], depth: number): RlpValue {
  const [first] = entries;
  if (first === undefined) throw new Error("Expected an entry below each node");
  if (entries.length === 1) return [pathOf(first.nibbles.slice(depth), 2), first.value];
  const shared = sharedDepth(entries, first.nibbles, depth);
  if (shared > depth) return [pathOf(first.nibbles.slice(depth, shared), 0), referenceTo(nodeOf(entries, shared))];
  const branches: Entry[][] = Array.from({ length: 16 }, () => []);
  for (const entry of entries) branches[entry.nibbles[depth] ?? 0]?.push(entry);
  const references = branches.map((below) => (below.length === 0 ? nothing : referenceTo(nodeOf(below, depth + 1))));
  return [...references, nothing];
}

/** Returns the length of the common prefix of all keys. */
function sharedDepth(entries: readonly Entry[], nibbles: readonly number[], depth: number): number {
  let shared = depth;
  while (shared < nibbles.length && entries.every((entry) => entry.nibbles[shared] === nibbles[shared])) shared += 1;
  return shared;
}

/** Returns the reference to a node. One of less than 32 bytes is embedded in its parent. */
function referenceTo(node: RlpValue): RlpValue {
  const encoded = serializeRlp(node);
  return encoded.length < 32 ? { encoded } : keccakOf(encoded);
}

/** Returns the hex-prefix encoding (section C): the flag is 2 for a leaf, and one more when the count of nibbles is odd. */
function pathOf(nibbles: readonly number[], flag: number): Uint8Array {
  const padded = nibbles.length % 2 === 0 ? [flag, 0, ...nibbles] : [flag + 1, ...nibbles];
  return Uint8Array.from(
    { length: padded.length / 2 },
    (_, at) => (padded[2 * at] ?? 0) * 16 + (padded[2 * at + 1] ?? 0),
  );
}

function nibblesOf(bytes: Uint8Array): readonly number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
}

function keyOf(position: number): Uint8Array {
  return serializeRlp(integerBytesOf(quantity(position)));
}

const nothing = new Uint8Array();
