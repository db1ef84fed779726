import { integerBoundsOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import {
  defaultOf,
  findListType,
  inferListRoles,
  type InferredRole,
  type ListRole,
  type Parameter,
} from "./list-roles.ts";
import { inferFilters } from "./list-filters.ts";

/** Position of a page in its list, by its request. */
export interface PagePosition {
  /** Number of elements before it. */
  readonly start: number;
  /** Maximum number of its elements. */
  readonly size: number;
  /**
   * Minimum number of its elements, if the list has as many from `start` on: a server may return fewer than requested, but not fewer than
   * by default.
   */
  readonly least: number;
  /** Whether the list is filtered, so that a total may count all elements. */
  readonly isFiltered: boolean;
}

/** Number of elements that any server returns if requested. */
const alwaysPresent = 2;

type Input = Readonly<Record<string, unknown>>;

/** Description of an operation with pages. */
interface Listing {
  readonly parameters: readonly Parameter[];
  readonly result: SuiteType | undefined;
  readonly types: SuiteTypes;
}

/** Returns the position of a page; undefined where it is unknown. With a cursor, elements may be filtered after a page is cut. */
export function pagePositionOf({ parameters, result, types }: Listing, input: Input): PagePosition | undefined {
  const roles = inferListRoles(parameters, types);
  const named = (role: ListRole): Parameter | undefined => roles.find((one) => one.role === role)?.parameter;
  const limit = named("limit");
  const [place, ...places] = roles.filter(({ role }) => role === "offset" || role === "page");
  if (limit === undefined || named("cursor") !== undefined || places.length > 0) return undefined;
  const usual = defaultOf(limit, types);
  const size = input[limit.property] ?? usual;
  if (typeof size !== "number" || size < 1) return undefined;
  const start = startIn(place, size, input, types);
  const others = parameters.filter(
    (one) => !one.required && input[one.property] !== undefined && !roles.some(({ parameter }) => parameter === one),
  );
  const element = findListType(result, types)?.element;
  const filters = others.length === 0 || element === undefined ? [] : inferFilters(others, element, types);
  if (start === undefined || others.some((one) => !filters.some(({ parameter }) => parameter === one)))
    return undefined;
  const least = Math.min(size, typeof usual === "number" ? usual : alwaysPresent);
  return { start, size, least, isFiltered: others.length > 0 };
}

/** Returns the number of elements before the page of an offset or a page number. */
function startIn(place: InferredRole | undefined, size: number, input: Input, types: SuiteTypes): number | undefined {
  if (place === undefined) return 0;
  const { role, parameter } = place;
  const { least } = integerBoundsOf(parameter.type, types);
  const isOffset = role === "offset";
  // An index may start at one.
  if (isOffset && !/^(?:offset|skip)$/.test(plainName(parameter.name))) return undefined;
  const first = isOffset ? 0 : (defaultOf(parameter, types) ?? least);
  const number = input[parameter.property] ?? first;
  const isCounted = typeof number === "number" && typeof first === "number" && (least ?? first) === first;
  return isCounted && number >= first ? (number - first) * (isOffset ? 1 : size) : undefined;
}
