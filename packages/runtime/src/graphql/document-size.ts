import type { DocumentNode, FieldNode, FragmentDefinitionNode, SelectionSetNode } from "graphql";
import type { IntrospectionLists } from "./introspection-size.ts";

/** Size of a document's operations, with their fragments expanded. */
export interface DocumentSize {
  /** Nesting of fields; those below `__schema` and `__type` count only as `introspectionDepth`. */
  readonly depth: number;
  /** Nesting of fields below `__schema` and `__type`, including those two. */
  readonly introspectionDepth: number;
  /** Nesting of selection sets, including those of inline fragments, without those of introspection. */
  readonly nesting: number;
  readonly aliases: number;
  readonly fields: number;
  /** Approximate number of values that introspection returns. */
  readonly introspected: number;
  /** Number of operations and fragments, including missing ones that are spread. */
  readonly definitions: number;
  /** Whether a fragment spreads itself, directly or through others: validation rejects that. */
  readonly isCircular: boolean;
}

interface SelectionSize {
  readonly depth: number;
  readonly introspectionDepth: number;
  readonly nesting: number;
  readonly aliases: number;
  readonly fields: number;
  /** Approximate number of returned values if the selection is one of introspection. */
  readonly values: number;
  readonly introspected: number;
}

const nothing: SelectionSize = {
  depth: 0,
  introspectionDepth: 0,
  nesting: 0,
  aliases: 0,
  fields: 0,
  values: 0,
  introspected: 0,
};

/** Returns the fragments of a document by name. */
function fragmentsOf({ definitions }: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of definitions) {
    if (definition.kind === "FragmentDefinition") fragments.set(definition.name.value, definition);
  }
  return fragments;
}

/**
 * Measures a document without expanding anything: each fragment is measured once, however often it is spread, so that it takes time in
 * proportion to the length of the document. A fragment that spreads itself counts as nothing there.
 */
export function measureDocument(document: DocumentNode, lists: IntrospectionLists): DocumentSize {
  const measurer = new Measurer(fragmentsOf(document), lists);
  let sum = nothing;
  for (const { kind, selectionSet } of rootsOf(document)) {
    if (kind === "OperationDefinition") sum = add(sum, measurer.measureSelection(selectionSet), 0, 0);
  }
  // Validation visits fragments that are never spread, too.
  for (const definition of document.definitions) {
    if (definition.kind !== "FragmentDefinition" || measurer.isMeasured(definition.name.value)) continue;
    sum = add(sum, measurer.measureFragment(definition.name.value), 0, 0);
  }
  const { values: _values, ...size } = sum;
  return { ...size, definitions: document.definitions.length + measurer.missing, isCircular: measurer.isCircular };
}

class Measurer {
  isCircular = false;
  /** Number of missing fragments that are spread: validation compares them with each other nevertheless. */
  missing = 0;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #lists: IntrospectionLists;
  /** Undefined while it is being measured. */
  readonly #measured = new Map<string, SelectionSize | undefined>();

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>, lists: IntrospectionLists) {
    this.#fragments = fragments;
    this.#lists = lists;
  }

  isMeasured(fragmentName: string): boolean {
    return this.#measured.has(fragmentName);
  }

  measureFragment(name: string): SelectionSize {
    const known = this.#measured.get(name);
    if (known !== undefined) return known;
    if (this.#measured.has(name)) {
      this.isCircular = true;
      return nothing;
    }
    this.#measured.set(name, undefined);
    const fragment = this.#fragments.get(name);
    if (fragment === undefined) this.missing += 1;
    const size = fragment === undefined ? nothing : this.measureSelection(fragment.selectionSet);
    this.#measured.set(name, size);
    return size;
  }

  measureSelection({ selections }: SelectionSetNode): SelectionSize {
    let sum = nothing;
    for (const selection of selections) {
      if (selection.kind === "FragmentSpread") {
        sum = add(sum, this.measureFragment(selection.name.value), 0, 0);
      } else if (selection.kind === "InlineFragment") {
        sum = add(sum, this.measureSelection(selection.selectionSet), 0, 1);
      } else {
        sum = add(sum, this.#measureField(selection), 1, 1);
      }
    }
    return sum;
  }

  #measureField({ name, alias, selectionSet }: FieldNode): SelectionSize {
    const inner = selectionSet === undefined ? nothing : this.measureSelection(selectionSet);
    const isIntrospection = name.value === "__schema" || name.value === "__type";
    const values = 1 + inner.values * (this.#lists.get(name.value) ?? 1);
    return {
      depth: isIntrospection ? 0 : inner.depth,
      introspectionDepth: isIntrospection ? inner.depth + 1 : inner.introspectionDepth,
      nesting: isIntrospection ? 0 : inner.nesting,
      aliases: inner.aliases + (alias === undefined ? 0 : 1),
      fields: inner.fields + 1,
      values,
      introspected: isIntrospection ? values : inner.introspected,
    };
  }
}

