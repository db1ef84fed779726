import type { ApiModel, TypeNode } from "@nodewright/model";
import { declarationNode } from "./contract-types.ts";

/** Whether values of a type may hold JSON numbers that the type knows of, itself or through references. */
export function mayHoldNumber(type: TypeNode, model: ApiModel): boolean {
  if (holdsNumber(type)) return true;
  return [...referredTypes(type, model)].some((target) => holdsNumber(declarationNode(target, model)));
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

function holdsNumber(type: TypeNode): boolean {
  return type.kind === "number" || partsOf(type).some(holdsNumber);
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
