import { armsOf, elementOf, isTimeType, listedOf, memberOf, membersOf } from "../compare/member-facts.ts";
import { rangeRoleOf } from "../compare/range-role.ts";
import { plainName } from "../compare/volatile-names.ts";
import { textOf } from "../compare/list-of.ts";
import type { RecordMember, SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { singularOf } from "./singular.ts";
import type { Parameter } from "./list-roles.ts";

/**
 * How a value that is called for and one that an element has go together. `has`: the element's list has it; `present`: whether the element
 * has a value at all.
 */
type FilterTest = "is" | "has" | "contains" | "prefix" | "present" | "minimum" | "maximum";

/** A way to choose elements of a list by a member of theirs. */
export interface InferredFilter {
  readonly parameter: Parameter;
  /** As the description has it: `filter.ward.floor`. */
  readonly name: string;
  readonly test: FilterTest;
  /** From an element to the member. */
  readonly path: readonly string[];
  /** Of one value that is called for. */
  readonly type: SuiteType;
  /** Of one value that an element has. */
  readonly member: SuiteType;
  /** Whether several values can be called for at once, any of which an element may have. */
  readonly takesList: boolean;
  /** Of a range: whether a value at the bound is within; absent where nothing says so. */
  readonly includesBound?: boolean;
  /** Of a range: true where only a part of the member's name says that it is of this one. */
  readonly isOfPart?: boolean;
  readonly guess: string;
  /** The value of the parameter that chooses by a value. */
  given(value: unknown): unknown;
}

/** Objects within each other that are followed. */
const deepest = 3;

/** The ways in which parameters choose elements, as far as names and types tell. */
export function inferFilters(
  parameters: readonly Parameter[],
  element: SuiteType,
  types: SuiteTypes,
): readonly InferredFilter[] {
  return parameters
    .filter(({ required }) => !required)
    .flatMap((parameter) =>
      filtersOf(
        { name: parameter.name, type: parameter.type, includesBound: parameter.includesBound },
        element,
        types,
        0,
      ).map((one) => ({
        ...one,
        parameter,
        guess: `\`${one.name}\` is taken to choose elements by \`${one.path.join(".")}\`, as their names and types say`,
      })),
    );
}

type Found = Omit<InferredFilter, "parameter" | "guess">;

interface Asked {
  readonly name: string;
  readonly type: SuiteType;
  readonly includesBound?: boolean | undefined;
}

function filtersOf(asked: Asked, element: SuiteType, types: SuiteTypes, depth: number): readonly Found[] {
  const inner = membersOf(asked.type, types);
  if (inner.length === 0) {
    const found = memberFor(asked, element, types);
    return found === undefined ? [] : [found];
  }
  if (depth >= deepest || elementOf(asked.type, 0, types) !== undefined) return [];
  const own = memberOf(element, asked.name, types);
  const isObject = membersOf(own?.type, types).length > 0;
  // An object may need members that say nothing here.
  const optional = inner.filter(({ name }) => inner.every((other) => other.name === name || !other.required));
  return optional.flatMap((member): readonly Found[] => {
    const below =
      own === undefined
        ? filtersOf(member, element, types, depth + 1)
        : isObject
          ? filtersOf(member, own.type, types, depth + 1).map((one) => ({ ...one, path: [own.name, ...one.path] }))
          : comparisonOf(member, own, types);
    return below.map((one) => ({
      ...one,
      name: `${asked.name}.${one.name}`,
      given: (value) => ({ [member.name]: one.given(value) }),
    }));
  });
}

/** `{ eq, in, gte, lte, contains }` for one member: what is written as a comparison is meant as one. */
const comparisons: readonly (readonly [RegExp, Pick<Found, "test" | "includesBound">])[] = [
  [/^(?:eq|equals?|is|equalto|in|anyof|oneof)$/, { test: "is" }],
  [/^(?:min|gte|ge|atleast|greaterthanorequal(?:to)?)$/, { test: "minimum", includesBound: true }],
  [/^(?:max|lte|le|atmost|lessthanorequal(?:to)?)$/, { test: "maximum", includesBound: true }],
  [/^(?:gt|greaterthan|after|since|from)$/, { test: "minimum" }],
  [/^(?:lt|lessthan|before|until|to)$/, { test: "maximum" }],
  [/^(?:contains|includes)$/, { test: "contains" }],
  [/^(?:startswith|prefix)$/, { test: "prefix" }],
];

function comparisonOf({ name, type }: RecordMember, own: RecordMember, types: SuiteTypes): readonly Found[] {
  const found = comparisons.find(([pattern]) => pattern.test(plainName(name)));
  return found === undefined ? [] : fitting({ name, type, path: [own.name], member: own.type, ...found[1] }, types);
}

/** Patterns of names that say how the value goes with that of the member that is called as the rest of the name. */
const namePatterns: readonly (readonly [FilterTest, RegExp])[] = [
  ["contains", /^(.+?)_?(?:contains|includes)$/i],
  ["prefix", /^(.+?)_?starts_?with$/i],
  ["present", /^has_?(.+)$/i],
];

function memberFor({ name, type, includesBound }: Asked, element: SuiteType, types: SuiteTypes): Found | undefined {
  const members = membersOf(element, types);
  const plain = plainName(name);
  const named = (wanted: string): RecordMember | undefined => members.find((one) => plainName(one.name) === wanted);
  const asked = { name, type };
  const same = [plain, singularOf(plain), `${plain}s`, plain.replace(/(?:in|anyof)$/, "")].flatMap(
    (wanted) => named(wanted) ?? [],
  );
  const equal = same.flatMap((own) => fitting({ ...asked, test: "is", ...heldBy(own, type, types) }, types));
  const range = rangeRoleOf(name, comparableMembers(members, type, types), types);
  const bounded =
    range === undefined
      ? []
      : fitting(
          {
            ...asked,
            test: range.kind,
            path: [range.member.name],
            member: range.member.type,
            ...boundOf(name, includesBound),
          },
          types,
        ).map((one) => (range.isOfPart === true ? { ...one, isOfPart: true } : one));
  const partial = namePatterns.flatMap(([test, pattern]) => {
    const own = named(plainName(pattern.exec(name)?.[1] ?? ""));
    return own === undefined ? [] : fitting({ ...asked, test, path: [own.name], member: own.type }, types);
  });
  return [
    ...equal,
    ...bounded,
    ...partial,
    ...keyOfObject(asked, members, types),
    ...sameChoice(asked, members, types),
  ][0];
}

/** Where a member holds the value: itself, its elements, or the only member of its objects that has the same listed values. */
function heldBy(own: RecordMember, type: SuiteType, types: SuiteTypes): Pick<Found, "path" | "member"> {
  const inside = elementOf(own.type, 0, types) ?? own.type;
  const wanted = new Set(listedValues(type, types).map(textOf));
  const inner = membersOf(inside, types).filter((one) => {
    const listed = listedValues(one.type, types);
    const isSameName = type.kind === "reference" && one.type.kind === "reference" && one.type.target === type.target;
    return isSameName || (listed.length > 0 && listed.every((value) => wanted.has(textOf(value))));
  });
  const [only, ...others] = inner;
  return only === undefined || others.length > 0
    ? { path: [own.name], member: own.type }
    : { path: [own.name, only.name], member: only.type };
}

/** `authorId` is the `id` of `author`. */
function keyOfObject(asked: Asked, members: readonly RecordMember[], types: SuiteTypes): readonly Found[] {
  const [, object] = /^(.+?)_?id$/i.exec(asked.name) ?? [];
  const own = members.find(({ name }) => object !== undefined && plainName(name) === plainName(object));
  const key = own === undefined ? undefined : memberOf(own.type, "id", types);
  return own === undefined || key === undefined
    ? []
    : fitting({ ...asked, test: "is", path: [own.name, key.name], member: key.type }, types);
}

/** The only member, of elements or of what they lead to, that has the very values that the parameter lists. */
function sameChoice(asked: Asked, members: readonly RecordMember[], types: SuiteTypes): readonly Found[] {
  const wordsOf = (type: SuiteType): readonly string[] =>
    listedOf(type, types).flatMap((value) => (typeof value === "string" ? [wordKey(value)] : []));
  const wanted = wordsOf(elementOf(asked.type, 0, types) ?? asked.type);
  if (wanted.length < 2) return [];
  const isSame = (type: SuiteType): boolean => {
    const own = new Set(wordsOf(type));
    return wanted.every((word) => own.has(word));
  };
  const found = members.flatMap((one) => [
    ...(isSame(one.type) ? [{ path: [one.name], member: one.type }] : []),
    ...membersOf(one.type, types)
      .filter(({ name, type }) => plainName(name) === plainName(asked.name) && isSame(type))
      .map(({ name, type }) => ({ path: [one.name, name], member: type })),
  ]);
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? [] : fitting({ ...asked, test: "is", ...only }, types);
}

/** Equal for words that mean the same: `DOCTORS`, `doctor` and `Doctor`. */
export function wordKey(word: string): string {
  return singularOf(plainName(word));
}

/** The values that a type lists; those of its elements where it is a list. */
export function listedValues(type: SuiteType, types: SuiteTypes): readonly unknown[] {
  return armsOf(type, types).flatMap((arm): readonly unknown[] => {
    if (arm.kind === "boolean") return [true, false];
    return listedOf(arm.kind === "list" ? arm.element : arm, types);
  });
}

/** Members that values of a type can be compared with: times with times alone. What comes after an id comes later in any order. */
function comparableMembers(
  members: readonly RecordMember[],
  type: SuiteType,
  types: SuiteTypes,
): readonly RecordMember[] {
  const isTime = isTimeType(type, types);
  return members.filter((one) => isTimeType(one.type, types) === isTime && !/id$/i.test(one.name));
}

/** Names that say that a bound is itself within. */
const inclusiveName = /gte|lte|atleast|atmost|notbefore|notafter/;

function boundOf(name: string, isSaid: boolean | undefined): Pick<Found, "includesBound"> {
  const includesBound = isSaid ?? (inclusiveName.test(plainName(name)) ? true : undefined);
  return includesBound === undefined ? {} : { includesBound };
}

type Candidate = Pick<Found, "name" | "test" | "path" | "type" | "member"> & {
  readonly includesBound?: boolean | undefined;
};

/** The filter, where values of the parameter and of the member are of one kind. */
function fitting(candidate: Candidate, types: SuiteTypes): readonly Found[] {
  const { name, test, path, includesBound } = candidate;
  const listed = elementOf(candidate.type, 0, types);
  const held = elementOf(candidate.member, 0, types);
  const type = listed ?? candidate.type;
  const member = held ?? candidate.member;
  const meant = held !== undefined && test === "is" ? "has" : test;
  if (!isFit(meant, type, member, types) || (listed !== undefined && meant !== "is" && meant !== "has")) return [];
  const one = { name, test: meant, path, type, member, takesList: listed !== undefined };
  return [
    {
      ...one,
      ...(includesBound === undefined ? {} : { includesBound }),
      given: listed === undefined ? (value) => value : (value) => (Array.isArray(value) ? value : [value]),
    },
  ];
}

function isFit(test: FilterTest, type: SuiteType, member: SuiteType, types: SuiteTypes): boolean {
  const [asked, own] = [kindsOf(type, types), kindsOf(member, types)];
  if (asked.has("record") || own.has("record") || own.has("list")) return false;
  const isBoolean = asked.has("boolean");
  switch (test) {
    case "present":
      return isBoolean && !own.has("boolean");
    case "contains":
    case "prefix":
      return asked.has("string") && own.has("string");
    case "minimum":
    case "maximum":
      return !isBoolean && !own.has("boolean") && !asked.has("enumeration");
    default:
      return isBoolean === own.has("boolean") || own.has("any");
  }
}

function kindsOf(type: SuiteType, types: SuiteTypes): ReadonlySet<SuiteType["kind"]> {
  return new Set(armsOf(type, types).map(({ kind }) => kind));
}
