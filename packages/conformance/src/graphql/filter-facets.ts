import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  isScalarType,
  isSpecifiedScalarType,
} from "graphql";
import { plainName } from "../compare/volatile-names.ts";
import { isRecord } from "../types/is-record.ts";
import { isKeyName } from "./field-names.ts";
import { kebab } from "./graphql-case.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { singularOf } from "./relations-within.ts";
import type { GivenArgument } from "./selection.ts";

/**
 * How a value that is asked for and one that an element has go together. `min` and `max` include the value, `above` and `below` do not,
 * `from` and `until` leave that open; `has` is of a list, and `present` tells whether there is a value at all.
 */
export type FacetTest = "is" | "in" | RangeTest | "contains" | "prefix" | "has" | "present";

export type RangeTest = "min" | "max" | "from" | "until" | "above" | "below";

/** One thing that elements of a list can be chosen by: an argument, or a member of one. */
export interface Facet {
  /** kebab-case. */
  readonly label: string;
  /** As the document has it: `filter.ward.floor`. */
  readonly name: string;
  readonly test: FacetTest;
  /** From an element to the member; the last one is a leaf, or `__typename`. */
  readonly path: readonly string[];
  /** Of the object that has the member. */
  readonly owner: GraphQLNamedType;
  readonly leaf: GraphQLNamedType;
  /** Whether the names leave nothing open: a choice, a key, a least or a most. */
  readonly isCertain: boolean;
  /** What is meant where nothing is said: it may choose nothing. */
  readonly defaultValue: unknown;
  readonly argument: GraphQLArgument;
  /** The argument without the member; undefined where it is left out. */
  readonly plain: GivenArgument | undefined;
  given(value: unknown): GivenArgument;
}

/** Names of arguments that say which part of a list is wanted, without separators and in lower case. */
const pageNames =
  /^(?:page|pages|paging|pagination|pageno|pagenumber|pagesize|perpage|size|count|limit|offset|skip|take|first|last|top|after|before|cursor|range)$/;

/** Input objects within each other that are followed. */
const deepestFilter = 3;

/** What the elements of a type can be chosen by with an argument, as far as the names say it. */
export function facetsOf(
  run: GraphqlRun,
  element: GraphQLNamedType,
  argument: GraphQLArgument,
  before: GivenArgument | undefined,
): readonly Facet[] {
  if (pageNames.test(plainName(argument.name))) return [];
  const type = getNullableType(argument.type);
  const given = (value: unknown): GivenArgument => ({ name: argument.name, type: argument.type, value });
  if (!isInputObjectType(type)) {
    const found = memberFor(run, element, argument);
    const label = kebab(argument.name);
    return found === undefined
      ? []
      : [
          {
            ...found,
            label,
            name: argument.name,
            defaultValue: argument.defaultValue,
            argument,
            plain: before,
            given,
          },
        ];
  }
  const base = isRecord(before?.value) ? before.value : run.sampleOf(argument.name, argument.type);
  if (!isRecord(base)) return [];
  const plain = given(base);
  return inputFacets(run, element, type, base, 0).map((one) => ({
    ...one,
    label: `${kebab(argument.name)}-${one.label}`,
    name: `${argument.name}.${one.name}`,
    argument,
    plain,
    given: (value) => given(one.put(value)),
  }));
}

type FoundMember = Pick<Facet, "test" | "path" | "owner" | "leaf" | "isCertain">;

interface InputFacet extends FoundMember {
  readonly label: string;
  readonly name: string;
  readonly defaultValue: unknown;
  put(value: unknown): unknown;
}

function inputFacets(
  run: GraphqlRun,
  element: GraphQLNamedType,
  type: GraphQLNamedType,
  base: Readonly<Record<string, unknown>>,
  depth: number,
): readonly InputFacet[] {
  if (!isInputObjectType(type) || depth > deepestFilter) return [];
  return Object.values(type.getFields()).flatMap((field): readonly InputFacet[] => {
    const put = (value: unknown): unknown => ({ ...base, [field.name]: value });
    const inner = getNullableType(field.type);
    if (isInputObjectType(inner)) return innerFacets(run, element, field.name, inner, put, depth);
    const found = memberFor(run, element, field);
    return found === undefined
      ? []
      : [{ ...found, label: kebab(field.name), name: field.name, defaultValue: field.defaultValue, put }];
  });
}

