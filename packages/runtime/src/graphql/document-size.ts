import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode, SelectionSetNode } from "graphql";

/** What an operation asks for, its fragments expanded. */
export interface DocumentSize {
  /** Nesting of fields. */
  readonly depth: number;
  /** Nesting of selection sets, those of inline fragments as well. */
  readonly nesting: number;
  readonly aliases: number;
  readonly fields: number;
}

const nothing: DocumentSize = { depth: 0, nesting: 0, aliases: 0, fields: 0 };

/**
 * Measures an operation without expanding anything: each fragment is measured once, however often it is spread, so that the
 * measuring of a document takes time in proportion to its length. A fragment that spreads itself counts as nothing; validation
 * refuses it.
 */
export function measureOperation(document: DocumentNode, operation: OperationDefinitionNode): DocumentSize {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === "FragmentDefinition") fragments.set(definition.name.value, definition);
  }
  const measured = new Map<string, DocumentSize>();
  const measureFragment = (name: string): DocumentSize => {
    const known = measured.get(name);
    if (known !== undefined) return known;
    measured.set(name, nothing);
    const fragment = fragments.get(name);
    const size = fragment === undefined ? nothing : measureSelection(fragment.selectionSet, measureFragment);
    measured.set(name, size);
    return size;
  };
  return measureSelection(operation.selectionSet, measureFragment);
}

function measureSelection(
  selectionSet: SelectionSetNode,
  measureFragment: (name: string) => DocumentSize,
): DocumentSize {
  let sum = nothing;
  for (const selection of selectionSet.selections) {
    if (selection.kind === "FragmentSpread") {
      sum = add(sum, measureFragment(selection.name.value), 0, 0);
    } else if (selection.kind === "InlineFragment") {
      sum = add(sum, measureSelection(selection.selectionSet, measureFragment), 0, 1);
    } else {
      const inner =
        selection.selectionSet === undefined ? nothing : measureSelection(selection.selectionSet, measureFragment);
      const own = {
        ...inner,
        fields: inner.fields + 1,
        aliases: inner.aliases + (selection.alias === undefined ? 0 : 1),
      };
      sum = add(sum, own, 1, 1);
    }
  }
  return sum;
}

function add(sum: DocumentSize, size: DocumentSize, levels: number, sets: number): DocumentSize {
  return {
    depth: Math.max(sum.depth, size.depth + levels),
    nesting: Math.max(sum.nesting, size.nesting + sets),
    aliases: sum.aliases + size.aliases,
    fields: sum.fields + size.fields,
  };
}
