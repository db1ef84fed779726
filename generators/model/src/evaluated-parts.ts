// JSON Schema 2020-12, section 11: what of a value the keywords of a schema, and those it is combined with, have looked at.
import { resolveType } from "./model-declarations.ts";
import { isJsonRecord } from "./json-equality.ts";
import type { ApiModel } from "./operation.ts";
import { patternMatches } from "./pattern-cache.ts";
import type { JsonValue, ListNode, RecordNode, TypeNode } from "./type-node.ts";

type Matches = (value: JsonValue, type: TypeNode) => boolean;
type Model = Pick<ApiModel, "declarations">;

/** Names of the members of `value` that `type` looked at. The value has to match the type. */
export function evaluatedMembers(
  value: Readonly<Record<string, JsonValue>>,
  type: TypeNode,
  model: Model,
  matches: Matches,
): ReadonlySet<string> {
  const names = new Set<string>();
  for (const part of applyingParts(value, type, model, matches)) {
    if (part.kind === "record") addMembers(value, part, names);
    if (part.kind === "unevaluated" && part.members !== undefined) addAll(names, Object.keys(value));
  }
  return names;
}

/** Indexes, from 0, of the elements of `value` that `type` looked at. The value has to match the type. */
export function evaluatedElements(
  value: readonly JsonValue[],
  type: TypeNode,
  model: Model,
  matches: Matches,
): ReadonlySet<number> {
  const indexes = new Set<number>();
  for (const part of applyingParts(value, type, model, matches)) {
    if (part.kind === "list") addElements(value, part, matches, indexes);
    if (part.kind === "unevaluated" && part.elements !== undefined) addAll(indexes, value.keys());
  }
  return indexes;
}

/** The nodes that a value was held against as a whole and that it matches; what stands under a `not` tells nothing. */
function* applyingParts(value: JsonValue, type: TypeNode, model: Model, matches: Matches): Iterable<TypeNode> {
  yield type;
  for (const part of partsOf(value, type, model, matches)) yield* applyingParts(value, part, model, matches);
}

function partsOf(value: JsonValue, type: TypeNode, model: Model, matches: Matches): readonly TypeNode[] {
  switch (type.kind) {
    case "reference":
      return [resolveType(type, model)];
    case "intersection":
      return type.members;
    case "union":
      return type.members.filter((member) => matches(value, member));
    case "conditional":
      return matches(value, type.condition) ? [type.condition, type.consequence] : [type.alternative];
    case "unevaluated":
      return [type.base];
    case "record":
      return isJsonRecord(value)
        ? (type.dependencies ?? []).filter(({ property }) => Object.hasOwn(value, property)).map((one) => one.type)
        : [];
    default:
      return [];
  }
}

function addMembers(value: Readonly<Record<string, JsonValue>>, type: RecordNode, names: Set<string>): void {
  if (type.evaluatesAll === true) {
    addAll(names, Object.keys(value));
    return;
  }
  for (const { name, isUndescribed } of type.fields) if (isUndescribed !== true) names.add(name);
  for (const name of Object.keys(value)) {
    if (type.patterns.some(({ pattern }) => patternMatches(pattern, name))) names.add(name);
  }
}

function addElements(value: readonly JsonValue[], type: ListNode, matches: Matches, indexes: Set<number>): void {
  if (type.evaluatesAll === true) addAll(indexes, value.keys());
  else addAll(indexes, type.prefix.keys());
  const { contains } = type;
  if (contains === undefined) return;
  for (const [index, element] of value.entries()) if (matches(element, contains.type)) indexes.add(index);
}

function addAll<Value>(set: Set<Value>, values: Iterable<Value>): void {
  for (const value of values) set.add(value);
}
