import { isRecord } from "@nodewright/api-model";
import { armsOf, elementOf, listedOf, memberOf, membersOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";

type Values = Readonly<Record<string, unknown>>;

/** A number that is told of all, and what is told of the groups that it is made of. */
export interface GroupSum {
  readonly name: string;
  /** Of the member that holds the groups. */
  readonly groups: string;
  readonly whole: number;
  readonly parts: readonly number[];
  /** True: no group is left out. */
  readonly isWhole: boolean;
}

/** The sums in an object: `count` beside `by_kind`, a list of groups or their numbers by name. */
export function groupSumsIn(value: unknown, type: SuiteType | undefined, types: SuiteTypes): readonly GroupSum[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]): readonly GroupSum[] => {
    const groups = { name, value, of: memberOf(type, name, types)?.type };
    if (Array.isArray(member) && member.every(isRecord)) return listSums(groups, member, types);
    return isRecord(member) ? mapSums(groups, member, types) : [];
  });
}

interface Groups {
  /** Of the member that holds the groups. */
  readonly name: string;
  /** The object that has it. */
  readonly value: Values;
  /** Of the member. */
  readonly of: SuiteType | undefined;
}

/** `by_kind: [{ kind, count, total_fee }]` beside `count` and `total_fee`. */
function listSums({ name, value, of }: Groups, groups: readonly Values[], types: SuiteTypes): readonly GroupSum[] {
  const element = elementOf(of, 0, types);
  const key = membersOf(element, types).find(
    (member) => listedOf(member.type, types).length > 0 && isBy(name, member.name),
  );
  if (key === undefined || holdsSeveral(key.name, types)) return [];
  const keys = new Set(groups.map((group) => group[key.name]));
  if (keys.size !== groups.length) return [];
  // What is not listed may be what nobody asks for; what is listed is a part of the whole.
  const isWhole = keys.size === listedOf(key.type, types).length;
  return membersOf(element, types).flatMap((member): readonly GroupSum[] => {
    const whole = value[member.name];
    const parts = groups.map((group) => group[member.name]);
    if (!isSummable(member.name) || !Number.isInteger(whole) || !parts.every((part) => Number.isInteger(part)))
      return [];
    return [{ name: member.name, groups: name, whole: Number(whole), parts: parts.map(Number), isWhole }];
  });
}

/** `by_status: { active: 3, overdue: 1 }` beside `total`, where the names are all values that the description lists somewhere. */
function mapSums({ name, value, of }: Groups, groups: Values, types: SuiteTypes): readonly GroupSum[] {
  const names = membersOf(of, types).map((member) => member.name);
  const parts = names.map((one) => groups[one]);
  const [, key = ""] = /by([a-z]+)$/.exec(plainName(name)) ?? [];
  if (key === "" || names.length < 2 || holdsSeveral(key, types) || !areListed(names, types)) return [];
  const total = ["total", "count", "totalcount"].flatMap((one) =>
    Object.keys(value).filter((other) => plainName(other) === one),
  )[0];
  if (total === undefined || !Number.isInteger(value[total]) || !parts.every((part) => Number.isInteger(part)))
    return [];
  return [{ name: total, groups: name, whole: Number(value[total]), parts: parts.map(Number), isWhole: true }];
}

/** Whether groups are called after what tells them apart: `by_kind`, `fees_by_kind`. */
function isBy(name: string, key: string): boolean {
  return new RegExp(`(?:by|per)${plainName(key)}s?$`).test(plainName(name));
}

/** Names of numbers that add up, unlike means and extremes. */
function isSummable(name: string): boolean {
  return /^(?:count|total|sum|number|amount)|(?:count|total|sum)$/.test(plainName(name));
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
