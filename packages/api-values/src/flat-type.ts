import type { Bound, RecordMember, UnionNode, TypeNode } from "@nodewright/api-model";
import type { NamedTypes } from "./named-types.ts";
import { isValueOf } from "./violations.ts";

/** A type whose outermost part is neither a reference nor a combination, except for alternatives. */
export type FlatType = Exclude<
  TypeNode,
  { readonly kind: "reference" | "intersection" | "not" | "conditional" | "unevaluated" }
>;

const maximumDepth = 40;
const maximumArms = 64;
const anyType: FlatType = { kind: "any" };
const neverType: FlatType = { kind: "never" };

/**
 * Returns the requirements of a type on a value's outermost part, with references resolved and intersections merged: the basis for
 * generating values. It may allow more than the type does, as negations are left out: values must be checked against the type itself.
 */
export function flatTypeOf(type: TypeNode, types: NamedTypes, depth = 0): FlatType {
  if (depth > maximumDepth) return anyType;
  const flat = (part: TypeNode): FlatType => flatTypeOf(part, types, depth + 1);
  switch (type.kind) {
    case "reference": {
      const target = Object.hasOwn(types, type.target) ? types[type.target] : undefined;
      return target === undefined ? anyType : flat(target);
    }
    case "intersection":
      return type.members.map(flat).reduce((left, right) => merge(left, right, types, depth + 1), anyType);
    case "not":
      return anyType;
    case "conditional": {
      const { condition, consequence, alternative } = type;
      const met: TypeNode = { kind: "intersection", members: [condition, consequence] };
      return flat({ kind: "union", mode: "any-of", members: [met, alternative] });
    }
    case "unevaluated": {
      const base = flat(type.base);
      const isOpen = base.kind === "record" && base.evaluatesAll !== true;
      return isOpen && type.members !== undefined ? { ...base, additional: type.members } : base;
    }
    case "union": {
      // Nested alternatives become alternatives of the outer union.
      const arms = type.members.flatMap((member) => {
        const arm = flat(member);
        return arm.kind === "union" ? arm.members : [member];
      });
      return { ...type, members: arms.slice(0, maximumArms) };
    }
    default:
      return type;
  }
}

function merge(left: FlatType, right: FlatType, types: NamedTypes, depth: number): FlatType {
  if (left.kind === "any") return right;
  if (right.kind === "any") return left;
  if (left.kind === "never" || right.kind === "never") return neverType;
  if (left.kind === "union") return mergeUnion(left, right, types, depth);
  if (right.kind === "union") return mergeUnion(right, left, types, depth);
  if (left.kind === "enumeration")
    return { ...left, values: left.values.filter((value) => isValueOf(right, value, types, "request")) };
  if (right.kind === "enumeration") return merge(right, left, types, depth);
  if (left.kind === right.kind) return mergeAlike(left, right);
  // Constraints on another kind of value only do not matter.
  const [isLeftImplied, isRightImplied] = [left, right].map((one) => "isKindImplied" in one && one.isKindImplied);
  if (isLeftImplied === true && isRightImplied === true)
    return { kind: "union", mode: "any-of", members: [left, right] };
  if (isLeftImplied === true) return right;
  return isRightImplied === true ? left : neverType;
}

function mergeUnion(union: UnionNode, other: FlatType, types: NamedTypes, depth: number): FlatType {
  if (depth > maximumDepth) return union;
  const members = union.members
    .map((member) => merge(flatTypeOf(member, types, depth + 1), other, types, depth + 1))
    .filter(({ kind }) => kind !== "never");
  const [only] = members;
  if (only === undefined) return neverType;
  return members.length === 1 ? only : { ...union, members };
}

const greater = (left: Bound, right: Bound): Bound => (left >= right ? left : right);
const less = (left: Bound, right: Bound): Bound => (left <= right ? left : right);
const either = (left: boolean, right: boolean): boolean => left || right;
const all = (left: readonly unknown[], right: readonly unknown[]): readonly unknown[] => [...left, ...right];

/** Functions that merge two types of one kind, by keyword; for all other keywords the second type takes precedence. */
const mergers: Readonly<Record<string, (left: never, right: never) => unknown>> = {
  minimum: greater,
  exclusiveMinimum: greater,
  minLength: greater,
  minItems: greater,
  minProperties: greater,
  maximum: less,
  exclusiveMaximum: less,
  maxLength: less,
  maxItems: less,
  maxProperties: less,
  integer: either,
  uniqueItems: either,
  evaluatesAll: either,
  examples: all,
  patterns: all,
  dependencies: all,
  element: both,
  additional: both,
  members: mergeMembers,
};

function mergeAlike(left: FlatType, right: FlatType): FlatType {
  const merged: Record<string, unknown> = { ...left, ...right };
  for (const [name, value] of Object.entries(left)) {
    const other = (right as unknown as Readonly<Record<string, unknown>>)[name];
    const merger = mergers[name];
    if (merger !== undefined && other !== undefined) merged[name] = merger(value as never, other as never);
  }
  merged["isKindImplied"] = [left, right].every((one) => "isKindImplied" in one && one.isKindImplied === true);
  return merged as unknown as FlatType;
}

function mergeMembers(left: readonly RecordMember[], right: readonly RecordMember[]): readonly RecordMember[] {
  const members = new Map(left.map((member) => [member.name, member]));
  for (const member of right) {
    const known = members.get(member.name);
    const required = member.required || known?.required === true;
    const type = known === undefined ? member.type : both(known.type, member.type);
    members.set(member.name, { ...member, ...known, type, required });
  }
  return [...members.values()];
}

function both(left: TypeNode, right: TypeNode): TypeNode {
  if (left.kind === "any" || left === right) return right;
  return right.kind === "any" ? left : { kind: "intersection", members: [left, right] };
}