/** An input object for an object of the elements, or one of comparisons with a member of them. */
function innerFacets(
  run: GraphqlRun,
  element: GraphQLNamedType,
  name: string,
  type: GraphQLNamedType,
  put: (value: unknown) => unknown,
  depth: number,
): readonly InputFacet[] {
  const member = fieldsOf(element)[name];
  if (member === undefined || member.args.some(isRequiredArgument) || !isInputObjectType(type)) return [];
  const base = run.sampleOf(name, type);
  if (!isRecord(base) || isListType(getNullableType(member.type))) return [];
  const leaf = getNamedType(member.type);
  const inner = isLeafType(leaf)
    ? comparisonFacets(element, name, leaf, type, base)
    : inputFacets(run, leaf, type, base, depth + 1).map((one) => ({ ...one, path: [name, ...one.path] }));
  return inner.map((one) => ({
    ...one,
    label: `${kebab(name)}-${one.label}`,
    name: `${name}.${one.name}`,
    put: (value) => put(one.put(value)),
  }));
}

const comparisons: ReadonlyMap<string, FacetTest> = new Map([
  ...["eq", "equals", "equal", "is", "equalto"].map((name) => [name, "is"] as const),
  ...["in", "anyof", "oneof"].map((name) => [name, "in"] as const),
  ...["min", "gte", "ge", "atleast", "greaterthanorequal", "greaterthanorequalto"].map(
    (name) => [name, "min"] as const,
  ),
  ...["max", "lte", "le", "atmost", "lessthanorequal", "lessthanorequalto"].map((name) => [name, "max"] as const),
  ...["gt", "greaterthan", "after", "since", "from"].map((name) => [name, "from"] as const),
  ...["lt", "lessthan", "before", "until", "to"].map((name) => [name, "until"] as const),
  ...["contains", "includes"].map((name) => [name, "contains"] as const),
  ...["startswith", "prefix"].map((name) => [name, "prefix"] as const),
]);

