import { canonicalText, isEqualJson, isNear, sumOf } from "@nodewright/api-model";
import {
  displayHash,
  doubleSha256,
  fromHex,
  isMalformedBytesError,
  merkleRoot,
  parseTransaction,
  sha256,
  toHex,
  wireHash,
} from "@nodewright/bitcoin-primitives/transactions";
import { differences } from "../compare/differences.ts";
import { keccak_256 } from "@noble/hashes/sha3.js";

/** A function for expressions; it returns undefined for arguments of other types. */
export type RelationFunction = (...values: readonly unknown[]) => unknown;

/**
 * Functions for expressions by name, next to JSONata's own functions and `$call`:
 *
 * - `$sha256(hex)`, `$keccak256(hex)`: hash of the bytes; the latter in hexadecimal with the prefix `0x`;
 * - `$doubleSha256(hex)`: in the byte order in which Bitcoin displays hashes; `$bitcoinTransactionId(hex)`: without witnesses;
 * - `$reverseHex(hex)`: the bytes in reverse order; `$hexToNumber("0x1b")`: beyond 2^53 - 1 an integer that can only be compared;
 * - `$merkleRoot(ids)`: Merkle root of transactions, as Bitcoin displays it;
 * - `$sumOf(list)`: exact, in decimal arithmetic; `$near(a, b)`: equal to eight decimal places;
 * - `$isAscending(list)`, `$isDescending(list)`: of numbers or strings; adjacent values may be equal;
 * - `$isSame(a, b)`: equal in any order of members; `$isSameSet(a, b)`: lists with the same elements in any order;
 * - `$agree(a, b)`: whether `b` has all that `a` has, except for volatile members;
 * - `$overlap(a, b)`: number of common elements as a fraction of the longer list, 1 for two empty lists;
 * - `$has(list, value)`: whether a list contains a value.
 */
export const relationFunctions: Readonly<Record<string, RelationFunction>> = {
  sha256: ofBytes((bytes) => toHex(sha256(bytes))),
  doubleSha256: ofBytes(shownDoubleSha256),
  keccak256: ofBytes(keccak256),
  bitcoinTransactionId: ofBytes(bitcoinTransactionId),
  reverseHex: ofBytes((bytes) => toHex(bytes.toReversed())),
  merkleRoot: (list) => shownMerkleRoot(listOf(list)),
  hexToNumber: (hex) => numberOfHex(hex),
  sumOf: (list) => sumOf(listOf(list)),
  near: ofBoth(isNear),
  isAscending: (list) => isOrdered(listOf(list)),
  isDescending: (list) => isOrdered(listOf(list).toReversed()),
  isSame: ofBoth(isEqualJson),
  isSameSet: ofBoth(isSameSet),
  agree: ofBoth((left, right) => differences(undefined, left, right, {}).length === 0),
  overlap: (left, right) => overlap(listOf(left), listOf(right)),
  has: (list, value) => (value === undefined ? undefined : listOf(list).some((one) => isEqualJson(one, value))),
};

function ofBytes(make: (bytes: Uint8Array) => string | undefined): RelationFunction {
  return (hex) => {
    const bytes = bytesOfHex(hex);
    return bytes && make(bytes);
  };
}

/** Returns a function whose result is undefined where one of two values is missing. */
function ofBoth(compare: (left: unknown, right: unknown) => boolean | undefined): RelationFunction {
  return (left, right) => (left === undefined || right === undefined ? undefined : compare(left, right));
}

function numberOfHex(hex: unknown): number | bigint | undefined {
  if (typeof hex !== "string" || !/^(?:0x)?[0-9a-fA-F]+$/.test(hex)) return undefined;
  const number = BigInt(hex.startsWith("0x") ? hex : `0x${hex}`);
  return number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : number;
}

/** Returns a value as a list: JSONata replaces a list of one element by the element, and an empty one by undefined. */
function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

function isOrdered(list: readonly unknown[]): boolean | undefined {
  let isInOrder = true;
  for (const [index, right] of list.entries()) {
    if (typeof right !== "number" && typeof right !== "bigint" && typeof right !== "string") return undefined;
    const left = index === 0 ? right : (list[index - 1] as typeof right);
    if ((typeof left === "string") !== (typeof right === "string")) return undefined;
    if (left > right) isInOrder = false;
  }
  return isInOrder;
}

function isSameSet(left: unknown, right: unknown): boolean {
  const [first, second] = [left, right].map((list) => listOf(list).map(canonicalText).toSorted());
  return isEqualJson(first, second);
}

function overlap(left: readonly unknown[], right: readonly unknown[]): number {
  const [first, second] = [left, right].map((list) => new Set(list.map(canonicalText)));
  const longest = Math.max(first?.size ?? 0, second?.size ?? 0);
  const shared = [...(first ?? [])].filter((text) => second?.has(text)).length;
  return longest === 0 ? 1 : shared / longest;
}

/** Returns the bytes of a hexadecimal string, with or without `0x`; undefined for invalid strings. */
function bytesOfHex(text: unknown): Uint8Array | undefined {
  return typeof text === "string" ? fromHex(text.startsWith("0x") ? text.slice(2) : text) : undefined;
}

/** Returns the double SHA-256 as Bitcoin displays hashes: in reverse byte order. */
function shownDoubleSha256(bytes: Uint8Array): string {
  return displayHash(doubleSha256(bytes));
}

/** Returns the Keccak-256 of Ethereum, in hexadecimal with the prefix `0x`. */
function keccak256(bytes: Uint8Array): string {
  return `0x${Buffer.from(keccak_256(bytes)).toString("hex")}`;
}

/** Returns the txid of a serialized Bitcoin transaction, which excludes witnesses; undefined for bytes that are not a transaction. */
function bitcoinTransactionId(bytes: Uint8Array): string | undefined {
  try {
    return displayHash(parseTransaction(bytes).txid);
  } catch (reason) {
    if (isMalformedBytesError(reason)) return undefined;
    throw reason;
  }
}

/** Returns the Merkle root of transaction ids as Bitcoin displays it; undefined for an empty list and for invalid ids. */
function shownMerkleRoot(ids: readonly unknown[]): string | undefined {
  const hashes = ids.flatMap((id) => (typeof id === "string" ? (wireHash(id.replace(/^0x/, "")) ?? []) : []));
  return hashes.length > 0 && hashes.length === ids.length ? displayHash(merkleRoot(hashes)) : undefined;
}
