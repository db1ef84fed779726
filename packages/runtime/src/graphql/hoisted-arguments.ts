import {
  type ASTNode,
  BREAK,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  type ValueNode,
  valueFromAST,
  visit,
  visitWithTypeInfo,
} from "graphql";

/** Values of variables, as graphql-js has read them. */
type Values = Readonly<Record<string, unknown>>;

/** An argument whose value was moved into a variable. */
interface HoistedArgument {
  readonly variable: string;
  readonly type: GraphQLInputType;
  /** Value with variables inside lists and objects. */
  readonly value: ValueNode;
}

/**
 * Arguments of an operation with variables inside lists and objects, such as `logs(filter: {addresses: [$address]})`, each replaced by a
 * variable of its own whose value is read by graphql-js before the operation is executed.
 */
export class HoistedArguments {
  /** Definitions of an operation, with the replaced ones in place of their own. */
  readonly definitions: ReadonlyMap<DefinitionNode, DefinitionNode>;
  readonly #arguments: readonly HoistedArgument[];

  private constructor(definitions: ReadonlyMap<DefinitionNode, DefinitionNode>, all: readonly HoistedArgument[]) {
    this.definitions = definitions;
    this.#arguments = all;
  }

  static of(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): HoistedArguments {
    const all: HoistedArgument[] = [];
    const prefix = unusedPrefix(operation);
    const definitions = new Map<DefinitionNode, DefinitionNode>();
    for (const definition of definitionsOf(document, operation)) {
      const typeInfo = new TypeInfo(schema);
      const replaced = visit(
        definition,
        visitWithTypeInfo(typeInfo, {
          // Their arguments are read where they take effect; none of the specification's is a list or an object.
          Directive: () => false,
          Argument(argument) {
            const { value } = argument;
            const type = typeInfo.getArgument()?.type;
            if (type === undefined || !containsVariable(value)) return undefined;
            const variable = `${prefix}${all.length}`;
            all.push({ variable, type, value });
            return {
              ...argument,
              value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } },
            };
          },
        }),
      );
      definitions.set(definition, replaced);
    }
    return new HoistedArguments(definitions, all);
  }

  /** Variables that replace arguments. */
  get variables(): readonly string[] {
    return this.#arguments.map(({ variable }) => variable);
  }

  /**
   * Returns the values of all variables. Undefined where an argument is invalid with these: graphql-js then reports it at each field that
   * has it, if the field is executed at all.
   */
  read(values: Values): Values | undefined {
    if (this.#arguments.length === 0) return values;
    const all: Record<string, unknown> = { ...values };
    for (const { variable, type, value } of this.#arguments) {
      const read: unknown = valueFromAST(value, type, values);
      if (read === undefined) return undefined;
      all[variable] = read;
    }
    return all;
  }
}

/** Returns the operation and the fragments that it spreads, directly or through others. */
function definitionsOf(document: DocumentNode, operation: OperationDefinitionNode): ReadonlySet<DefinitionNode> {
  const fragments = new Map<string, DefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  // Elements that are added to a set during the iteration are visited as well.
  const found = new Set<DefinitionNode>([operation]);
  for (const definition of found) {
    visit(definition, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (fragment !== undefined) found.add(fragment);
      },
    });
  }
  return found;
}

function unusedPrefix({ variableDefinitions = [] }: OperationDefinitionNode): string {
  let prefix = "hoisted";
  while (variableDefinitions.some(({ variable }) => variable.name.value.startsWith(prefix))) prefix += "_";
  return prefix;
}

/** Returns whether a value is a list or an object with a variable inside. */
function containsVariable(value: ValueNode): boolean {
  if (value.kind !== Kind.LIST && value.kind !== Kind.OBJECT) return false;
  let isFound = false;
  visit(value as ASTNode, {
    Variable() {
      isFound = true;
      return BREAK;
    },
  });
  return isFound;
}
