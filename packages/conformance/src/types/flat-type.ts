import type { JsonValue } from "@nodewright/api-model";
import { withPlace } from "../suite/with-place.ts";
import type {
  Bound,
  ListType,
  NumberType,
  RecordMember,
  RecordType,
  StringType,
  SuiteType,
  SuiteTypes,
  UnionType,
} from "../suite/suite-type.ts";
import { patternMatches } from "./pattern.ts";
import { isValueOf } from "./violations.ts";

/** A type whose outermost part is neither a reference nor made of others, but for alternatives. */
export type FlatType = Exclude<
  SuiteType,
  { readonly kind: "reference" | "intersection" | "not" | "conditional" | "unevaluated" }
>;

const maximumDepth = 40;
const maximumArms = 64;
const anyType: FlatType = { kind: "any" };
const neverType: FlatType = { kind: "never" };

/**
 * What a type asks of a value's outermost part, with references followed and intersections merged: what values are made from. It may
 * allow more than the type does (what is negated is left out), so values are held against the type afterwards.
 */
export function flatTypeOf(type: SuiteType, types: SuiteTypes): FlatType {
  return flatten(type, types, 0);
}

function flatten(type: SuiteType, types: SuiteTypes, depth: number): FlatType {
  if (depth > maximumDepth) return anyType;
  switch (type.kind) {
    case "reference": {
      const target = Object.hasOwn(types, type.target) ? types[type.target] : undefined;
      return target === undefined ? anyType : flatten(target, types, depth + 1);
    }
    case "intersection":
      return type.members
        .map((member) => flatten(member, types, depth + 1))
        .reduce((left, right) => merge(left, right, types, depth + 1), anyType);
    case "not":
      return anyType;
    case "conditional": {
      const { condition, consequence, alternative } = type;
      const members: readonly SuiteType[] = [{ kind: "intersection", members: [condition, consequence] }, alternative];
      return flatUnion({ kind: "union", mode: "any-of", members }, types, depth + 1);
    }
    case "unevaluated":
      return closed(flatten(type.base, types, depth + 1), type.members, type.elements);
    case "union":
      return flatUnion(type, types, depth + 1);
    default:
      return type;
  }
}

/** Alternatives within alternatives become alternatives beside them. */
function flatUnion(type: UnionType, types: SuiteTypes, depth: number): FlatType {
  const arms = type.members.flatMap((member) => {
    const arm = flatten(member, types, depth);
    return arm.kind === "union" ? arm.members : [member];
  });
  return { ...type, members: arms.slice(0, maximumArms) };
}

/** What stands under `unevaluated` is said of the members that the base does not name. */
function closed(base: FlatType, members: SuiteType | undefined, elements: SuiteType | undefined): FlatType {
  if (base.kind === "record" && members !== undefined && base.evaluatesAll !== true)
    return { ...base, additional: members };
  if (base.kind === "list" && elements !== undefined && base.evaluatesAll !== true)
    return { ...base, element: elements };
  return base;
}

function merge(left: FlatType, right: FlatType, types: SuiteTypes, depth: number): FlatType {
  if (left.kind === "any") return right;
  if (right.kind === "any") return left;
  if (left.kind === "never" || right.kind === "never") return neverType;
  if (left.kind === "union") return mergeUnion(left, right, types, depth);
  if (right.kind === "union") return mergeUnion(right, left, types, depth);
  if (left.kind === "enumeration")
    return { ...left, values: left.values.filter((value) => isValueOf(right, value, types, "request")) };
  if (right.kind === "enumeration")
    return { ...right, values: right.values.filter((value) => isValueOf(left, value, types, "request")) };
  if (left.kind === "string" && right.kind === "string") return mergeTexts(left, right);
  if (left.kind === "number" && right.kind === "number") return mergeNumbers(left, right);
  if (left.kind === "list" && right.kind === "list") return mergeLists(left, right);
  if (left.kind === "record" && right.kind === "record") return mergeRecords(left, right);
  return mergeKinds(left, right);
}

function mergeUnion(union: UnionType, other: FlatType, types: SuiteTypes, depth: number): FlatType {
  if (depth > maximumDepth) return union;
  const members = union.members
    .map((member) => merge(flatten(member, types, depth + 1), other, types, depth + 1))
    .filter(({ kind }) => kind !== "never");
  const [only] = members;
  if (only === undefined) return neverType;
  return members.length === 1 ? only : { ...union, members };
}

/** Of two kinds: what is said of the other kind of value only does not matter. */
function mergeKinds(left: FlatType, right: FlatType): FlatType {
  if (left.kind === right.kind) return left;
  const isLeftImplied = "isKindImplied" in left && left.isKindImplied === true;
  const isRightImplied = "isKindImplied" in right && right.isKindImplied === true;
  if (isLeftImplied && isRightImplied) return { kind: "union", mode: "any-of", members: [left, right] };
  if (isLeftImplied) return right;
  return isRightImplied ? left : neverType;
}

