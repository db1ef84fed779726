import { elementOf, isTimeType, listedOf, memberOf, membersOf } from "../compare/member-facts.ts";
import { nameWords } from "../basics/name-words.ts";
import { isMomentName, partlyNamed } from "../compare/part-names.ts";
import { rangeRoleOf } from "../compare/range-role.ts";
import { isUnixTime } from "../compare/value-order.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { singularOf } from "../basics/singular.ts";
import type { Parameter } from "./list-roles.ts";
import { areComparable, type FilterTest, listedValues, wordKey } from "./filter-values.ts";
import { filteredName } from "./resource-objects.ts";

/** A filter that selects elements of a list by one of their members. */
export interface InferredFilter {
  readonly parameter: Parameter;
  /** Name in the description: `filter.ward.floor`. */
  readonly name: string;
  readonly test: FilterTest;
  /** Path from an element to the member. */
  readonly path: readonly string[];
  /** Type of one value of the filter. */
  readonly type: SuiteType;
  /** Type of one value of an element. */
  readonly member: SuiteType;
  /** Values of an enumeration in the order of the description, of which a bound is one. */
  readonly order?: readonly unknown[];
  /** Whether a call needs it. */
  readonly isRequired: boolean;
  /** Whether several values can be given at once, any of which an element may have. */
  readonly takesList: boolean;
  /** Whether a value exactly at a bound matches; absent where it is unspecified. */
  readonly includesBound?: boolean | undefined;
  /** Whether `false` may match everything, by the description or because of a default; for booleans. */
  readonly isOneSided?: boolean | undefined;
  /** Whether only a part of the member's name matches; for ranges. */
  readonly isOfPart?: boolean | undefined;
  readonly guess: string;
  /** Returns the value of the parameter that filters by a value. */
  given(value: unknown): unknown;
}

/** Maximum depth of nested objects. */
const deepest = 3;

/** Infers the filters of parameters from names and types. */
export function inferFilters(
  parameters: readonly Parameter[],
  element: SuiteType,
  types: SuiteTypes,
): readonly InferredFilter[] {
  return parameters.flatMap((parameter) =>
    filtersOf({ ...parameter, name: filteredName(parameter.name) }, element, types, 0).map((one) => ({
      ...one,
      name: one.name === filteredName(parameter.name) ? parameter.name : one.name,
      parameter,
      guess: `\`${one.name}\` is taken to choose elements by \`${one.path.join(".")}\`, as their names and types say`,
    })),
  );
}

/** Whether a filter is a bound. */
export function isBound({ test }: Pick<InferredFilter, "test">): boolean {
  return test === "minimum" || test === "maximum";
}

type Found = Omit<InferredFilter, "parameter" | "guess">;

type FilterParameter = Pick<
  Parameter,
  "name" | "type" | "required" | "default" | "examples" | "includesBound" | "isOneSided"
>;

function filtersOf(filter: FilterParameter, element: SuiteType, types: SuiteTypes, depth: number): readonly Found[] {
  const inner = membersOf(filter.type, types);
  if (inner.length === 0) return memberFor(filter, element, types);
  const isNegated = /^(?:not|none|nor|exclud|except|without)/.test(plainName(filter.name));
  if (depth >= deepest || isNegated || elementOf(filter.type, 0, types) !== undefined) return [];
  const areComparisons = inner.every(({ name }) => comparisons.some(([pattern]) => pattern.test(plainName(name))));
  const own =
    memberOf(element, filter.name, types) ??
    // `length: { from, to }` for `lengthMetres`.
    (areComparisons ? partlyNamed(nameWords(filter.name), membersOf(element, types), types) : undefined);
  const isObject = membersOf(own?.type, types).length > 0;
  return inner.flatMap((member): readonly Found[] => {
    const below =
      own === undefined
        ? filtersOf(member, element, types, depth + 1)
        : isObject
          ? filtersOf(member, own.type, types, depth + 1).map((one) => ({ ...one, path: [own.name, ...one.path] }))
          : comparisonOf(member, own, types);
    return below.map((one) => ({
      ...one,
      name: `${filter.name}.${one.name}`,
      given: (value) => ({ [member.name]: one.given(value) }),
    }));
  });
}

