import {
  additionalOf,
  type ConditionalNode,
  type IntersectionNode,
  type JsonValue,
  type ListNode,
  type RecordMember,
  type RecordNode,
  type TypeNode,
  type UnionNode,
} from "@nodewright/model";
import {
  intersectionType,
  listType,
  memberComment,
  namedType,
  numberLiteral,
  objectType,
  type PropertyCode,
  renderCode,
  stringLiteral,
  tupleType,
  type TypeCode,
  unionType,
} from "@nodewright/output";

import type { Tag } from "../contract/tag.ts";
import { shownTogether } from "./implied-kinds.ts";

/** Names of types in the place where they are written. */
export interface TypeNames {
  /** Returns the file's name of a declaration. */
  readonly reference: (target: string) => string;
  /** Returns the type that a reference stands for, with references resolved. */
  readonly resolve: (target: string) => TypeNode;
  /** Returns the name of a global type, which a declaration of the file may hide. */
  readonly global: (name: string) => string;
  /** Returns the tag of a union's members that are objects; and the other members. */
  readonly tag: (union: UnionNode) => { readonly tag: Tag | undefined; readonly others: readonly TypeNode[] };
  /** Types of nodes that are written in another way than their kind is. */
  readonly special?: ReadonlyMap<TypeNode, TypeCode>;
}

/** Returns the TypeScript type of a type node's values in memory. */
export function typeExpression(type: TypeNode, names: TypeNames): TypeCode {
  return names.special?.get(type) ?? usualExpression(type, names);
}

function usualExpression(type: TypeNode, names: TypeNames): TypeCode {
  switch (type.kind) {
    case "any":
      return namedType("unknown");
    case "never":
    case "null":
    case "boolean":
    case "string":
      return namedType(type.kind);
    case "bytes":
      return namedType(names.global("Uint8Array"));
    case "number":
      return namedType((type.representation ?? "number") === "number" ? "number" : "bigint");
    case "enumeration":
      return distinctUnion(type.values.map(literalType));
    case "list":
      return listExpression(type, names);
    case "record":
      return objectType(propertiesOf(type, names), indexOf(type, names));
    case "union":
      return unionExpression(type, names);
    case "intersection":
      return intersectionExpression(type, names);
    case "not":
      return namedType("unknown");
    case "conditional":
      return conditionalExpression(type, names);
    case "unevaluated":
      return typeExpression(type.base, names);
    case "reference":
      return namedType(names.reference(type.target));
    default:
      return type satisfies never;
  }
}

/** Returns the node whose type represents another in TypeScript: constraints that TypeScript can't express are left out. */
export function shownType(type: TypeNode, names: TypeNames): TypeNode {
  if (type.kind === "unevaluated") return shownType(type.base, names);
  if (type.kind !== "intersection" || type.selection !== undefined) return type;
  const shown = type.members.filter((member) => typeExpression(member, names).code !== "unknown");
  const [only] = shown;
  return shown.length === 1 && only !== undefined ? shownType(only, names) : type;
}

function intersectionExpression({ members, selection }: IntersectionNode, names: TypeNames): TypeCode {
  const shown = withoutPlainNumbers(shownTogether(members, names.resolve), names);
  return distinctIntersection([
    ...shown.map((member) => typeExpression(member, names)),
    ...(selection === undefined ? [] : [constantMember(selection.property, selection.values)]),
  ]);
}

/** Returns an object type with a property that has one of some values. */
function constantMember(property: string, values: readonly string[]): TypeCode {
  const type = unionType(values.map((value) => namedType(stringLiteral(value))));
  return objectType([{ name: property, type }], undefined);
}

/** Returns whether a member of a union already declares the values of a property that select it. */
function isSelectedBy(type: TypeNode, property: string, names: TypeNames): boolean {
  const resolved = type.kind === "reference" ? names.resolve(type.target) : type;
  return resolved.kind === "intersection" && resolved.selection?.property === property;
}

/** Returns a union type. Where a discriminator selects the members by values that their own types do not declare, these are added. */
function unionExpression(type: UnionNode, names: TypeNames): TypeCode {
  const { tag, others } = names.tag(type);
  if (tag === undefined || tag.isDecisive) {
    return distinctUnion(type.members.map((member) => typeExpression(member, names)));
  }
  const { property, branches } = tag;
  const selected = branches.map((branch) => {
    const own = typeExpression(branch.type, names);
    if (isSelectedBy(branch.type, property, names)) return own;
    return distinctIntersection([own, constantMember(property, branch.values)]);
  });
  return distinctUnion([...selected, ...others.map((other) => typeExpression(other, names))]);
}

