import { identifierOf, identityOf, listOf } from "../compare/list-of.ts";
import { differences, isSameValue } from "../compare/differences.ts";
import { integerBoundsOf } from "../compare/member-facts.ts";
import { inferFilters } from "../inference/list-filters.ts";
import {
  defaultOf,
  findListType,
  inferListRoles,
  type InferredRole,
  type ListRole,
  type Parameter,
} from "../inference/list-roles.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { isWellFormed } from "../compare/text-formats.ts";
import { isValueOf } from "@nodewright/api-values";
import type { Input, Operation, Page } from "./operation.ts";
import type { Knowledge } from "./property.ts";

/** Maximum number of elements to request, whatever the description allows: long lists are expensive for servers. */
const mostElements = 100;

/** Returns the known facts about an operation; undefined where no call of it had a value. */
export function knowledgeOf(operation: Operation): Knowledge | undefined {
  const { parameters, result, types } = operation;
  const roles = inferListRoles(parameters, types);
  const list = findListType(result, types);
  const dropped = roles.flatMap(({ parameter }) => (parameter.required ? [] : [parameter.property]));
  const base = baseOf(operation, new Set(dropped));
  if (base === undefined) return undefined;
  const valid = ({ type }: Parameter, value: unknown): boolean =>
    isValueOf(type, value, types, "request") && isWellFormed(type, value, types);
  const roleOf: Knowledge["roleOf"] = (role) => roles.find((one) => one.role === role);
  const limit = roleOf("limit")?.parameter;
  const greatest =
    limit === undefined
      ? undefined
      : [Math.min(integerBoundsOf(limit.type, types).greatest ?? operation.longest, mostElements), 10].find((value) =>
          valid(limit, value),
        );
  const most = mostWithoutDoubt(limit, greatest, types);
  const widest = limit === undefined || greatest === undefined ? {} : { [limit.property]: greatest };
  const free = parameters.filter((parameter) => !roles.some((one) => one.parameter === parameter));
  const isSame: Knowledge["isSameList"] = (left, right) => isSameList(list?.element, left, right, types);
  return {
    operation,
    list,
    roles,
    roleOf,
    free,
    filters: list === undefined ? [] : inferFilters(free, list.element, types),
    base,
    valid,
    defaultOf: (parameter) => defaultOf(parameter, types),
    widest,
    whole: { ...base, ...widest },
    limitOf: (size) => (limit !== undefined && valid(limit, size) ? { [limit.property]: size } : undefined),
    isEnded: (page, longer) => isEnded(page, longer, { roles, most }),
    isSameList: isSame,
    isAmong: (item, items) => items.some((other) => isSame([item], [other])),
    differencesOf: (expected, actual) =>
      differences(result, expected, actual, types, { namesExtra: true, skipsUnnamed: true }),
  };
}

/** Returns the input with the longest list, without the given parameters. */
function baseOf({ known }: Operation, dropped: ReadonlySet<string>): Input | undefined {
  const bases = known.map(({ input, value, page }) => {
    const base = Object.fromEntries(Object.entries(input).filter(([property]) => !dropped.has(property)));
    return { base, length: (page ?? listOf(value))?.items.length ?? 0, size: Object.keys(base).length };
  });
  return bases.toSorted((left, right) => right.length - left.length || left.size - right.size)[0]?.base;
}

/**
 * Returns the number of elements below which a page is the complete list: the number that a call without limit returns, if that is less
 * than the greatest limit.
 */
function mostWithoutDoubt(limit: Parameter | undefined, greatest: number | undefined, types: SuiteTypes): number {
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  const usual = defaultOf(limit, types);
  return Math.min(greatest ?? 1, typeof usual === "number" ? usual : Number.POSITIVE_INFINITY);
}

function isEnded(
  { items: { length }, total, more }: Page,
  longer: Page | undefined,
  { roles, most }: { readonly roles: readonly InferredRole[]; readonly most: number },
): boolean {
  if (more !== undefined) return !more;
  if (total !== undefined) return total <= length;
  const has = (role: ListRole): boolean => roles.some((one) => one.role === role);
  // With a cursor, elements may be filtered after a page is cut.
  if (longer !== undefined && !has("cursor") && length < longer.items.length) return true;
  if (most === Number.POSITIVE_INFINITY) return !has("page") && !has("offset") && !has("cursor");
  return length < most;
}

/**
 * Whether two lists have the same elements. Compares them by their identifiers where these are unique, else by their values without
 * volatile members.
 */
function isSameList(
  element: SuiteType | undefined,
  left: readonly unknown[],
  right: readonly unknown[],
  types: SuiteTypes,
): boolean {
  if (left.length !== right.length) return false;
  const identifier = identifierOf([...left, ...right]);
  const isDistinguishing = [left, right].every(
    (items) => new Set(items.map((item) => identityOf(item, identifier))).size === items.length,
  );
  return left.every((item, index) => {
    const identity = isDistinguishing ? identityOf(item, identifier) : undefined;
    if (identity !== undefined) return identity === identityOf(right[index], identifier);
    return isSameValue(element, item, right[index], types);
  });
}

/** Whether a total looks like an estimate, or like the length of a truncated list. */
export function isRound(total: number): boolean {
  return total >= 100 && total % 100 === 0;
}