/** Operators such as `{ eq, in, gte, lte, contains }` for one member. */
const comparisons: readonly (readonly [RegExp, Pick<Found, "test" | "includesBound">])[] = [
  [/^(?:eq|equals?|is|equalto|in|anyof|oneof)$/, { test: "is" }],
  [/^(?:min|gte|ge|atleast|greaterthanorequal(?:to)?)$/, { test: "minimum", includesBound: true }],
  [/^(?:max|lte|le|atmost|lessthanorequal(?:to)?)$/, { test: "maximum", includesBound: true }],
  [/^(?:gt|greaterthan)$/, { test: "minimum", includesBound: false }],
  [/^(?:lt|lessthan)$/, { test: "maximum", includesBound: false }],
  [/^(?:after|since|from)$/, { test: "minimum" }],
  [/^(?:before|until|to)$/, { test: "maximum" }],
  [/^(?:contains|includes)$/, { test: "contains" }],
  [/^(?:startswith|prefix)$/, { test: "prefix" }],
];

function comparisonOf(filter: RecordMember, own: RecordMember, types: SuiteTypes): readonly Found[] {
  const found = comparisons.find(([pattern]) => pattern.test(plainName(filter.name)));
  const includesBound = filter.includesBound ?? found?.[1].includesBound;
  return found === undefined ? [] : fitting(filter, { ...memberParts(own), ...found[1], includesBound }, types);
}

/** Patterns of names with the relation to the member that the rest of the name names. */
const namePatterns: readonly (readonly [FilterTest, RegExp])[] = [
  ["contains", /^(.+?)_?(?:contains|includes)$/i],
  ["prefix", /^(.+?)_?starts_?with$/i],
  ["present", /^has_?(.+)$/i],
];

/** Returns the most plausible filter of one value. */
function memberFor(filter: FilterParameter, element: SuiteType, types: SuiteTypes): readonly Found[] {
  const { name, type } = filter;
  const members = membersOf(element, types);
  const plain = plainName(name);
  const named = (wanted: string): readonly RecordMember[] =>
    members.filter((one) => plainName(one.name) === wanted).slice(0, 1);
  const same = [plain, singularOf(plain), `${plain}s`, plain.replace(/(?:in|anyof)$/, "")].flatMap(named);
  const range = rangeRoleOf(name, comparableMembers(members, filter, types), types);
  const isInclusive = inclusiveName.test(plain) ? true : exclusiveName.test(name) ? false : undefined;
  const includesBound = filter.includesBound ?? isInclusive;
  const candidates: readonly Candidate[] = [
    ...same.map((own) => ({ test: "is" as const, ...containedIn(own, type, types) })),
    ...(range === undefined
      ? []
      : [{ test: range.kind, ...memberParts(range.member), includesBound, isOfPart: range.isOfPart }]),
    ...namePatterns.flatMap(([test, pattern]) =>
      named(plainName(pattern.exec(name)?.[1] ?? "")).map((own) => ({ test, ...memberParts(own) })),
    ),
    ...keyOfObject(name, members, types),
    ...(range === undefined ? sameChoice(filter, members, types) : []),
  ];
  return candidates.flatMap((one) => fitting(filter, one, types)).slice(0, 1);
}

/**
 * Returns the path to the value in a member: the member itself, its elements, or the only member of its objects that has the same listed
 * values.
 */
function containedIn(own: RecordMember, type: SuiteType, types: SuiteTypes): Pick<Found, "path" | "member"> {
  const inside = elementOf(own.type, 0, types) ?? own.type;
  const wanted = new Set(listedValues(type, types).map(String));
  const inner = membersOf(inside, types).filter((one) => {
    const listed = listedValues(one.type, types);
    const isSameName = type.kind === "reference" && one.type.kind === "reference" && one.type.target === type.target;
    return isSameName || (listed.length > 0 && listed.every((value) => wanted.has(String(value))));
  });
  const [only, ...others] = inner;
  return only === undefined || others.length > 0 ? memberParts(own) : memberParts(only, own);
}

