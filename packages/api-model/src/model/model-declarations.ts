import type { ApiModel } from "./operation.ts";
import type { Placed, TypeDeclaration, TypeNode } from "./type-node.ts";

/** The part of a model that types refer to. */
export type Declarations<At = Placed> = Pick<ApiModel<At>, "declarations">;

const declarationsOfModels = new WeakMap<readonly unknown[], ReadonlyMap<string, unknown>>();

/** Returns the declaration with that name; throws if the model is incomplete. Constant time, whatever the model's size. */
export function declarationOf<At>({ declarations }: Declarations<At>, name: string): TypeDeclaration<At> {
  let byName = declarationsOfModels.get(declarations);
  if (byName === undefined) {
    byName = new Map(declarations.map((declaration) => [declaration.name, declaration]));
    declarationsOfModels.set(declarations, byName);
  }
  const declaration = byName.get(name) as TypeDeclaration<At> | undefined;
  if (declaration === undefined) throw new Error(`The model has no "${name}"`);
  return declaration;
}

/** Returns the type that a reference resolves to. */
export function resolveType<At>(type: TypeNode<At>, model: Declarations<At>): TypeNode<At> {
  let resolved = type;
  // Each step leads to another declaration; a cycle of bare references is rejected when the document is read.
  for (let step = 0; resolved.kind === "reference" && step <= model.declarations.length; step += 1) {
    resolved = declarationOf(model, resolved.target).type;
  }
  return resolved;
}