function rootsOf({ definitions }: DocumentNode) {
  return definitions.filter(
    (definition) => definition.kind === "OperationDefinition" || definition.kind === "FragmentDefinition",
  );
}

function add(sum: SelectionSize, size: SelectionSize, levels: number, sets: number): SelectionSize {
  return {
    depth: Math.max(sum.depth, size.depth + levels),
    introspectionDepth: Math.max(sum.introspectionDepth, size.introspectionDepth),
    nesting: Math.max(sum.nesting, size.nesting + sets),
    aliases: sum.aliases + size.aliases,
    fields: sum.fields + size.fields,
    values: sum.values + size.values,
    introspected: sum.introspected + size.introspected,
  };
}

/**
 * Returns the approximate number of field pairs that validation compares to find out whether they can be merged (GraphQL specification,
 * section 5.3.2): the square of their number for each response name that several fields share.
 *
 * Expands fragments, none of which may spread itself: takes time in proportion to `DocumentSize.fields`.
 */
export function countRepetitions(document: DocumentNode): number {
  const expansion = new Expansion(fragmentsOf(document));
  let pairs = 0;
  for (const { kind, selectionSet } of rootsOf(document)) {
    if (kind === "OperationDefinition") pairs += countPairs(selectionSet, expansion);
  }
  for (const definition of document.definitions) {
    if (definition.kind !== "FragmentDefinition" || expansion.expanded.has(definition.name.value)) continue;
    pairs += countPairs(definition.selectionSet, expansion);
  }
  return pairs;
}

function countPairs(root: SelectionSetNode, expansion: Expansion): number {
  const pending: SelectionSetNode[][] = [[root]];
  let pairs = 0;
  for (let sets = pending.pop(); sets !== undefined; sets = pending.pop()) {
    for (const group of expansion.groupsOf(sets)) {
      if (group.length > 1) pairs += group.length ** 2;
      const inner = group.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inner.length > 0) pending.push(inner);
    }
  }
  return pairs;
}

class Expansion {
  /** Names of the visited fragments. */
  readonly expanded = new Set<string>();
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;

  constructor(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
    this.#fragments = fragments;
  }

  /** Returns the fields of several selection sets by their response name. */
  groupsOf(sets: readonly SelectionSetNode[]): Iterable<readonly FieldNode[]> {
    const groups = new Map<string, FieldNode[]>();
    // A repeated spread in a selection set adds nothing to it.
    for (const set of sets) this.#gather(set, groups, new Set());
    return groups.values();
  }

  #gather({ selections }: SelectionSetNode, groups: Map<string, FieldNode[]>, spread: Set<string>): void {
    for (const selection of selections) {
      if (selection.kind === "FragmentSpread") {
        const name = selection.name.value;
        const fragment = spread.has(name) ? undefined : this.#fragments.get(name);
        spread.add(name);
        this.expanded.add(name);
        if (fragment !== undefined) this.#gather(fragment.selectionSet, groups, spread);
      } else if (selection.kind === "InlineFragment") {
        this.#gather(selection.selectionSet, groups, spread);
      } else {
        const name = (selection.alias ?? selection.name).value;
        const group = groups.get(name);
        if (group === undefined) groups.set(name, [selection]);
        else group.push(selection);
      }
    }
  }
}