/** `{ eq, in, gte, lte, contains }` for one member. */
function comparisonFacets(
  element: GraphQLNamedType,
  member: string,
  leaf: GraphQLNamedType,
  type: GraphQLNamedType,
  base: Readonly<Record<string, unknown>>,
): readonly InputFacet[] {
  if (!isInputObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap((field): readonly InputFacet[] => {
    const test = comparisons.get(plainName(field.name));
    if (test === undefined || !isFit(test, leaf, field.type)) return [];
    const put = (value: unknown): unknown => ({ ...base, [field.name]: value });
    // What is written out as a comparison is meant as one.
    const isCertain = test !== "contains" && test !== "prefix";
    const { name, defaultValue } = field;
    return [{ label: kebab(name), name, defaultValue, test, path: [member], owner: element, leaf, isCertain, put }];
  });
}

type Fields = ReturnType<Extract<GraphQLNamedType, { getInterfaces: unknown }>["getFields"]>;

function fieldsOf(type: GraphQLNamedType): Fields {
  return isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
}

/** The member of elements that an argument's name means. */
function memberFor(
  run: GraphqlRun,
  element: GraphQLNamedType,
  { name, type, description }: GraphQLArgument | GraphQLInputField,
): FoundMember | undefined {
  const isList = isListType(getNullableType(type));
  const leaf = getNamedType(type);
  if (!isLeafType(leaf)) return undefined;
  const ofTypes = isEnumType(leaf) ? typeMember(run, element, leaf, isList) : undefined;
  for (const { test, member } of readings(name, isList)) {
    const path = test === "has" ? listPath(element, member) : leafPath(element, member, leaf, test);
    if (path === undefined || !isFit(test, path.leaf, type)) continue;
    const isOwn = path.path.length === 1 || !isEnumType(path.leaf);
    const isCertain =
      isRange(test) || test === "present" || (isOwn && isChoice(path.leaf) && (test === "is" || test === "in"));
    return { test: withEnd(test, description), ...path, isCertain };
  }
  return ofTypes;
}

const rangeTests: ReadonlySet<FacetTest> = new Set<RangeTest>(["min", "max", "from", "until", "above", "below"]);

/** Whether a test is of values from one on, or up to one. */
export function isRange(test: FacetTest): test is RangeTest {
  return rangeTests.has(test);
}

/** A range with the end that its description says. */
function withEnd(test: FacetTest, description: string | null | undefined): FacetTest {
  const said = description ?? "";
  if (/\binclusive\b/i.test(said) === /\bexclusive\b/i.test(said)) return test;
  const isIncluded = /\binclusive\b/i.test(said);
  if (test === "from") return isIncluded ? "min" : "above";
  if (test === "until") return isIncluded ? "max" : "below";
  return test;
}

/** What a name may mean, the plainest first. */
function readings(name: string, isList: boolean): readonly { readonly test: FacetTest; readonly member: string }[] {
  if (isList) {
    const plain = name.replace(/_?(?:in|In|anyOf|AnyOf)$/, "");
    return [name, singularOf(name), plain].map((member) => ({ test: "in", member }));
  }
  const found: { test: FacetTest; member: string }[] = [{ test: "is", member: name }];
  const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
  for (const [test, pattern] of namePatterns) {
    const [, member] = pattern.exec(name) ?? [];
    if (member !== undefined) found.push({ test, member: lower(member) });
  }
  found.push({ test: "has", member: `${name}s` });
  return found;
}

const namePatterns: readonly (readonly [FacetTest, RegExp])[] = [
  ["min", /^(?:min|minimum)_?(.+)$/],
  ["min", /^(.+?)_?(?:min|Min|gte|Gte|GTE)$/],
  ["max", /^(?:max|maximum)_?(.+)$/],
  ["max", /^(.+?)_?(?:max|Max|lte|Lte|LTE)$/],
  ["from", /^(.+?)_?(?:after|After|from|From|since|Since|gt|Gt|GT)$/],
  ["from", /^(?:from|since|after)_?([A-Z_].*)$/],
  ["until", /^(.+?)_?(?:before|Before|until|Until|To|lt|Lt|LT)$/],
  ["until", /^(?:to|until|before)_?([A-Z_].*)$/],
  ["contains", /^(.+?)_?(?:contains|Contains|includes|Includes)$/],
  ["prefix", /^(.+?)_?(?:starts_with|startsWith|StartsWith)$/],
  ["present", /^has_?([A-Z_].*)$/],
];

type MemberPath = Pick<FoundMember, "path" | "owner" | "leaf">;

/** A leaf of an element by its name; `authorId` is also the `id` of `author`. */
function leafPath(
  element: GraphQLNamedType,
  name: string,
  asked: GraphQLNamedType,
  test: FacetTest,
): MemberPath | undefined {
  const fields = fieldsOf(element);
  const own = fields[name] ?? (test === "from" || test === "until" ? timeField(element, name, asked) : undefined);
  if (own !== undefined) {
    const leaf = getNamedType(own.type);
    if (own.args.length > 0 || isListType(getNullableType(own.type))) return undefined;
    return isLeafType(leaf) ? { path: [own.name], owner: element, leaf } : ownScalarOf(own.name, leaf, asked);
  }
  const behind = leafBehind(element, name);
  if (behind !== undefined) return behind;
  const [, object] = /^(.+?)_?(?:Id|ID|id)$/.exec(name) ?? [];
  const link = object === undefined ? undefined : fields[object];
  if (object === undefined || link === undefined || link.args.length > 0 || isListType(getNullableType(link.type))) {
    return undefined;
  }
  const owner = getNamedType(link.type);
  const key = fieldsOf(owner)["id"];
  return key === undefined ? undefined : { path: [object, "id"], owner, leaf: getNamedType(key.type) };
}

/** `createdAfter` is of `createdAt`, and `startsUntil` of `startsOn`. */
function timeField(element: GraphQLNamedType, stem: string, asked: GraphQLNamedType): Fields[string] | undefined {
  return Object.values(fieldsOf(element)).find(
    ({ name, type }) =>
      getNamedType(type) === asked && plainName(name).replace(/(?:at|on|date|time)$/, "") === plainName(stem),
  );
}

/** What an object that elements lead to has of one of the schema's own scalars: `from: Address` is `from { address }`. */
function ownScalarOf(link: string, owner: GraphQLNamedType, asked: GraphQLNamedType): MemberPath | undefined {
  const found = Object.values(fieldsOf(owner)).filter(
    ({ type, args }) => getNullableType(type) === asked && args.length === 0 && isOwnScalar(asked),
  );
  const keys = found.filter(({ name }) => isKeyName(name));
  const [member, ...others] = found.length > 1 ? keys : found;
  return member === undefined || others.length > 0 ? undefined : { path: [link, member.name], owner, leaf: asked };
}

/** A list of leaves of an element, by the name of one of them. */
function listPath(element: GraphQLNamedType, name: string): MemberPath | undefined {
  const own = fieldsOf(element)[name];
  if (own === undefined || own.args.length > 0 || !isListType(getNullableType(own.type))) return undefined;
  const leaf = getNamedType(own.type);
  return isLeafType(leaf) ? { path: [name], owner: element, leaf } : undefined;
}

/** A choice by what the elements lead to: `kind` of stops that have a `train` with a `kind`, where nothing else has one. */
function leafBehind(element: GraphQLNamedType, name: string): MemberPath | undefined {
  const found = Object.values(fieldsOf(element)).flatMap((link) => {
    const owner = getNamedType(link.type);
    const member = fieldsOf(owner)[name];
    if (link.args.length > 0 || isListType(getNullableType(link.type)) || member === undefined) return [];
    const leaf = getNamedType(member.type);
    const isTelling = isEnumType(leaf) || isOwnScalar(leaf);
    const isPlain = isTelling && member.args.length === 0 && !isListType(getNullableType(member.type));
    return isPlain ? [{ path: [link.name, name], owner, leaf }] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/** Whether a scalar is one of the schema's own: what has the same one is of one kind. */
function isOwnScalar(type: GraphQLNamedType): boolean {
  return isScalarType(type) && !isSpecifiedScalarType(type);
}

function isFit(test: FacetTest, leaf: GraphQLNamedType, type: GraphQLInputType): boolean {
  if (isListType(getNullableType(type)) !== (test === "in")) return false;
  const isSame = getNamedType(type).name === leaf.name;
  switch (test) {
    case "min":
    case "max":
    case "from":
    case "until":
    case "above":
    case "below":
      return isSame && (leaf.name === "Int" || leaf.name === "Float" || isOwnScalar(leaf));
    case "present":
      return getNamedType(type).name === "Boolean" && leaf.name !== "Boolean";
    case "contains":
    case "prefix":
      return isSame && leaf.name === "String";
    default:
      return isSame;
  }
}

function isChoice(leaf: GraphQLNamedType): boolean {
  return isEnumType(leaf) || leaf.name === "ID" || leaf.name === "Boolean";
}

/** An enum of which each value names one of the types that elements have. */
function typeMember(
  run: GraphqlRun,
  element: GraphQLNamedType,
  leaf: GraphQLNamedType,
  isList: boolean,
): FoundMember | undefined {
  if (!isEnumType(leaf) || isObjectType(element) || isLeafType(element) || isScalarType(element)) return undefined;
  if (leaf.getValues().some(({ name }) => typeNamed(run, element, name) === undefined)) return undefined;
  return { test: isList ? "in" : "is", path: ["__typename"], owner: element, leaf, isCertain: true };
}

/** The possible type that an enum value names: `DOCTOR` and `DOCTORS` are `Doctor`. */
export function typeNamed(run: GraphqlRun, element: GraphQLNamedType, value: string): string | undefined {
  const named = run.schema.getType(element.name);
  if (named === undefined || !("getFields" in named || "getTypes" in named) || isInputObjectType(named))
    return undefined;
  if (isObjectType(named)) return named.name;
  const plain = plainName(value);
  return run.schema
    .getPossibleTypes(named)
    .map(({ name }) => name)
    .find((name) => plainName(name) === plain || plainName(name) === singularOf(plain));
}
