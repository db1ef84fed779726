import { withPlace } from "../suite/with-place.ts";
import type { Finding } from "../contract/finding.ts";
import { isTime } from "../examples/example-trust.ts";
import { isRecord } from "../types/is-record.ts";
import { armsOf, elementOf, memberOf, membersOf } from "../compare/member-facts.ts";
import { escapeSegment } from "../types/json-pointer.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import type { HttpContext, Observation } from "./http-context.ts";
import { httpRules } from "./http-rules.ts";

type Values = Readonly<Record<string, unknown>>;

/** What is told of the whole is what its groups make together: `count` beside `by_kind`, a list of groups or their numbers by name. */
export function checkSums({ types }: HttpContext, { judged }: Observation): readonly Finding[] {
  const { value, type } = judged;
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]): readonly Finding[] => {
    const of = memberOf(type, name, types)?.type;
    const groups = { name, value, type, of };
    if (Array.isArray(member) && member.every(isRecord)) return listFindings(groups, member, types);
    return isRecord(member) ? mapFindings(groups, member, types) : [];
  });
}

interface Groups {
  /** Of the member that holds the groups. */
  readonly name: string;
  /** The object that has it. */
  readonly value: Values;
  readonly type: SuiteType | undefined;
  /** Of the member. */
  readonly of: SuiteType | undefined;
}

/** `by_kind: [{ kind, count, total_fee }]` beside `count` and `total_fee`. */
function listFindings(
  { name, value, type, of }: Groups,
  groups: readonly Values[],
  types: SuiteTypes,
): readonly Finding[] {
  const element = elementOf(of, 0, types);
  const key = membersOf(element, types).find(
    (member) => enumeratedValues(member, types).length > 0 && isBy(name, member.name),
  );
  if (key === undefined || holdsSeveral(key.name, types)) return [];
  const keys = new Set(groups.map((group) => group[key.name]));
  if (keys.size !== groups.length) return [];
  // What is not listed may be what nobody asks for; what is listed is a part of the whole.
  const isWhole = keys.size === enumeratedValues(key, types).length;
  return membersOf(element, types).flatMap((member): readonly Finding[] => {
    const whole = value[member.name];
    const parts = groups.map((group) => group[member.name]);
    if (!isSummable(member.name) || !Number.isInteger(whole) || !parts.every((part) => Number.isInteger(part)))
      return [];
    return sumFinding({
      name: member.name,
      groups: name,
      whole,
      parts,
      isWhole,
      place: memberOf(type, member.name, types),
    });
  });
}

/** `by_status: { active: 3, overdue: 1 }` beside `total`, where the names are all values that the description lists somewhere. */
function mapFindings({ name, value, type, of }: Groups, groups: Values, types: SuiteTypes): readonly Finding[] {
  const names = membersOf(of, types).map((member) => member.name);
  const parts = names.map((one) => groups[one]);
  const [, key = ""] = /by([a-z]+)$/.exec(plainName(name)) ?? [];
  if (key === "" || names.length < 2 || holdsSeveral(key, types) || !areListed(names, types)) return [];
  const total = ["total", "count", "totalcount"].flatMap((one) =>
    Object.keys(value).filter((other) => plainName(other) === one),
  )[0];
  if (total === undefined || !Number.isInteger(value[total]) || !parts.every((part) => Number.isInteger(part)))
    return [];
  return sumFinding({
    name: total,
    groups: name,
    whole: value[total],
    parts,
    isWhole: true,
    place: memberOf(type, total, types),
  });
}

interface Sum {
  readonly name: string;
  readonly groups: string;
  readonly whole: unknown;
  readonly parts: readonly unknown[];
  /** True: no group is left out. */
  readonly isWhole: boolean;
  readonly place: RecordMember | undefined;
}

function sumFinding({ name, groups, whole, parts, isWhole, place }: Sum): readonly Finding[] {
  const sum = parts.reduce<number>((so, part) => so + Number(part), 0);
  if (sum === whole || (!isWhole && sum < Number(whole))) return [];
  const message = `/${escapeSegment(name)} is not the sum of what stands in /${escapeSegment(groups)}`;
  const pointer = `/${escapeSegment(name)}`;
  return [
    {
      rule: httpRules.sums,
      message,
      detail: `${String(whole)}, and the sum is ${sum}`,
      pointer,
      ...withPlace(place?.place),
    },
  ];
}

/** Whether groups are called after what tells them apart: `by_kind`, `fees_by_kind`. */
function isBy(name: string, key: string): boolean {
  return new RegExp(`(?:by|per)${plainName(key)}s?$`).test(plainName(name));
}

/** Names of numbers that add up, unlike means and extremes. */
function isSummable(name: string): boolean {
  return /^(?:count|total|sum|number|amount)|(?:count|total|sum)$/.test(plainName(name));
}

