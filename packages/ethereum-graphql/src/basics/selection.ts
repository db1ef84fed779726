import {
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  type GraphQLResolveInfo,
  GraphQLSkipDirective,
  Kind,
  type SelectionSetNode,
} from "graphql";

/** Part of a resolver's `info` that a selection is read from. */
export type SelectionInfo = Pick<GraphQLResolveInfo, "fieldNodes" | "fragments" | "variableValues">;

/**
 * Fields that a client selects below a field, so that a resolver can load at once what they need.
 *
 * Fragments are followed whatever their type condition: the schema has no interfaces and no unions.
 */
export class Selection {
  readonly #fields = new Map<string, FieldNode[]>();
  readonly #info: SelectionInfo;
  /** Shared with the selections below this one. */
  readonly #conditions: { areThere: boolean };

  constructor(fieldNodes: readonly FieldNode[], info: SelectionInfo, conditions = { areThere: false }) {
    this.#info = info;
    this.#conditions = conditions;
    for (const { selectionSet } of fieldNodes) if (selectionSet !== undefined) this.#add(selectionSet, new Set());
  }

  static of(info: SelectionInfo): Selection {
    return new Selection(info.fieldNodes, info);
  }

  /** Whether other variables could change the selection, as far as it was examined. */
  get dependsOnVariables(): boolean {
    return this.#conditions.areThere;
  }

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  /** Returns the number of aliases under which a field is selected; 0 when it is not. */
  countAliases(name: string): number {
    const nodes = this.#fields.get(name);
    if (nodes === undefined || nodes.length === 1) return nodes?.length ?? 0;
    return new Set(nodes.map((node) => (node.alias ?? node.name).value)).size;
  }

  /** Returns whether one of the names is selected. */
  hasAny(names: ReadonlySet<string>): boolean {
    return this.#fields.keys().some((name) => names.has(name));
  }

  /** Returns whether something other than the names is selected. */
  hasOther(names: ReadonlySet<string>): boolean {
    return this.#fields.keys().some((name) => !names.has(name));
  }

  /** Returns the selection below a field; empty when the field itself is not selected. */
  below(name: string): Selection {
    return new Selection(this.#fields.get(name) ?? [], this.#info, this.#conditions);
  }

  #add(selectionSet: SelectionSetNode, spread: Set<FragmentDefinitionNode>): void {
    for (const selection of selectionSet.selections) {
      if (this.#isLeftOut(selection)) continue;
      if (selection.kind === Kind.FIELD) this.#addField(selection);
      else if (selection.kind === Kind.INLINE_FRAGMENT) this.#add(selection.selectionSet, spread);
      else {
        const fragment = this.#info.fragments[selection.name.value];
        if (fragment === undefined || spread.has(fragment)) continue;
        spread.add(fragment);
        this.#add(fragment.selectionSet, spread);
      }
    }
  }

  #addField(field: FieldNode): void {
    const name = field.name.value;
    if (name === "__typename") return;
    const nodes = this.#fields.get(name);
    if (nodes === undefined) this.#fields.set(name, [field]);
    else nodes.push(field);
  }

  #isLeftOut(selection: SelectionSetNode["selections"][number]): boolean {
    if (selection.directives === undefined || selection.directives.length === 0) return false;
    const { variableValues } = this.#info;
    this.#conditions.areThere = true;
    const skip = getDirectiveValues(GraphQLSkipDirective, selection, variableValues);
    const include = getDirectiveValues(GraphQLIncludeDirective, selection, variableValues);
    return skip?.["if"] === true || include?.["if"] === false;
  }
}

/**
 * Creates a function that plans the selection below a field once, and not for each object that has the field: 400 logs with a transaction
 * each have one plan.
 */
export function planOnce<Plan>(plan: (selection: Selection) => Plan): (info: SelectionInfo) => Plan {
  // The engine has one list of nodes for all objects, and a compiled operation has one for all requests.
  const known = new WeakMap<SelectionInfo["fieldNodes"], Plan>();
  const byVariables = new WeakMap<SelectionInfo["fieldNodes"], WeakMap<SelectionInfo["variableValues"], Plan>>();
  return (info) => {
    const { fieldNodes, variableValues } = info;
    const found = known.get(fieldNodes) ?? byVariables.get(fieldNodes)?.get(variableValues);
    if (found !== undefined) return found;
    const selection = Selection.of(info);
    const made = plan(selection);
    if (!selection.dependsOnVariables) known.set(fieldNodes, made);
    else {
      const plans = byVariables.get(fieldNodes) ?? new WeakMap<SelectionInfo["variableValues"], Plan>();
      byVariables.set(fieldNodes, plans.set(variableValues, made));
    }
    return made;
  };
}