interface Implied {
  readonly isKindImplied?: boolean;
}

interface Shown {
  readonly examples?: readonly JsonValue[];
}

/** What both say of kinds and shown values. */
function commonOf(left: Implied & Shown, right: Implied & Shown): { isKindImplied: boolean; examples: JsonValue[] } {
  return {
    isKindImplied: left.isKindImplied === true && right.isKindImplied === true,
    examples: [...(left.examples ?? []), ...(right.examples ?? [])],
  };
}

function mergeTexts(left: StringType, right: StringType): FlatType {
  return {
    ...left,
    ...right,
    ...commonOf(left, right),
    ...greatest("minLength", left.minLength, right.minLength),
    ...least("maxLength", left.maxLength, right.maxLength),
  };
}

function mergeNumbers(left: NumberType, right: NumberType): FlatType {
  return {
    ...left,
    ...right,
    ...commonOf(left, right),
    integer: left.integer || right.integer,
    ...greatest("minimum", left.minimum, right.minimum),
    ...greatest("exclusiveMinimum", left.exclusiveMinimum, right.exclusiveMinimum),
    ...least("maximum", left.maximum, right.maximum),
    ...least("exclusiveMaximum", left.exclusiveMaximum, right.exclusiveMaximum),
  };
}

function mergeLists(left: ListType, right: ListType): FlatType {
  const prefixes = [left.prefix ?? [], right.prefix ?? []] as const;
  const length = Math.max(prefixes[0].length, prefixes[1].length);
  const prefix = Array.from({ length }, (_none, index) =>
    both(prefixes[0][index] ?? left.element, prefixes[1][index] ?? right.element),
  );
  return {
    ...left,
    ...right,
    ...commonOf(left, right),
    prefix,
    element: both(left.element, right.element),
    uniqueItems: left.uniqueItems === true || right.uniqueItems === true,
    ...greatest("minItems", left.minItems, right.minItems),
    ...least("maxItems", left.maxItems, right.maxItems),
  };
}

function mergeRecords(left: RecordType, right: RecordType): FlatType {
  const names = [...new Set([...left.members, ...right.members].map(({ name }) => name))];
  const ofLeft = new Map(left.members.map((member) => [member.name, member]));
  const ofRight = new Map(right.members.map((member) => [member.name, member]));
  const members = names.map((name) => mergeMembers(name, [left, ofLeft.get(name)], [right, ofRight.get(name)]));
  return {
    ...left,
    ...right,
    ...commonOf(left, right),
    members,
    additional: both(left.additional ?? anyType, right.additional ?? anyType),
    patterns: [...(left.patterns ?? []), ...(right.patterns ?? [])],
    dependencies: [...(left.dependencies ?? []), ...(right.dependencies ?? [])],
    evaluatesAll: left.evaluatesAll === true || right.evaluatesAll === true,
    ...greatest("minProperties", left.minProperties, right.minProperties),
    ...least("maxProperties", left.maxProperties, right.maxProperties),
  };
}

type Side = readonly [RecordType, RecordMember | undefined];

function mergeMembers(name: string, left: Side, right: Side): RecordMember {
  const access = left[1]?.access ?? right[1]?.access;
  const place = left[1]?.place ?? right[1]?.place;
  return {
    name,
    type: both(memberType(name, left), memberType(name, right)),
    required: left[1]?.required === true || right[1]?.required === true,
    ...(access === undefined ? {} : { access }),
    ...withPlace(place),
  };
}

/** What one of two records says of a member. */
function memberType(name: string, [record, member]: Side): SuiteType {
  if (member !== undefined && member.isUndescribed !== true) return member.type;
  const pattern = record.patterns?.find((one) => patternMatches(one.pattern, name));
  return pattern?.type ?? record.additional ?? anyType;
}

function both(left: SuiteType, right: SuiteType): SuiteType {
  if (left.kind === "any" || left === right) return right;
  if (right.kind === "any") return left;
  return { kind: "intersection", members: [left, right] };
}

type Named<Name extends string, Value> = { readonly [Each in Name]?: Value };

function greatest<Name extends string, Value extends Bound>(
  name: Name,
  left: Value | undefined,
  right: Value | undefined,
): Named<Name, Value> {
  return chosen(name, left, right, (one, other) => one >= other);
}

function least<Name extends string, Value extends Bound>(
  name: Name,
  left: Value | undefined,
  right: Value | undefined,
): Named<Name, Value> {
  return chosen(name, left, right, (one, other) => one <= other);
}

function chosen<Name extends string, Value extends Bound>(
  name: Name,
  left: Value | undefined,
  right: Value | undefined,
  isChosen: (left: Bound, right: Bound) => boolean,
): Named<Name, Value> {
  const value = left === undefined || (right !== undefined && !isChosen(left, right)) ? right : left;
  return value === undefined ? {} : ({ [name]: value } as Named<Name, Value>);
}
