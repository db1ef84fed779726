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

type Input = Readonly<Record<string, unknown>>;

/** What is called for pages. */
interface Listing {
  readonly parameters: readonly Parameter[];
  readonly result: SuiteType | undefined;
  readonly types: SuiteTypes;
}

/** Undefined where it can't be told where a page is; next to a cursor, elements may be chosen after a page is cut. */
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
  const least = Math.min(size, typeof usual === "number" ? usual : surelyGiven);
  return { start, size, least, isFiltered: others.length > 0 };
}

/** Elements before the page that an offset or a page's number calls for. */
function startIn(place: InferredRole | undefined, size: number, input: Input, types: SuiteTypes): number | undefined {
  if (place === undefined) return 0;
  const { role, parameter } = place;
  const { least } = integerBoundsOf(parameter.type, types);
  const isOffset = role === "offset";
  // An index may be counted from one.
  if (isOffset && !/^(?:offset|skip)$/.test(plainName(parameter.name))) return undefined;
  const first = isOffset ? 0 : (defaultOf(parameter, types) ?? least);
  const number = input[parameter.property] ?? first;
  const isCounted = typeof number === "number" && typeof first === "number" && (least ?? first) === first;
  return isCounted && number >= first ? (number - first) * (isOffset ? 1 : size) : undefined;
}
