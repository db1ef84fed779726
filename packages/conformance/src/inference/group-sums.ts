import { isRecord } from "@nodewright/api-model";
import { singularOf } from "../basics/singular.ts";
import { elementOf, kindsIn, listedOf, memberOf, membersOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { typeWithAttributes } from "./resource-objects.ts";

type Values = Readonly<Record<string, unknown>>;

/** A total, and the numbers of the groups that it is the sum of. */
export interface GroupSum {
  readonly name: string;
  /** Name of the member that contains the groups. */
  readonly groups: string;
  readonly whole: number;
  readonly parts: readonly number[];
  /** Whether all groups are listed. */
  readonly isWhole: boolean;
}

/** Returns the sums in an object: `count` next to `by_kind`, which is a list of groups or an object with a number for each name. */
export function groupSumsIn(value: unknown, type: SuiteType | undefined, types: SuiteTypes): readonly GroupSum[] {
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([groups, member]) => {
    const own = memberOf(type, groups, types)?.type;
    const sums =
      Array.isArray(member) && member.every(isRecord)
        ? listSums(groups, member, elementOf(own, 0, types), types)
        : isRecord(member)
          ? mapSums(groups, member, own, value, types)
          : [];
    return sums.flatMap(({ name, parts, isWhole }) => {
      const [whole, ...all] = [value[name], ...parts].filter((one): one is number => Number.isInteger(one));
      return whole === undefined || all.length < parts.length ? [] : [{ name, groups, whole, parts: all, isWhole }];
    });
  });
}

/** Number of groups from which there may be unlisted ones. */
const cutLength = 10;

interface Parts extends Pick<GroupSum, "name" | "isWhole"> {
  readonly parts: readonly unknown[];
}

/** Returns the sums of `by_kind: [{ kind, count, total_fee }]` next to `count` and `total_fee`. */
function listSums(
  groups: string,
  list: readonly Values[],
  element: SuiteType | undefined,
  types: SuiteTypes,
): readonly Parts[] {
  const members = membersOf(element, types);
  const key = members.find(({ name, type }) => listedOf(type, types).length > 0 && isBy(groups, name));
  if (key === undefined || holdsSeveral(key.name, types)) return [];
  const keys = new Set(list.map((group) => group[key.name]));
  // An unlisted group may have no elements; the listed ones are a part of the total.
  const isWhole = keys.size === listedOf(key.type, types).length;
  const summable = keys.size === list.length ? members.filter(({ name }) => isSummable(name)) : [];
  return summable.map(({ name }) => ({ name, parts: list.map((group) => group[name]), isWhole }));
}

/**
 * Returns the sum of `by_status: { active: 3, overdue: 1 }` next to `total`, where the names are all values of an enumeration in the
 * description; or next to `loans` where each loan has one status.
 */
function mapSums(
  groups: string,
  map: Values,
  type: SuiteType | undefined,
  beside: Values,
  types: SuiteTypes,
): readonly Parts[] {
  const names = membersOf(type, types).map(({ name }) => name);
  const [, key = ""] = /by([a-z]+)$/.exec(plainName(groups)) ?? [];
  const typeNames = Object.keys(beside).find((name) => isOfTypeNames(name, key, types));
  const parts = Object.values(map);
  if (typeNames !== undefined) return [{ name: typeNames, parts, isWhole: parts.length < cutLength }];
  if (key === "" || names.length < 2 || holdsSeveral(key, types) || !areListed(names, types)) return [];
  const totals = ["total", "count", "totalcount"].flatMap((one) =>
    Object.keys(beside).filter((other) => plainName(other) === one),
  );
  return totals.slice(0, 1).map((name) => ({ name, parts: names.map((one) => map[one]), isWhole: true }));
}

/** Whether a number has the plural name of a declared type whose objects each have one value of a member. */
function isOfTypeNames(name: string, key: string, types: SuiteTypes): boolean {
  return Object.entries(types).some(([declared, type]) => {
    const isSame = plainName(name) !== plainName(declared) && singularOf(plainName(name)) === plainName(declared);
    const member = membersOf(typeWithAttributes(type, types), types).find((one) => plainName(one.name) === key);
    return (
      isSame && member?.required === true && [...kindsIn(member.type, types)].every((kind) => plainKinds.has(kind))
    );
  });
}

const plainKinds: ReadonlySet<SuiteType["kind"]> = new Set(["string", "enumeration", "number", "boolean"]);

/** Whether groups have the name of the member that distinguishes them: `by_kind`, `fees_by_kind`. */
function isBy(name: string, key: string): boolean {
  return new RegExp(`(?:by|per)${plainName(key)}s?$`).test(plainName(name));
}

/** Whether a number is additive, by its name, unlike means and extremes. */
function isSummable(name: string): boolean {
  return /^(?:count|total|sum|number|amount)|(?:count|total|sum)$/.test(plainName(name));
}

/** Whether a type of the description has several values of this member at once: its groups then share elements. */
function holdsSeveral(key: string, types: SuiteTypes): boolean {
  const names = [plainName(key), `${plainName(key)}s`];
  return Object.values(types).some((one) =>
    membersOf(one, types).some(({ name, type }) => names.includes(plainName(name)) && elementOf(type, 0, types)),
  );
}

/** Whether names are all values of an enumeration that the description declares, or that a member has. */
function areListed(names: readonly string[], types: SuiteTypes): boolean {
  const sorted = (values: readonly unknown[]): string =>
    values
      .map((one) => plainName(String(one)))
      .toSorted()
      .join(" ");
  const isAll = (type: SuiteType): boolean => sorted(listedOf(type, types)) === sorted(names);
  return Object.values(types).some((type) => isAll(type) || membersOf(type, types).some((own) => isAll(own.type)));
}