/** Returns both branches, the first with its condition; `unknown` when one branch is unconstrained. */
function conditionalExpression({ condition, consequence, alternative }: ConditionalNode, names: TypeNames): TypeCode {
  const [met, unmet] = [typeExpression(consequence, names), typeExpression(alternative, names)];
  if (met.code === "unknown" || unmet.code === "unknown") return namedType("unknown");
  const isSaid = includesFields(consequence, condition, names);
  return distinctUnion([isSaid ? met : distinctIntersection([typeExpression(condition, names), met]), unmet]);
}

/** Returns whether a record has each field of another, with the same type. */
function includesFields(type: TypeNode, other: TypeNode, names: TypeNames): boolean {
  if (type.kind !== "record" || other.kind !== "record" || indexOf(other, names) !== undefined) return false;
  const said = new Set(propertiesOf(type, names).map(fieldText));
  return propertiesOf(other, names).every((property) => said.has(fieldText(property)));
}

function fieldText({ name, type, optional }: PropertyCode): string {
  return `${JSON.stringify(name)} ${optional === true} ${renderCode(type.code)}`;
}

/** Returns the members of a record, with their documentation. */
export function propertiesOf({ members: fields }: RecordNode, names: TypeNames): readonly PropertyCode[] {
  return fields.map((field) => ({
    name: field.name,
    type: typeExpression(field.type, names),
    optional: !field.required,
    comment: memberComment(field.documentation, field.type.default),
  }));
}

/**
 * Returns the type of members that a record does not name; undefined for no index signature. An open record with fields has none: its
 * members would all be `unknown`.
 */
export function indexOf(record: RecordNode, names: TypeNames): TypeCode | undefined {
  const { members: fields, patterns = [] } = record;
  const hasNames = fields.length > 0;
  const unnamed = [...patterns.map((pattern) => pattern.type), additionalOf(record)].filter(
    (type) => type.kind !== "never",
  );
  if (unnamed.length === 0) return hasNames ? undefined : namedType("never");
  if (unnamed.some((type) => type.kind === "any")) return hasNames ? undefined : namedType("unknown");
  const named = fields.map((field) => typeExpression(field.type, names));
  const absent = fields.some(isOptional) ? [namedType("undefined")] : [];
  return distinctUnion([...unnamed.map((type) => typeExpression(type, names)), ...named, ...absent]);
}

function isOptional(field: RecordMember): boolean {
  return !field.required;
}

function listExpression({ prefix = [], element, minItems = 0 }: ListNode, names: TypeNames): TypeCode {
  if (prefix.length === 0) return listType(typeExpression(element, names));
  const rest = element.kind === "never" ? undefined : typeExpression(element, names);
  return tupleType(
    prefix.map((member) => typeExpression(member, names)),
    Math.min(minItems, prefix.length),
    rest,
  );
}

function literalType(value: JsonValue): TypeCode {
  if (value === null || typeof value === "boolean") return namedType(String(value));
  if (typeof value === "number") return namedType(numberLiteral(value));
  if (typeof value === "string") return namedType(stringLiteral(value));
  if (isList(value)) return tupleType(value.map(literalType), value.length, undefined);
  const members = Object.entries(value).map(([name, member]) => ({ name, type: literalType(member) }));
  return objectType(members, members.length === 0 ? namedType("never") : undefined);
}

/** Returns a union without duplicates; a member that accepts everything replaces the union. */
export function distinctUnion(members: readonly TypeCode[]): TypeCode {
  const flat = members.flatMap((member) => (member.form === "intersection" ? [member] : (member.members ?? [member])));
  const distinct = distinctTypes(flat).filter((member) => member.code !== "never");
  return distinct.find((member) => member.code === "unknown") ?? unionType(distinct);
}

/** Returns an intersection without duplicates; one with a member that accepts nothing is `never`. */
function distinctIntersection(members: readonly TypeCode[]): TypeCode {
  const flat = members.flatMap((member) => (member.form === "intersection" ? (member.members ?? [member]) : [member]));
  const distinct = distinctTypes(flat).filter((member) => member.code !== "unknown");
  return distinct.find((member) => member.code === "never") ?? intersectionType(distinct);
}

function distinctTypes(types: readonly TypeCode[]): readonly TypeCode[] {
  const byText = new Map<string, TypeCode>();
  for (const type of types) {
    const text = renderCode(type.code);
    if (!byText.has(text)) byText.set(text, type);
  }
  return [...byText.values()];
}

/** Returns the members without the condition's own type where it narrows a number that is a bigint in memory. */
function withoutPlainNumbers(members: readonly TypeNode[], names: TypeNames): readonly TypeNode[] {
  const resolved = members.map((member) => (member.kind === "reference" ? names.resolve(member.target) : member));
  const hasBigint = resolved.some(
    (member) => member.kind === "number" && (member.representation ?? "number") !== "number",
  );
  if (!hasBigint) return members;
  return members.filter((_, index) => {
    const member = resolved[index];
    return !(member?.kind === "number" && (member.representation ?? "number") === "number");
  });
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
