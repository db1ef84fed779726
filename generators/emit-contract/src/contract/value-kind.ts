import type { ApiModel, JsonValue, TypeNode } from "@nodewright/model";
import { declarationNode } from "./contract-types.ts";

/** Kinds of JSON values that one test distinguishes. */
export type ValueKind = "null" | "boolean" | "number" | "string" | "array" | "object" | "bytes";

const allKinds: ReadonlySet<ValueKind> = new Set(["null", "boolean", "number", "string", "array", "object", "bytes"]);

/** Returns the kinds of a type's values. A type that refers only to itself has all kinds. */
export function kindsOf(type: TypeNode, model: ApiModel): ReadonlySet<ValueKind> {
  switch (type.kind) {
    case "any":
    case "not":
      return allKinds;
    case "never":
      return new Set();
    case "null":
    case "boolean":
    case "bytes":
      return new Set([type.kind]);
    case "number":
    case "string":
      return type.isKindImplied === true ? allKinds : new Set([type.kind]);
    case "list":
      return type.isKindImplied === true ? allKinds : new Set(["array"]);
    case "record":
      return type.isKindImplied === true ? allKinds : new Set(["object"]);
    case "enumeration":
      return new Set(type.values.map(kindOfValue));
    case "union":
      return new Set(type.members.flatMap((member) => [...kindsOf(member, model)]));
    case "intersection":
      return commonKinds(type.members.map((member) => kindsOf(member, model)));
    case "conditional":
      return new Set([type.consequence, type.alternative].flatMap((side) => [...kindsOf(side, model)]));
    case "unevaluated":
      return kindsOf(type.base, model);
    case "reference":
      return kindsOfDeclaration(type.target, model);
    default:
      return type satisfies never;
  }
}

/** Returns the kinds as named in JSON Schema, for messages: `integer` where a number must be one. */
export function kindNames(type: TypeNode, model: ApiModel): readonly string[] {
  let resolved = type;
  for (const seen = new Set<string>(); resolved.kind === "reference" && !seen.has(resolved.target); ) {
    seen.add(resolved.target);
    resolved = declarationNode(resolved.target, model);
  }
  if (resolved.kind === "union") return resolved.members.flatMap((member) => kindNames(member, model));
  const isInteger = resolved.kind === "number" && resolved.integer && resolved.isKindImplied !== true;
  return isInteger ? ["integer"] : [...kindsOf(resolved, model)];
}

/** Returns whether no value can match two of the types because their kinds differ. */
export function areDisjoint(types: readonly TypeNode[], model: ApiModel): boolean {
  const seen = new Set<ValueKind>();
  for (const type of types) {
    const kinds = kindsOf(type, model);
    if ([...kinds].some((kind) => seen.has(kind))) return false;
    for (const kind of kinds) seen.add(kind);
  }
  return true;
}

/** Returns whether the generated check of a type may accept `undefined`, so that presence must be checked separately. */
export function mayTakeUndefined(type: TypeNode, model: ApiModel, visited: readonly string[] = []): boolean {
  switch (type.kind) {
    case "any":
    case "never":
    case "not":
      return true;
    case "union":
      return type.members.some((member) => mayTakeUndefined(member, model, visited));
    case "intersection":
      return type.members.every((member) => mayTakeUndefined(member, model, visited));
    case "conditional":
      return [type.consequence, type.alternative].some((side) => mayTakeUndefined(side, model, visited));
    case "unevaluated":
      return mayTakeUndefined(type.base, model, visited);
    case "number":
    case "string":
    case "list":
    case "record":
      return type.isKindImplied === true;
    case "reference":
      if (visited.includes(type.target)) return true;
      return mayTakeUndefined(declarationNode(type.target, model), model, [...visited, type.target]);
    default:
      return false;
  }
}

const kindsOfModels = new WeakMap<ApiModel, Map<string, ReadonlySet<ValueKind>>>();

function kindsOfDeclaration(target: string, model: ApiModel): ReadonlySet<ValueKind> {
  const known = kindsOfModels.get(model) ?? new Map<string, ReadonlySet<ValueKind>>();
  kindsOfModels.set(model, known);
  const found = known.get(target);
  if (found !== undefined) return found;
  // Another request for the same target before this one is finished comes from a cycle.
  known.set(target, allKinds);
  const kinds = kindsOf(declarationNode(target, model), model);
  known.set(target, kinds);
  return kinds;
}

function commonKinds(sets: readonly ReadonlySet<ValueKind>[]): ReadonlySet<ValueKind> {
  return new Set([...allKinds].filter((kind) => sets.every((kinds) => kinds.has(kind))));
}

function kindOfValue(value: JsonValue): ValueKind {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return kindOfPrimitive(value);
  return "object";
}

function kindOfPrimitive(value: string | number | boolean): ValueKind {
  return typeof value === "string" ? "string" : typeof value === "number" ? "number" : "boolean";
}
