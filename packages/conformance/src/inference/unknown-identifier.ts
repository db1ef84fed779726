import { armsOf, kindsIn } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import { hexadecimalText } from "../live/leaves.ts";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { isValueOf, type RandomSource, randomValueOf } from "@nodewright/api-values";
import type { Parameter } from "./list-roles.ts";

/** An identifier that presumably no object has. */
export interface UnknownIdentifier {
  readonly value: unknown;
  /** Whether it is well-formed, so that a server can only report that it does not exist. */
  readonly isCertain: boolean;
  /** Whether it was drawn from few, and may exist by chance. */
  readonly mayExist?: boolean;
}

const uuidText = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** A number in hexadecimal, as Ethereum serializes it. */
const quantityText = /^0x(?:0|[1-9a-f][0-9a-f]{0,14})$/i;

/** Names of values that exist as soon as they are used, or that contain a checksum. */
const alwaysThere = /address|account|wallet|scripthash|xpub|pubkey/;

/** Numbers that hardly any object has, and that types may still allow. */
const greatNumbers = [987_654_321, 2_147_480_011, 99_999_999, 9_999_991, 999_983, 9_973];
/** Number below which counters are likely to get. */
const reached = 100_000;
/** Length of strings, in UTF-16 code units, from which a random one is practically unique. */
const rareLength = 12;
/** Maximum number of random strings to try. */
const mostTries = 5;

/**
 * Generates an identifier of the form of a known one that no object is expected to have; undefined where that is impossible, as for
 * enumerations and short numbers.
 */
export function unknownIdentifier(
  { name, type }: Parameter,
  good: unknown,
  known: readonly unknown[],
  types: SuiteTypes,
  random: RandomSource,
): UnknownIdentifier | undefined {
  const arms = armsOf(type, types);
  const kinds = kindsIn(type, types);
  if (kinds.has("enumeration") || kinds.has("boolean") || kinds.has("list")) return undefined;
  const taken = new Set([good, ...known].map(String));
  const plain = plainName(name);
  const isCertain = !alwaysThere.test(plain);
  const isFree = (value: unknown): boolean => !taken.has(String(value)) && isValueOf(type, value, types, "request");
  const ofForm = (value: unknown): UnknownIdentifier | undefined => (isFree(value) ? { value, isCertain } : undefined);
  if (typeof good === "number" || kinds.has("number")) {
    const value = greatNumbers.find(isFree);
    return value === undefined || value < reached ? undefined : { value, isCertain };
  }
  const text = typeof good === "string" ? good : "";
  const hasNone = text === "";
  const format = arms.find((arm) => arm.kind === "string")?.format;
  if (hasNone ? format === "uuid" : uuidText.test(text)) return ofForm(uuidOf(random));
  if (quantityText.test(text)) return ofForm("0x7ffffff0");
  if (/^\d+$/.test(text) && isFree("2147480011")) return ofForm("2147480011");
  const isHash = hasNone && /hash|txid|digest/.test(plain) && isFree(hexOf(64, random));
  if (isHash || hexadecimalText.test(text)) {
    const prefix = text.startsWith("0x") ? "0x" : "";
    return ofForm(`${prefix}${hexOf(hasNone ? 64 : text.length - prefix.length, random)}`);
  }
  const word = `no-such-${hexOf(8, random)}`;
  // A pattern that allows words implies no checksum; free strings may have any rule.
  const isWordly = arms.every((arm) => arm.kind === "string" && arm.pattern !== undefined);
  if (isFree(word)) return { value: word, isCertain: isWordly && isCertain };
  const [numbered, longer] = ["987654321", "9876543219876"].map((digits) => text.replace(/\d+$/, digits));
  // Numbers of any length have no check digit.
  if (numbered !== text && isFree(numbered)) return { value: numbered, isCertain: isCertain && isFree(longer) };
  const made = Array.from({ length: mostTries }, () => randomValueOf(type, types, random)).find(
    (value) => typeof value === "string" && value.length >= 3 && /^[\w.~-]+$/.test(value) && isFree(value),
  );
  return made === undefined ? undefined : { value: made, isCertain: false, mayExist: String(made).length < rareLength };
}

function hexOf(length: number, random: RandomSource): string {
  // Not all zeros at the front, which looks like proof of work, nor at the back, which looks like a null hash.
  return Array.from({ length }, () => random.integer(0, 15).toString(16)).join("");
}

function uuidOf(random: RandomSource): string {
  return `${hexOf(8, random)}-${hexOf(4, random)}-4${hexOf(3, random)}-8${hexOf(3, random)}-${hexOf(12, random)}`;
}
