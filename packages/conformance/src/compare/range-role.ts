import type { RecordMember, SuiteTypes } from "../suite/suite-type.ts";
import { nameWords } from "../basics/name-words.ts";
import { armsOf, isTimeType } from "./member-facts.ts";
import { isMomentName, partlyNamed } from "./part-names.ts";
import { plainName } from "./volatile-names.ts";

/** A parameter that is a lower or an upper bound for a member. */
export interface RangeRole {
  readonly kind: "minimum" | "maximum";
  readonly member: RecordMember;
  /** Whether only a part of the member's name matches: `minDuration` for `durationSeconds`. */
  readonly isOfPart?: boolean;
}

const minimumWord = /^(?:min|minimum|gt|gte|from|start|since|atleast|ge|lower|after|above|newerthan|notbefore|begin)$/;
const maximumWord = /^(?:max|maximum|lt|lte|to|end|until|till|atmost|le|upper|before|below|olderthan|notafter)$/;
/** Endings of names of times: `opened_after` is a bound of `opened_on`. */
const timeEnding = /(?:on|at|date|time|datetime|day|timestamp)$/;
/**
 * Returns the range that a name describes: `min_price`, `priceMin`, `price_gte`, `fromHeight`, `createdAfter`; `since` where there is only
 * one time. The members are those that values of the parameter can be compared with.
 */
export function rangeRoleOf(name: string, members: readonly RecordMember[], types: SuiteTypes): RangeRole | undefined {
  const plain = plainName(name);
  for (const member of members) {
    for (const stem of stemsOf(member, types)) {
      const rest = plain.startsWith(stem)
        ? plain.slice(stem.length)
        : plain.endsWith(stem)
          ? plain.slice(0, -stem.length)
          : "";
      if (minimumWord.test(rest)) return { kind: "minimum", member };
      if (maximumWord.test(rest)) return { kind: "maximum", member };
    }
  }
  const part = partRoleOf(name, members, types);
  if (part !== undefined) return part;
  const [only, ...others] = members.filter((member) => isTimeType(member.type, types) || isUnixTime(member, types));
  if (only === undefined || others.length > 0 || !isMomentName(only.name)) return undefined;
  if (/^(?:since|after|from)(?:date|time|day)?$/.test(plain)) return { kind: "minimum", member: only };
  return /^(?:until|till|before|to)(?:date|time|day)?$/.test(plain) ? { kind: "maximum", member: only } : undefined;
}

/** Whether a member is a Unix time, by its name: `startedAt`. */
function isUnixTime({ name, type }: RecordMember, types: SuiteTypes): boolean {
  return isMomentName(name) && armsOf(type, types).some((arm) => arm.kind === "number" && arm.integer);
}

/** Returns the range of a partly matching name: `minPrice` where the only price is a `startPrice`. */
function partRoleOf(name: string, members: readonly RecordMember[], types: SuiteTypes): RangeRole | undefined {
  const words = nameWords(name);
  const [first = "", last = ""] = [words[0], words.at(-1)];
  const [word, rest] =
    minimumWord.test(first) || maximumWord.test(first) ? [first, words.slice(1)] : [last, words.slice(0, -1)];
  const kind = minimumWord.test(word) ? "minimum" : maximumWord.test(word) ? "maximum" : undefined;
  const member = kind === undefined ? undefined : (partlyNamed(rest, members, types) ?? timeOf(rest, members, types));
  return kind === undefined || member === undefined ? undefined : { kind, member, isOfPart: true };
}

/** Returns the only member that is the time of an event. */
export function momentMemberOf(members: readonly RecordMember[]): RecordMember | undefined {
  const [only, ...others] = members.filter(({ name }) => isMomentName(name));
  return others.length === 0 ? only : undefined;
}

/** Returns the only time whose name has the same stem: `departure` for `departs`. */
function timeOf(
  words: readonly string[],
  members: readonly RecordMember[],
  types: SuiteTypes,
): RecordMember | undefined {
  const [word, ...more] = words;
  if (word === undefined || more.length > 0) return undefined;
  const isOfAct = ({ name, type }: RecordMember): boolean =>
    isTimeType(type, types) && actOf(nameWords(name)[0] ?? "") === actOf(word);
  const [only, ...others] = members.filter(isOfAct);
  return others.length === 0 ? only : undefined;
}

/** Returns a verb, or its noun, without its ending. */
function actOf(word: string): string {
  return word.length < 6 ? word : word.replace(/(?:ures?|als?|ations?|ions?|ings?|es|ed|s|e)$/, "");
}

function stemsOf({ name, type }: RecordMember, types: SuiteTypes): ReadonlySet<string> {
  const plain = plainName(name);
  // A named type may be a time, whatever its JSON type is.
  const mayBeTime = isTimeType(type, types) || type.kind === "reference";
  const stems = mayBeTime ? [plain, plain.replace(timeEnding, "")] : [plain];
  return new Set(stems.filter((stem) => stem !== ""));
}
