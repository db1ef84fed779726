import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from "graphql";
import type { GraphqlOperation } from "../operations/operation.ts";

/** A selected field of a root type. */
export interface RootField {
  readonly operation: GraphqlOperation;
  /** Response name: the alias, if it has one. */
  readonly responseName: string;
}

/** Returns the root fields that an operation selects, in fragments too; GraphQL's own, such as `__schema`, are excluded. */
export function selectedRootFields(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  operations: readonly GraphqlOperation[],
): readonly RootField[] {
  const found = new Map<string, RootField>();
  const visited = new Set<string>();
  const visit = (selectionSet: SelectionSetNode): void => {
    for (const selection of selectionSet.selections) {
      if (selection.kind === "InlineFragment") {
        visit(selection.selectionSet);
      } else if (selection.kind === "FragmentSpread") {
        const fragment = visited.has(selection.name.value) ? undefined : findFragment(document, selection.name.value);
        visited.add(selection.name.value);
        if (fragment !== undefined) visit(fragment.selectionSet);
      } else {
        const responseName = selection.alias?.value ?? selection.name.value;
        const known = operations.find(
          ({ root, field }) => root === operation.operation && field === selection.name.value,
        );
        if (known !== undefined) found.set(responseName, { operation: known, responseName });
      }
    }
  };
  visit(operation.selectionSet);
  return [...found.values()];
}

function findFragment(document: DocumentNode, name: string): FragmentDefinitionNode | undefined {
  return document.definitions
    .filter((definition) => definition.kind === "FragmentDefinition")
    .find((definition) => definition.name.value === name);
}
