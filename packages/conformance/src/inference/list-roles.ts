import { type DescribedFacts, escapeSegment } from "@nodewright/api-model";
import { directionOf } from "../compare/list-order.ts";
import { armsOf, elementOf, integerBoundsOf, isTimeType, membersOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import { listNames } from "../compare/list-of.ts";
import { typeWithAttributes } from "./resource-objects.ts";
import type { Place, SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/** A parameter of an operation, for any protocol. */
export interface Parameter extends DescribedFacts {
  /** Name in the description. */
  readonly name: string;
  /** Key in an input. */
  readonly property: string;
  readonly required: boolean;
  readonly type: SuiteType;
  readonly default?: unknown;
  /** Values that the description shows, next to those of `type`. */
  readonly examples?: readonly unknown[];
  /** Whether the description includes the bound itself: true for "at least", false for "before". */
  readonly includesBound?: boolean;
  readonly place?: Place;
}

/** Effect of a parameter on the list that its operation returns. */
export type ListRole = "limit" | "offset" | "page" | "cursor" | "sort" | "direction";

/** An inferred role of a parameter. */
export interface InferredRole<Of extends Parameter = Parameter> {
  readonly role: ListRole;
  readonly parameter: Of;
  /** Clause that describes the heuristic and its source: reports print it with findings. */
  readonly guess: string;
}

/** A role, the normalized name of its parameters, a check of their type, and a description of this type. */
type RoleRule = readonly [
  role: ListRole,
  name: RegExp,
  matches: (type: SuiteType, types: SuiteTypes) => boolean,
  type: string,
];

const isNoTime = (type: SuiteType, types: SuiteTypes): boolean => !isTimeType(type, types);
const isDirection = (type: SuiteType, types: SuiteTypes): boolean => directionsOf(type, types).length > 1;

/**
 * Rules that infer roles from names and types; the first match counts. Names that are as common with other meanings (`size`, `n`, `max`,
 * `from`, `start`) are not included.
 */
const roleRules: readonly RoleRule[] = [
  [
    "limit",
    /^(?:page|max)?limit$|^(?:count|pagesize|pagelength|perpage|first|last|take|top|max(?:imum)?(?:results|items|count|entries)|itemsperpage|resultsperpage|numresults)$/,
    isInteger,
    "integer",
  ],
  ["offset", /^(?:offset|skip|startindex|startat|startingat|pageoffset)$/, isInteger, "integer"],
  ["page", /^(?:page|pagenumber|pageno|pagenum|pageindex)$/, isInteger, "integer"],
  [
    "cursor",
    /^(?:cursor|pagecursor|nextcursor|pagetoken|nexttoken|nextpagetoken|continuation|continuationtoken|marker|after|startingafter|startafter|sinceid|afterid|lastid|lastseenid|after[a-z]*(?:id|hash|txid)|lastseen[a-z]*|exclusivestartkey)$/,
    isNoTime,
    "no time",
  ],
  [
    "direction",
    /^(?:order|direction|sortorder|sortdirection|dir|sortdir|orderdirection|reverse|reversed|desc|descending|(?:newest|latest|(?:most)?recent)first)$/,
    isDirection,
    "a direction",
  ],
  ["sort", /^(?:sort|sortby|orderby|ordering|order|sortkey|sortfield|sortorder)$/, () => true, "a choice"],
];

/** Whether a parameter has a role by its name alone. */
export function hasRoleName(role: ListRole, name: string): boolean {
  const plain = plainName(name);
  return roleRules.some(([own, pattern]) => own === role && pattern.test(plain));
}

/** Maximum number of elements that any server has to return at once. */
const mostElements = 50;
/** Limit above which a maximum only reflects the storage of numbers: servers that allocate memory for so many elements crash. */
const greatestLimit = 10_000;

/** Whether a value of a limit requests more elements than should be requested from a server. */
export function isTooMany({ name, type }: Parameter, value: unknown, types: SuiteTypes): boolean {
  if (!hasRoleName("limit", name) || !(Number(value) > mostElements)) return false;
  return !armsOf(type, types).some(
    (arm) => arm.kind === "number" && arm.maximum !== undefined && Number(arm.maximum) <= greatestLimit,
  );
}

/** Names that mean a limit only next to a page number or an offset, or an offset only next to a limit. */
const limitNextToPage = /^(?:size|rows|num|length)$/;
const offsetNextToLimit = /^(?:start|startrow|startrecord)$/;

/** Infers the roles of parameters; each parameter has at most one. */
export function inferListRoles<Of extends Parameter>(
  parameters: readonly Of[],
  types: SuiteTypes,
): readonly InferredRole<Of>[] {
  const inferred = parameters.flatMap((parameter): readonly InferredRole<Of>[] => {
    // The last part of the name decides for `paging.limit`, the complete name for `page.size`.
    const names = [parameter.name, parameter.name.slice(parameter.name.lastIndexOf(".") + 1)].map(plainName);
    const rule = roleRules.find(
      ([, pattern, matches]) => names.some((one) => pattern.test(one)) && matches(parameter.type, types),
    );
    if (rule === undefined) return [];
    const [role, , , type] = rule;
    const guess = `\`${parameter.name}\` is taken for the ${role} of the list by its name and type (${type})`;
    return [{ role, parameter, guess }];
  });
  const place = inferred.find(({ role }) => role === "page" || role === "offset" || role === "cursor");
  const limit = inferred.find(({ role }) => role === "limit");
  const next = (role: ListRole, name: RegExp, to: Of): readonly InferredRole<Of>[] => {
    const parameter = parameters.find((one) => name.test(plainName(one.name)) && isInteger(one.type, types));
    const guess = `\`${parameter?.name}\` is taken for the ${role} of the list by its name next to \`${to.name}\``;
    return parameter === undefined ? [] : [{ role, parameter, guess }];
  };
  if (limit === undefined && place !== undefined && place.role !== "cursor")
    return [...inferred, ...next("limit", limitNextToPage, place.parameter)];
  if (limit === undefined || place !== undefined) return inferred;
  return [...inferred, ...next("offset", offsetNextToLimit, limit.parameter).filter(isCountedFromStart(types))];
}

/** Returns a check whether an offset starts at the first element, by its default or its minimum. */
function isCountedFromStart(types: SuiteTypes): (role: InferredRole) => boolean {
  return ({ parameter }) => {
    const first = defaultOf(parameter, types) ?? integerBoundsOf(parameter.type, types).least;
    return first === 0 || first === 1;
  };
}

/** A value of a parameter that requests one direction: 1 for ascending, -1 for descending. */
interface DirectionValue {
  readonly value: unknown;
  readonly sign: 1 | -1;
}

/** Returns the values of a type that are directions: `asc` and `desc`, or a boolean that is true for descending. */
export function directionsOf(type: SuiteType, types: SuiteTypes): readonly DirectionValue[] {
  for (const arm of armsOf(type, types)) {
    if (arm.kind === "boolean") return ([1, -1] as const).map((sign) => ({ value: sign === -1, sign }));
    if (arm.kind !== "enumeration" || arm.values.length > 6) continue;
    const signed = arm.values.flatMap((value): readonly DirectionValue[] => {
      const sign = directionOf(String(value));
      return sign === undefined ? [] : [{ value, sign }];
    });
    // Takes the first of several values of one direction (`ASC_NULLS_FIRST`).
    if (signed.length === arm.values.length)
      return ([1, -1] as const).flatMap((sign) => signed.filter((one) => one.sign === sign).slice(0, 1));
  }
  return [];
}

/** Returns the default of a parameter, if the description states it. */
export function defaultOf(parameter: Parameter, types: SuiteTypes): unknown {
  return (
    parameter.default ??
    parameter.type.default ??
    armsOf(parameter.type, types).find((arm) => arm.default !== undefined)?.default
  );
}

/** Returns the values of a parameter that the description shows. */
export function shownOf({ examples = [], type }: Parameter): readonly unknown[] {
  return [...examples, ...(type.examples ?? [])];
}

/** The list within a result, by its type. */
export interface ListType {
  /** JSON Pointer; empty where the result is the list. */
  readonly pointer: string;
  readonly element: SuiteType;
}

/** Returns the main list of a result: the result itself, its member with a usual name, or its only list. */
export function findListType(result: SuiteType | undefined, types: SuiteTypes): ListType | undefined {
  const own = elementOf(result, 0, types);
  if (own !== undefined) return { pointer: "", element: typeWithAttributes(own, types) };
  const lists = membersOf(result, types).flatMap(({ name, type }) => {
    const element = elementOf(type, 0, types);
    return element === undefined ? [] : [{ name, element }];
  });
  const found = lists.find(({ name }) => listNames.has(plainName(name))) ?? (lists.length === 1 ? lists[0] : undefined);
  if (found === undefined) return undefined;
  return { pointer: `/${escapeSegment(found.name)}`, element: typeWithAttributes(found.element, types) };
}

/** Whether values of a type are integers, or may be. */
export function isInteger(type: SuiteType | undefined, types: SuiteTypes): boolean {
  return armsOf(type, types).some((arm) => arm.kind === "number" && arm.integer);
}
