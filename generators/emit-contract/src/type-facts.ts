import type { ApiModel, TypeNode } from "@nodewright/model";
import { declarationNode } from "./contract-types.ts";

/**
 * Whether a type knows of numbers, in itself or through references, that the lossless reader may give as bigints: those whose
 * bounds do not keep them within 2^53 - 1.
 */
export function mayHoldLongNumber(type: TypeNode, model: ApiModel): boolean {
  if (holdsLongNumber(type)) return true;
  return [...referredTypes(type, model)].some((target) => holdsLongNumber(declarationNode(target, model)));
}

export function isLongNumber(type: TypeNode): boolean {
  if (type.kind !== "number") return false;
  const lower = type.minimum ?? type.exclusiveMinimum;
  const upper = type.maximum ?? type.exclusiveMaximum;
  if (lower === undefined || upper === undefined) return true;
  return lower < Number.MIN_SAFE_INTEGER || upper > Number.MAX_SAFE_INTEGER;
}

/** Names of all declarations that a type refers to, directly or through others. */
export function referredTypes(type: TypeNode, model: ApiModel): ReadonlySet<string> {
  const found = new Set<string>();
  const pending: TypeNode[] = [type];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind !== "reference") {
      pending.push(...partsOf(next));
    } else if (!found.has(next.target)) {
      found.add(next.target);
      pending.push(declarationNode(next.target, model));
    }
  }
  return found;
}

function holdsLongNumber(type: TypeNode): boolean {
  return isLongNumber(type) || partsOf(type).some(holdsLongNumber);
}

/** The type nodes that stand directly in a type node. */
function partsOf(type: TypeNode): readonly TypeNode[] {
  switch (type.kind) {
    case "list":
      return [...type.prefix, type.element];
    case "record":
      return [
        ...type.fields.map((field) => field.type),
        type.additional,
        ...type.patterns.map((pattern) => pattern.type),
      ];
    case "union":
    case "intersection":
      return type.members;
    default:
      return [];
  }
}