/** Returns the path and the type of a member of elements, or of a nested one. */
function memberParts(member: RecordMember, around?: RecordMember): Pick<Found, "path" | "member"> {
  return { path: around === undefined ? [member.name] : [around.name, member.name], member: member.type };
}

/** Matches `authorId` with the `id` of `author`. */
function keyOfObject(name: string, members: readonly RecordMember[], types: SuiteTypes): readonly Candidate[] {
  const [, object] = /^(.+?)_?id$/i.exec(name) ?? [];
  const own = members.find((one) => object !== undefined && plainName(one.name) === plainName(object));
  const key = memberOf(own?.type, "id", types);
  return own === undefined || key === undefined ? [] : [{ test: "is", ...memberParts(key, own) }];
}

/** Matches the only member, of elements or of their objects, with all values of the parameter's enumeration. */
function sameChoice(
  { name, type }: FilterParameter,
  members: readonly RecordMember[],
  types: SuiteTypes,
): readonly Candidate[] {
  const wordsOf = (of: SuiteType): readonly string[] =>
    listedOf(of, types).flatMap((value) => (typeof value === "string" ? [wordKey(value)] : []));
  const wanted = wordsOf(elementOf(type, 0, types) ?? type);
  if (wanted.length < 2) return [];
  const isSame = (of: SuiteType): boolean => {
    const own = new Set(wordsOf(of));
    return wanted.every((word) => own.has(word));
  };
  const [only, ...others] = members.flatMap((one) => [
    ...(isSame(one.type) ? [memberParts(one)] : []),
    ...membersOf(one.type, types)
      .filter((inner) => plainName(inner.name) === plainName(name) && isSame(inner.type))
      .map((inner) => memberParts(inner, one)),
  ]);
  return only === undefined || others.length > 0 ? [] : [{ test: "is", ...only }];
}

/**
 * Returns members that values of a parameter can be compared with: times only with times, unless the description shows times as numbers.
 * Excludes ids, which have an order unrelated to the values.
 */
function comparableMembers(
  members: readonly RecordMember[],
  { type, examples = [] }: FilterParameter,
  types: SuiteTypes,
): readonly RecordMember[] {
  const isTime = isTimeType(type, types) || [...examples, ...(type.examples ?? []), type.default].some(isUnixTime);
  return members.filter(
    (one) => !/id$/i.test(one.name) && (isTimeType(one.type, types) === isTime || (isTime && isMomentName(one.name))),
  );
}

/** Names of bounds that exclude the bound itself: `created[lt]`. */
const exclusiveName = /(?:\b|_)[gl]t\b/i;
/** Names of bounds that include the bound itself. */
const inclusiveName = /gte|lte|atleast|atmost|notbefore|notafter/;

type Candidate = Pick<Found, "test" | "path" | "member" | "includesBound" | "isOfPart">;

/** Returns the filter if the types of the parameter and of the member match. */
function fitting(filter: FilterParameter, candidate: Candidate, types: SuiteTypes): readonly Found[] {
  const { name, type } = filter;
  const isOneSided = filter.isOneSided === true || (filter.default ?? type.default) !== undefined;
  const listed = elementOf(type, 0, types);
  const held = elementOf(candidate.member, 0, types);
  const test = held !== undefined && candidate.test === "is" ? "has" : candidate.test;
  const [one, member] = [listed ?? type, held ?? candidate.member];
  if (!areComparable(test, one, member, types) || (listed !== undefined && test !== "is" && test !== "has")) return [];
  const given = (value: unknown): unknown => (listed === undefined || Array.isArray(value) ? value : [value]);
  const order = test === "minimum" || test === "maximum" ? listedValues(one, types) : [];
  const ordered = order.length > 0 ? { order, includesBound: candidate.includesBound ?? true } : {};
  const isRequired = filter.required;
  const takesList = listed !== undefined;
  return [{ ...candidate, ...ordered, name, test, type: one, member, isRequired, takesList, isOneSided, given }];
}
