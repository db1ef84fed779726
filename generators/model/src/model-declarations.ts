import type { ApiModel } from "./operation.ts";
import type { TypeDeclaration, TypeNode } from "./type-node.ts";

const declarationsOfModels = new WeakMap<readonly TypeDeclaration[], ReadonlyMap<string, TypeDeclaration>>();

/** The declaration of that name; a model without it was not read to its end. Constant time, whatever the model's size. */
export function declarationOf({ declarations }: Pick<ApiModel, "declarations">, name: string): TypeDeclaration {
  let byName = declarationsOfModels.get(declarations);
  if (byName === undefined) {
    byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
    declarationsOfModels.set(declarations, byName);
  }
  const declaration = byName.get(name);
  if (declaration === undefined) throw new Error(`The model has no "${name}"`);
  return declaration;
}

/** The type that a reference leads to. */
export function resolveType(type: TypeNode, model: Pick<ApiModel, "declarations">): TypeNode {
  let resolved = type;
  // Each step leads to another declaration; a circle of bare references is refused when the document is read.
  for (let step = 0; resolved.kind === "reference" && step <= model.declarations.length; step += 1) {
    resolved = declarationOf(model, resolved.target).type;
  }
  return resolved;
}
