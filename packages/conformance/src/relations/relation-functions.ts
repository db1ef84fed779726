import { canonicalText, isEqualJson, isNear, sumOf } from "@nodewright/api-model";
import { sha256, toHex } from "@nodewright/bitcoin-primitives/transactions";
import { differences } from "../compare/differences.ts";
import { bitcoinTransactionId, bytesOfHex, keccak256, shownDoubleSha256, shownMerkleRoot } from "./hashes.ts";

/** A function of the expressions; one that is given what it can't take answers nothing. */
export type RelationFunction = (...values: readonly unknown[]) => unknown;

/**
 * What expressions may call besides JSONata's own functions and `$call`, by name:
 *
 * - `$sha256(hex)`, `$keccak256(hex)`: of the bytes; the latter in hex behind `0x`;
 * - `$doubleSha256(hex)`: in the order in which Bitcoin shows hashes; `$bitcoinTransactionId(hex)`: without witnesses;
 * - `$reverseHex(hex)`: the last byte first; `$hexToNumber("0x1b")`: beyond 2^53 - 1 a whole number that only compares;
 * - `$merkleRoot(ids)`: of transactions, as Bitcoin shows it;
 * - `$sumOf(list)`: exact, in decimal arithmetic; `$near(a, b)`: equal to eight digits behind the point;
 * - `$isAscending(list)`, `$isDescending(list)`: of numbers or texts, equal neighbours allowed;
 * - `$isSame(a, b)`: equal whatever the order of members; `$isSameSet(a, b)`: lists with the same elements in any order;
 * - `$agree(a, b)`: whether `b` has all that `a` has, but for members that change by themselves;
 * - `$overlap(a, b)`: the share of the elements of the longer list that stand in both, 1 for two empty ones;
 * - `$has(list, value)`: whether a list holds a value.
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

/** A function that answers nothing where one of two values is missing. */
function ofBoth(compare: (left: unknown, right: unknown) => boolean | undefined): RelationFunction {
  return (left, right) => (left === undefined || right === undefined ? undefined : compare(left, right));
}

function numberOfHex(hex: unknown): number | bigint | undefined {
  if (typeof hex !== "string" || !/^(?:0x)?[0-9a-fA-F]+$/.test(hex)) return undefined;
  const number = BigInt(hex.startsWith("0x") ? hex : `0x${hex}`);
  return number <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(number) : number;
}

/** JSONata takes a list of one element for the element, and an empty one for nothing. */
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
