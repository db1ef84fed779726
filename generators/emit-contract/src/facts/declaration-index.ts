import type { ApiModel, TypeNode } from "@nodewright/model";

const indexes = new WeakMap<ApiModel, ReadonlyMap<string, TypeNode>>();

/** Returns the types of a model's declarations by name; the index is created once for each model. */
export function declarationIndex(model: ApiModel): ReadonlyMap<string, TypeNode> {
  const known = indexes.get(model);
  if (known !== undefined) return known;
  const index = new Map(model.declarations.map(({ name, type }) => [name, type]));
  indexes.set(model, index);
  return index;
}
