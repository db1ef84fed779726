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

import type { Tag } from "../validators/tag.ts";
import { shownTogether } from "./implied-kinds.ts";

/** How types refer to one another where they are written. */
export interface TypeNames {
  /** The name under which the file knows a declaration. */
  readonly reference: (target: string) => string;
  /** The type that a reference stands for, references resolved. */
  readonly resolve: (target: string) => TypeNode;
  /** The name of a global type, which a declaration of the file may hide. */
  readonly global: (name: string) => string;
  /** What tells those members of a union apart that are objects; the others. */
  readonly tag: (union: UnionNode) => { readonly tag: Tag | undefined; readonly others: readonly TypeNode[] };
  /** Nodes that are written in another way than their kind is. */
  readonly special?: ReadonlyMap<TypeNode, TypeCode>;
}

/** The TypeScript type of a type node's values in memory. */
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

/** The node whose type stands for that of another: what TypeScript has no word for is left out. */
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

/** An object with a property that has one of some values. */
function constantMember(property: string, values: readonly string[]): TypeCode {
  const type = unionType(values.map((value) => namedType(stringLiteral(value))));
  return objectType([{ name: property, type }], undefined);
}

/** Whether a member of a union says already by which values of a property it is selected. */
function isSelectedBy(type: TypeNode, property: string, names: TypeNames): boolean {
  const resolved = type.kind === "reference" ? names.resolve(type.target) : type;
  return resolved.kind === "intersection" && resolved.selection?.property === property;
}

/** Where a discriminator selects the members by values that their own types do not say, these are said beside them. */
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

/** Both sides, the first with its condition; anything where one side says nothing. */
function conditionalExpression({ condition, consequence, alternative }: ConditionalNode, names: TypeNames): TypeCode {
  const [met, unmet] = [typeExpression(consequence, names), typeExpression(alternative, names)];
  if (met.code === "unknown" || unmet.code === "unknown") return namedType("unknown");
  const isSaid = saysAllOf(consequence, condition, names);
  return distinctUnion([isSaid ? met : distinctIntersection([typeExpression(condition, names), met]), unmet]);
}

/** Whether a record has each field of another, of the same type. */
function saysAllOf(type: TypeNode, other: TypeNode, names: TypeNames): boolean {
  if (type.kind !== "record" || other.kind !== "record" || indexOf(other, names) !== undefined) return false;
  const said = new Set(propertiesOf(type, names).map(fieldText));
  return propertiesOf(other, names).every((property) => said.has(fieldText(property)));
}

function fieldText({ name, type, optional }: PropertyCode): string {
  return `${JSON.stringify(name)} ${optional === true} ${renderCode(type.code)}`;
}

/** The members of a record, documented. */
export function propertiesOf({ members: fields }: RecordNode, names: TypeNames): readonly PropertyCode[] {
  return fields.map((field) => ({
    name: field.name,
    type: typeExpression(field.type, names),
    optional: !field.required,
    comment: memberComment(field.documentation, field.type.default),
  }));
}

/**
 * The type of members that a record does not name; undefined where TypeScript should know none. An open record with fields has
 * no index signature: its members would all be `unknown`.
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

/** A union without repetitions; a member that takes everything is the whole union. */
export function distinctUnion(members: readonly TypeCode[]): TypeCode {
  const flat = members.flatMap((member) => (member.form === "intersection" ? [member] : (member.members ?? [member])));
  const distinct = distinctTypes(flat).filter((member) => member.code !== "never");
  return distinct.find((member) => member.code === "unknown") ?? unionType(distinct);
}

/** An intersection without repetitions; one with a member that takes nothing is nothing. */
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

/** Where a condition narrows a number that memory holds as a bigint, the condition's own type is left out. */
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