function enumeratedValues({ type }: RecordMember, types: SuiteTypes): readonly unknown[] {
  return armsOf(type, types).flatMap((arm) => (arm.kind === "enumeration" ? arm.values : []));
}

/** Whether something of the description has several of these at once: its groups then share elements. */
function holdsSeveral(key: string, types: SuiteTypes): boolean {
  const isKey = (name: string): boolean =>
    plainName(name) === plainName(key) || plainName(name) === `${plainName(key)}s`;
  return Object.values(types).some((type) =>
    membersOf(type, types).some(
      (member) => isKey(member.name) && armsOf(member.type, types).some(({ kind }) => kind === "list"),
    ),
  );
}

/** Whether names are all the values of an enumeration that the description declares, or gives a member. */
function areListed(names: readonly string[], types: SuiteTypes): boolean {
  const isAll = (type: SuiteType): boolean =>
    armsOf(type, types).some(
      (arm) =>
        arm.kind === "enumeration" &&
        arm.values.length === names.length &&
        arm.values.every((value) => names.some((name) => plainName(name) === plainName(String(value)))),
    );
  return Object.values(types).some(
    (type) => isAll(type) || membersOf(type, types).some((member) => isAll(member.type)),
  );
}

/** Words for the least, what lies between, and the greatest; for times, the first and the last. */
const least = ["min", "minimum", "lowest", "smallest"];
const middle = ["mean", "average", "avg", "median"];
const greatest = ["max", "maximum", "highest", "largest", "greatest"];
/** Members of an object that tells of many, and is not itself entered by someone. */
const statisticName = /^(?:count|total|sum|mean|average|avg|median)|(?:count|total|sum|mean|average|avg|median)$/;
/** Values of one answer that are looked at. */
const mostLooked = 2_000;

/** The least of something is not more than the greatest of it, and what is first is not later than what is last. */
export function checkExtremes(_context: HttpContext, { judged }: Observation): readonly Finding[] {
  const found = new Map<string, Finding>();
  let looked = 0;
  const walk = (value: unknown, pointer: string): void => {
    looked += 1;
    if (looked > mostLooked || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const item of value) walk(item, `${pointer}/*`);
      return;
    }
    if (!isRecord(value)) return;
    for (const [low, high] of turnedPairs(value)) {
      const at = `${pointer}/${escapeSegment(low)}`;
      const message = `${at} is more than /${escapeSegment(high)} beside it`;
      const detail = `${String(value[low])} and ${String(value[high])}`;
      if (!found.has(at)) found.set(at, { rule: httpRules.extremes, message, detail, pointer: at });
    }
    for (const [name, member] of Object.entries(value)) walk(member, `${pointer}/${escapeSegment(name)}`);
  };
  walk(judged.value, "");
  return [...found.values()];
}

/** Pairs of members of which the one that has to be less is more. */
function turnedPairs(value: Values): readonly (readonly [string, string])[] {
  const names = Object.keys(value);
  const isStatistic = names.some((name) => statisticName.test(plainName(name)));
  const named = (words: readonly string[], stem: string): string | undefined =>
    names.find((name) => words.some((word) => [`${word}${stem}`, `${stem}${word}`].includes(plainName(name))));
  return names.flatMap((name): readonly (readonly [string, string])[] => {
    const plain = plainName(name);
    const first = /^(?:first|earliest|oldest)(.+)$/.exec(plain)?.[1];
    if (first !== undefined) {
      const last = named(["last", "latest", "newest"], first);
      return last !== undefined && isLater(value[name], value[last]) ? [[name, last]] : [];
    }
    const stem = isStatistic ? stemOf(plain, least) : undefined;
    if (stem === undefined) return [];
    const [between, high] = [named(middle, stem), named(greatest, stem)];
    const pairs = [
      [name, high],
      [name, between],
      [between, high],
    ] as const;
    return pairs.flatMap(([low, up]) =>
      low !== undefined && up !== undefined && isMore(value[low], value[up]) ? [[low, up] as const] : [],
    );
  });
}

function stemOf(plain: string, words: readonly string[]): string | undefined {
  const word = words
    .toSorted((left, right) => right.length - left.length)
    .find((one) => plain.startsWith(one) || plain.endsWith(one));
  if (word === undefined) return undefined;
  return plain.startsWith(word) ? plain.slice(word.length) : plain.slice(0, -word.length);
}

/** What is rounded may be more by a little. */
function isMore(low: unknown, high: unknown): boolean {
  return typeof low === "number" && typeof high === "number" && low > high + Math.abs(high) * 0.01;
}

function isLater(first: unknown, last: unknown): boolean {
  if (typeof first !== "string" || typeof last !== "string" || !isTime(first) || !isTime(last)) return false;
  return first.length === last.length && Date.parse(first) > Date.parse(last);
}
