import type { ApiModel, TypeNode } from "@nodewright/model";
import { hasOutputBody, contractNames } from "@nodewright/emit-contract/names";

/** The types that have validators: declarations, and what operations answer; by the name in generated code. */
export function namedTypes(model: ApiModel): ReadonlyMap<string, TypeNode> {
  const names = contractNames(model);
  return new Map([
    ...model.declarations.map(({ name, type }) => [name, type] as const),
    ...model.operations.flatMap((operation) => {
      const [{ content }, ...others] = operation.successes;
      if (!hasOutputBody(operation) || content === undefined || others.length > 0) return [];
      return [[names.of(operation).output, content.type] as const];
    }),
  ]);
}
