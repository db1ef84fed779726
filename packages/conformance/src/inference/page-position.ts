import { integerBoundsOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { defaultOf, findListType, inferListRoles, type ListRole, type Parameter } from "./list-roles.ts";
import { inferFilters } from "./list-filters.ts";

/** Where a page is in its list, by what was asked for. */
export interface PagePosition {
  /** Elements before it. */
  readonly start: number;
  /** Elements that it has at most. */
  readonly size: number;
  /** Elements that it has at least, where the list has as many behind `start`: a server may give less than is asked for, and not less than on its own. */
  readonly least: number;
  /** True where elements were chosen, so that a total might be meant of all that there are. */
  readonly isFiltered: boolean;
}

/** Elements that any server gives where it is asked for as many. */
const surelyGiven = 2;

/** Undefined where it can't be told where a page is; next to a cursor, elements may be chosen after a page is cut. */
export function pagePositionOf(
  {
    parameters,
    result,
    types,
  }: { readonly parameters: readonly Parameter[]; readonly result: SuiteType | undefined; readonly types: SuiteTypes },
  input: Readonly<Record<string, unknown>>,
): PagePosition | undefined {
  const roles = inferListRoles(parameters, types);
  const named = (role: ListRole): Parameter | undefined => roles.find((one) => one.role === role)?.parameter;
  const [limit, offset, page] = [named("limit"), named("offset"), named("page")];
  if (limit === undefined || named("cursor") !== undefined || (offset !== undefined && page !== undefined))
    return undefined;
  const usual = defaultOf(limit, types);
  const size = input[limit.property] ?? usual;
  if (typeof size !== "number" || size < 1) return undefined;
  const start = page === undefined ? offsetIn(offset, input, types) : pageStartIn(page, size, input, types);
  const others = parameters.filter(
    (one) => !one.required && input[one.property] !== undefined && !roles.some(({ parameter }) => parameter === one),
  );
  const element = findListType(result, types)?.element;
  const filters = others.length === 0 || element === undefined ? [] : inferFilters(others, element, types);
  if (start === undefined || others.some((one) => !filters.some(({ parameter }) => parameter === one)))
    return undefined;
  const least = Math.min(size, typeof usual === "number" ? usual : surelyGiven);
  return { start, size, least, isFiltered: others.length > 0 };
}

function offsetIn(
  offset: Parameter | undefined,
  input: Readonly<Record<string, unknown>>,
  types: SuiteTypes,
): number | undefined {
  if (offset === undefined) return 0;
  // An index may be counted from one.
  const isCounted =
    /^(?:offset|skip)$/.test(plainName(offset.name)) && (integerBoundsOf(offset.type, types).least ?? 0) === 0;
  const start = input[offset.property] ?? 0;
  return isCounted && typeof start === "number" ? start : undefined;
}

function pageStartIn(
  page: Parameter,
  size: number,
  input: Readonly<Record<string, unknown>>,
  types: SuiteTypes,
): number | undefined {
  const least = integerBoundsOf(page.type, types).least;
  const first = defaultOf(page, types) ?? least;
  const number = input[page.property] ?? first;
  const isCounted = typeof number === "number" && typeof first === "number" && (least ?? first) === first;
  return isCounted && number >= first ? (number - first) * size : undefined;
}
