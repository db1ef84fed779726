import type { GraphqlCostRequest } from "@nodewright/runtime/graphql";
import type {
  ArgumentNode,
  DirectiveNode,
  FieldNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode,
  ValueNode,
} from "graphql";
import type { EthereumLimits, EthereumNode } from "../node/ethereum-node.ts";
import { type PromiseOrValue, whenResolved } from "../basics/promise-or-value.ts";
import { type CostFigures, defaultCostFigures } from "./cost-figures.ts";
import { type Arguments, CostScope } from "./cost-scope.ts";
import { fieldCosts } from "./field-costs.ts";

/** An operation of a valid document, with the variables that the client sent for it, parsed or not. */
export type CostedOperation = Pick<GraphqlCostRequest, "document" | "operation" | "variables">;

/** Inputs of a cost other than the operation. */
export interface CostOptions {
  readonly limits: Pick<EthereumLimits, "blocks" | "logBlocks">;
  /** Figures; absent: `defaultCostFigures`. */
  readonly figures?: CostFigures | undefined;
}

/**
 * Computes the cost of an operation before it is executed, in units of about one small read of the node; always an integer from 1. Where a
 * range of blocks has no end and no head is known, the node is queried for its latest block.
 *
 * An object costs `object` and its fields; a field costs its entry in `fieldCosts` and, for each object that it returns, the cost of that:
 * `cost(field) = own + count × (object + Σ cost(fields below))`. The number of objects in a list is known from the arguments of `blocks`
 * and `logs`, and assumed from `CostFigures` for all others. Selections excluded by `@skip` and `@include` cost nothing; an invalid
 * variable is rejected by the execution. Takes time in proportion to the document: fragments are computed once.
 */
export function findOperationCost(
  operation: CostedOperation,
  node: Pick<EthereumNode, "head" | "upstream">,
  options: CostOptions,
): PromiseOrValue<number> {
  const fixed = fixedCosts.get(operation.operation);
  if (fixed !== undefined && options.figures === undefined) return fixed;
  const cost = operationCost(operation, options, knownHeight(node));
  if (!cost.wantsHead) return cost.units;
  return whenResolved(latestHeight(node), (head) => operationCost(operation, options, head).units);
}

/** Cache of costs of operations that depend on neither variables nor the chain. */
const fixedCosts = new WeakMap<OperationDefinitionNode, number>();

/**
 * Returns the height of the latest block, as far as it is known without a call. One that was the latest long ago would make long ranges
 * short.
 */
function knownHeight({ head, upstream }: Pick<EthereumNode, "head" | "upstream">): number | undefined {
  const followed = upstream.head?.height;
  const last = followed === undefined ? head.findFresh() : head.last;
  if (followed === undefined && last === undefined) return undefined;
  return Math.max(followed ?? 0, Number(last?.number ?? 0));
}

/** Fetches the latest height; undefined where the node fails, which the execution reports. */
async function latestHeight({ upstream }: Pick<EthereumNode, "upstream">): Promise<number | undefined> {
  try {
    return Number(await upstream.call("eth_blockNumber"));
  } catch {
    return undefined;
  }
}

/** Computes the same as `findOperationCost`, with the height of the latest block where it is known, and without a call. */
export function operationCost(
  { document, operation, variables }: CostedOperation,
  { limits, figures = defaultCostFigures }: CostOptions,
  head: number | undefined,
): { readonly units: number; readonly wantsHead: boolean } {
  const scope = new CostScope(limits, head);
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === "FragmentDefinition") fragments.set(definition.name.value, definition);
  }
  const values = new Variables(operation, variables);
  const reckoner = new Reckoner(fragments, values, scope, figures);
  const root = operation.operation === "mutation" ? "Mutation" : "Query";
  const units = Math.max(1, Math.ceil(reckoner.selectionCost(operation.selectionSet, root)));
  if (values.isUntouched && scope.isUntouched && figures === defaultCostFigures) fixedCosts.set(operation, units);
  return { units, wantsHead: scope.wantsHead };
}

/** Types of which responses may contain thousands of objects. */
const largeTypes: ReadonlySet<string> = new Set(["Block", "Transaction", "Log"]);

