import { partsOfType } from "@nodewright/api-model";
import type { ApiModel, TypeNode } from "@nodewright/model";
import { directReferences } from "../contract/type-facts.ts";
import { kindsOf } from "../contract/value-kind.ts";

/**
 * Returns the names of the declarations whose checks recurse as deep as a value is nested: those that refer to themselves, that compare
 * complete elements, or that refer to such ones. All others are as deep as their document.
 */
export function deepDeclarations(model: ApiModel): ReadonlySet<string> {
  const known = deepDeclarationsOfModels.get(model) ?? findDeepDeclarations(model);
  deepDeclarationsOfModels.set(model, known);
  return known;
}

const deepDeclarationsOfModels = new WeakMap<ApiModel, ReadonlySet<string>>();

function findDeepDeclarations(model: ApiModel): ReadonlySet<string> {
  const waiting = new Map<string, number>();
  const referrers = new Map<string, string[]>();
  const shallow: string[] = [];
  for (const { name, type } of model.declarations) {
    const targets = directReferences(type);
    for (const target of targets) {
      const known = referrers.get(target);
      if (known === undefined) referrers.set(target, [name]);
      else known.push(name);
    }
    if (comparesElements(type, model)) continue;
    waiting.set(name, targets.length);
    if (targets.length === 0) shallow.push(name);
  }
  const deep = new Set(model.declarations.map(({ name }) => name));
  // A declaration that refers only to shallow ones is shallow; one that never becomes shallow leads to a cycle.
  for (let name = shallow.pop(); name !== undefined; name = shallow.pop()) {
    deep.delete(name);
    for (const referrer of referrers.get(name) ?? []) {
      const left = waiting.get(referrer);
      if (left === undefined) continue;
      waiting.set(referrer, left - 1);
      if (left === 1) shallow.push(referrer);
    }
  }
  return deep;
}

/** Returns whether a type that is not a declaration recurses as deep as its values. */
export function isDeep(type: TypeNode, model: ApiModel, deep: ReadonlySet<string>): boolean {
  return comparesElements(type, model) || directReferences(type).some((target) => deep.has(target));
}

/** Returns whether elements are compared for equality that may contain others. */
function comparesElements(type: TypeNode, model: ApiModel): boolean {
  if (type.kind === "list" && type.uniqueItems === true) {
    const kinds = [...(type.prefix ?? []), type.element].flatMap((element) => [...kindsOf(element, model)]);
    if (kinds.includes("array") || kinds.includes("object")) return true;
  }
  return partsOfType(type).some((part) => comparesElements(part, model));
}
