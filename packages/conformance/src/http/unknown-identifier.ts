import { hexadecimalText } from "../live/hexadecimal-text.ts";
import { armsOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteParameter } from "../suite/suite.ts";
import type { SuiteTypes } from "../suite/suite-type.ts";
import { randomValueOf } from "../types/random-value.ts";
import type { RandomSource } from "../types/random-source.ts";
import { isValueOf } from "../types/violations.ts";

/** An identifier that nothing has, as far as can be told. */
export interface UnknownIdentifier {
  readonly value: unknown;
  /** True: its form is all there is to it, so a server has nothing else to complain of. */
  readonly isCertain: boolean;
}

const uuidText = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Names of what exists as soon as it is asked for, or that a checksum is part of. */
const alwaysThere = /address|account|wallet|scripthash|xpub|pubkey/;

/**
 * Makes an identifier of the form of one that is known, so unlikely that nothing has it; undefined where that can't be: of listed
 * values, and short texts.
 */
export function unknownIdentifier(
  parameter: SuiteParameter,
  good: unknown,
  known: readonly unknown[],
  types: SuiteTypes,
  random: RandomSource,
): UnknownIdentifier | undefined {
  const arms = armsOf(parameter.type, types);
  if (arms.some(({ kind }) => kind === "enumeration" || kind === "boolean" || kind === "list")) return undefined;
  const taken = new Set(known.map(String));
  const isFree = (value: unknown): boolean =>
    value !== undefined && !taken.has(String(value)) && isValueOf(parameter.type, value, types, "request");
  const isOpen = alwaysThere.test(plainName(parameter.name));
  const isNumber = arms.some(({ kind }) => kind === "number");
  if (isNumber) {
    const value = [987_654_321, 2_147_480_011, 99_999_999, 9_999_991, 999_983, 9_973].find(isFree);
    return value === undefined || value < 100_000 ? undefined : { value, isCertain: !isOpen };
  }
  const text = typeof good === "string" ? good : undefined;
  const format = arms.find((arm) => arm.kind === "string")?.format;
  const uuid = text === undefined ? format === "uuid" : uuidText.test(text);
  if (uuid) {
    const value = uuidOf(random);
    return isFree(value) ? { value, isCertain: !isOpen } : undefined;
  }
  if (text !== undefined && hexadecimalText.test(text)) {
    const prefix = text.startsWith("0x") ? "0x" : "";
    const value = `${prefix}${hexOf(text.length - prefix.length, random)}`;
    return isFree(value) ? { value, isCertain: !isOpen } : undefined;
  }
  const isHash = /hash|txid|digest/.test(plainName(parameter.name)) && text === undefined && isFree(hexOf(64, random));
  if (isHash) return { value: hexOf(64, random), isCertain: true };
  const plain = `no-such-${hexOf(8, random)}`;
  // A pattern that takes words has no checksum behind it; free text may have any rule.
  const isWordly = arms.every((arm) => arm.kind === "string" && arm.pattern !== undefined);
  if (isFree(plain)) return { value: plain, isCertain: isWordly && !isOpen };
  const made = randomValueOf(parameter.type, types, random);
  const isUsable = typeof made === "string" && made.length >= 3 && /^[\w.~-]+$/.test(made) && isFree(made);
  return isUsable ? { value: made, isCertain: false } : undefined;
}

function hexOf(length: number, random: RandomSource): string {
  // Not all zeros at the front: that looks like work, and like the hash of nothing at the back.
  return Array.from({ length }, () => random.integer(0, 15).toString(16)).join("");
}

function uuidOf(random: RandomSource): string {
  const digits = hexOf(32, random);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20)}`;
}