class Reckoner {
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #variables: Variables;
  readonly #scope: CostScope;
  readonly #figures: CostFigures;
  /** Costs of fragments for one object, by name. */
  readonly #fragmentCosts = new Map<string, number>();

  constructor(
    fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    variables: Variables,
    scope: CostScope,
    figures: CostFigures,
  ) {
    this.#fragments = fragments;
    this.#variables = variables;
    this.#scope = scope;
    this.#figures = figures;
  }

  /** Returns the cost for one object of a type. */
  selectionCost({ selections }: SelectionSetNode, type: string): number {
    let cost = 0;
    for (const selection of selections) {
      if (!this.#variables.includes(selection.directives)) continue;
      if (selection.kind === "Field") cost += this.#fieldCost(selection, type);
      else if (selection.kind === "FragmentSpread") cost += this.#fragmentCost(selection.name.value);
      // No type of the schema implements another: a condition names its parent type.
      else cost += this.selectionCost(selection.selectionSet, type);
    }
    return cost;
  }

  #fragmentCost(name: string): number {
    const known = this.#fragmentCosts.get(name);
    if (known !== undefined) return known;
    const fragment = this.#fragments.get(name);
    if (fragment === undefined) return 0;
    const cost = this.selectionCost(fragment.selectionSet, fragment.typeCondition.name.value);
    this.#fragmentCosts.set(name, cost);
    return cost;
  }

  #fieldCost({ name, arguments: given = [], selectionSet }: FieldNode, parent: string): number {
    const find = fieldCosts[parent]?.[name.value];
    if (find === undefined) return this.#figures.value;
    const { own, type, count = 1 } = find(this.#figures, this.#argumentsOf(given), this.#scope);
    if (type === undefined || selectionSet === undefined) return own;
    const object = largeTypes.has(type) ? this.#figures.object : this.#figures.smallObject;
    return own + count * (object + this.selectionCost(selectionSet, type));
  }

  #argumentsOf(given: readonly ArgumentNode[]): Arguments {
    return {
      value: (name) => {
        const argument = given.find((candidate) => candidate.name.value === name);
        return argument === undefined ? undefined : (this.#variables.valueOf(argument.value) ?? undefined);
      },
    };
  }
}

/** Variables of an operation, with the defaults of omitted ones. */
class Variables {
  /** Whether no variable was read. */
  isUntouched = true;
  readonly #defaults = new Map<string, ValueNode>();
  readonly #given: Readonly<Record<string, unknown>>;

  constructor({ variableDefinitions = [] }: OperationDefinitionNode, given: Readonly<Record<string, unknown>>) {
    this.#given = given;
    for (const { variable, defaultValue } of variableDefinitions) {
      if (defaultValue !== undefined) this.#defaults.set(variable.name.value, defaultValue);
    }
  }

  /** Returns the JSON value of a literal or a variable. */
  valueOf(node: ValueNode): unknown {
    switch (node.kind) {
      case "NullValue":
        return null;
      case "Variable":
        return this.#variable(node.name.value);
      case "IntValue":
      case "FloatValue":
        return Number(node.value);
      case "StringValue":
      case "BooleanValue":
      case "EnumValue":
        return node.value;
      case "ListValue":
        return node.values.map((value) => this.valueOf(value));
      default:
        return Object.fromEntries(node.fields.map(({ name, value }) => [name.value, this.valueOf(value)]));
    }
  }

  /** Returns whether the `@skip` and `@include` of a selection include it. */
  includes(directives: readonly DirectiveNode[] | undefined): boolean {
    if (directives === undefined || directives.length === 0) return true;
    return directives.every(({ name, arguments: given }) => {
      const condition = given?.find((candidate) => candidate.name.value === "if");
      if (condition === undefined) return true;
      const value = this.valueOf(condition.value);
      return name.value === "skip" ? value !== true : name.value !== "include" || value !== false;
    });
  }

  #variable(name: string): unknown {
    this.isUntouched = false;
    if (Object.hasOwn(this.#given, name)) return this.#given[name];
    const literal = this.#defaults.get(name);
    return literal === undefined ? undefined : this.valueOf(literal);
  }
}
