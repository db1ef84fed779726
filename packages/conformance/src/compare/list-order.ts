import { membersOf } from "./member-facts.ts";
import { partlyNamed } from "./part-names.ts";
import { plainName } from "./volatile-names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { nameWords } from "../basics/name-words.ts";

/** An order by a member of the elements: 1 for ascending, -1 for descending; without a sign either is correct. */
export interface ListOrder {
  readonly member: string;
  readonly sign?: 1 | -1;
  /** Whether only a part of the member's name matches: `PUBLISHED_DESC` for `publishedAt`. */
  readonly isOfPart?: boolean;
}

/** Returns the order that a word names: `price`, `-price`, `price_desc`, `priceAsc`; undefined where it names no member. */
export function orderOf(word: string, element: SuiteType | undefined, types: SuiteTypes): ListOrder | undefined {
  const plain = plainName(word);
  const prefix = /^[-+]/.exec(word)?.[0];
  const members = membersOf(element, types);
  for (const { name } of members) {
    const own = plainName(name);
    if (plain === own) return prefix === undefined ? { member: name } : { member: name, sign: prefix === "-" ? -1 : 1 };
    const rest = plain.startsWith(own) ? plain.slice(own.length) : "";
    const sign = directionOf(rest);
    if (sign !== undefined) return { member: name, sign };
  }
  const words = nameWords(word);
  const sign = directionOf(words.at(-1) ?? "");
  const member = sign === undefined ? undefined : partlyNamed(words.slice(0, -1), members, types);
  return sign === undefined || member === undefined ? undefined : { member: member.name, sign, isOfPart: true };
}

/** Returns the direction that a word names: 1 for ascending, -1 for descending; undefined for other words. */
export function directionOf(word: string): 1 | -1 | undefined {
  const plain = plainName(word);
  if (/^(?:(?:asc|ascending|up)(?:nulls(?:first|last))?|(?:oldest|earliest)(?:first)?)$/.test(plain)) return 1;
  return /^(?:(?:desc|descending|down)(?:nulls(?:first|last))?|(?:newest|latest|(?:most)?recent)(?:first)?)$/.test(
    plain,
  )
    ? -1
    : undefined;
}

/** Whether equal values are adjacent; ignores missing and structured values. */
export function isGrouped(values: readonly unknown[]): boolean {
  const plain = values.filter(isPlainValue);
  const starts = plain.filter((value, index) => index === 0 || plain[index - 1] !== value);
  return new Set(starts).size === starts.length;
}

/** Whether values are in order; ignores missing and structured values. */
export function isOrdered(values: readonly unknown[], sign: 1 | -1 | undefined): boolean {
  const plain = values.filter(isPlainValue);
  const signs = sign === undefined ? [1, -1] : [sign];
  // Numbers have only their numeric order.
  const areNumbers = plain.every((value) => typeof value === "number" || typeof value === "bigint");
  return signs.some((one) =>
    (areNumbers ? [plainOrder] : comparisons).some((compare) =>
      plain.every((value, index) => index === 0 || compare(plain[index - 1], value) * one <= 0),
    ),
  );
}

/** Whether a value has an order: a string, a number or a boolean. */
export function isPlainValue(value: unknown): boolean {
  return value !== null && value !== undefined && typeof value !== "object";
}

type Comparison = (left: unknown, right: unknown) => number;

function by(keyOf: (text: string) => unknown): Comparison {
  return (left, right) => plainOrder(keyOf(String(left)), keyOf(String(right)));
}

/** Collations of languages whose alphabets differ in order. */
const collations: readonly Comparison[] = ["en", "sv", "et", "tr", "de-u-co-phonebk"]
  .flatMap((language) =>
    [true, false].flatMap((ignorePunctuation) =>
      [true, false].map((numeric) => new Intl.Collator(language, { numeric, ignorePunctuation })),
    ),
  )
  .map((collator) => (left, right) => collator.compare(String(left), String(right)));

function lettersOf(text: string): string {
  const plain = text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/**
 * Orders of strings: by code points; ignoring case, accents or punctuation; by collation; without an article; by the last name; as numbers
 * or as times.
 */
const comparisons: readonly Comparison[] = [
  plainOrder,
  by((text) => text.toLowerCase()),
  by(lettersOf),
  by(Number),
  by(Date.parse),
  by((text) => lettersOf(text.replace(/^(?:the|a|an|der|die|das|le|la|les|el|il) /i, ""))),
  by((text) => lettersOf(text.trim().split(/\s+/).at(-1) ?? "")),
  ...collations,
];

function plainOrder(left: unknown, right: unknown): number {
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  const [first, second] = [Number(left), Number(right)];
  // A value that is not a number has no order among numbers.
  return first < second ? -1 : first > second ? 1 : first === second ? 0 : Number.NaN;
}
