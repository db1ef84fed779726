import { partsOfType } from "@nodewright/api-model";
import type { ApiModel, TypeNode } from "@nodewright/model";
import { declarationNode } from "./contract-types.ts";

/**
 * Returns whether a type has, in itself or through references, numbers that the lossless parser may give as bigints: those whose bounds are
 * not within 2^53 - 1.
 */
export function mayHoldLongNumber(type: TypeNode, model: ApiModel): boolean {
  if (containsLongNumber(type)) return true;
  const known = longDeclarations(model);
  return directReferences(type).some((target) => known.has(target));
}

const longDeclarationsOfModels = new WeakMap<ApiModel, ReadonlySet<string>>();

/** Returns the names of the declarations with such numbers, found by following references backwards. */
function longDeclarations(model: ApiModel): ReadonlySet<string> {
  const known = longDeclarationsOfModels.get(model);
  if (known !== undefined) return known;
  const referrers = new Map<string, string[]>();
  const found = new Set<string>();
  for (const { name, type } of model.declarations) {
    if (containsLongNumber(type)) found.add(name);
    for (const target of directReferences(type)) append(referrers, target, name);
  }
  // The set grows during iteration: additions are visited too.
  for (const name of found) {
    for (const referrer of referrers.get(name) ?? []) found.add(referrer);
  }
  longDeclarationsOfModels.set(model, found);
  return found;
}

export function isLongNumber(type: TypeNode): boolean {
  if (type.kind !== "number") return false;
  const lower = type.minimum ?? type.exclusiveMinimum;
  const upper = type.maximum ?? type.exclusiveMaximum;
  if (lower === undefined || upper === undefined) return true;
  return lower < Number.MIN_SAFE_INTEGER || upper > Number.MAX_SAFE_INTEGER;
}

/** Returns the names of the declarations that a type refers to directly. */
export function directReferences(type: TypeNode): readonly string[] {
  const known = referencesOfTypes.get(type);
  if (known !== undefined) return known;
  const found = new Set<string>();
  const pending: TypeNode[] = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === "reference") found.add(next.target);
    else pending.push(...partsOfType(next));
  }
  const references = [...found];
  referencesOfTypes.set(type, references);
  return references;
}

const referencesOfTypes = new WeakMap<TypeNode, readonly string[]>();

/** Returns the names of all declarations that the types refer to, directly or through others. */
export function referredTypes(types: readonly TypeNode[], model: ApiModel): ReadonlySet<string> {
  const found = new Set<string>();
  const pending: TypeNode[] = [...types];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind !== "reference") {
      pending.push(...partsOfType(next));
    } else if (!found.has(next.target)) {
      found.add(next.target);
      pending.push(declarationNode(next.target, model));
    }
  }
  return found;
}

function containsLongNumber(type: TypeNode): boolean {
  return isLongNumber(type) || convertedParts(type).some(containsLongNumber);
}

/** Returns the direct subschemas of a type, except for negations, conditions and property names. */
function convertedParts(type: TypeNode): readonly TypeNode[] {
  switch (type.kind) {
    case "not":
      return [];
    case "conditional":
      return [type.consequence, type.alternative];
    case "record":
      return partsOfType(type).filter((part) => part !== type.names);
    default:
      return partsOfType(type);
  }
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const known = lists.get(key);
  if (known === undefined) lists.set(key, [value]);
  else known.push(value);
}
