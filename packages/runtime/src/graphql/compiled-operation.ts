import {
  BREAK,
  type DocumentNode,
  type ExecutionResult,
  GraphQLScalarType,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  visit,
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";

/** Executes an operation as graphql-js does, faster. */
export type CompiledOperation = (
  context: unknown,
  variables: Readonly<Record<string, unknown>>,
) => Promise<ExecutionResult> | ExecutionResult;

const mostErrors = 50;

/**
 * Compiles an operation; undefined where that can't be done.
 *
 * Variables are read by graphql-js before, and handed on as they are: graphql-jit reads them in a way of its own, which does not end
 * for inputs that hold themselves, takes two of several inputs for `@oneOf` and asks for fields that have a default. A variable inside
 * of an object is left to graphql-js altogether: graphql-jit gives null where it is absent.
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledOperation | undefined {
  if (hasVariableInObject(document)) return undefined;
  const { variableDefinitions = [] } = operation;
  const name = operation.name?.value ?? "";
  const compiled = compileQuery(withReadValue(schema), withReadVariables(document, operation), name);
  if (!isCompiledQuery(compiled)) return undefined;
  return (context, variables) => {
    const { coerced, errors } = getVariableValues(schema, variableDefinitions, variables, { maxErrors: mostErrors });
    return coerced === undefined ? { errors: errors ?? [] } : compiled.query(undefined, context, coerced);
  };
}

/** The type of values that are read already. Documents are held against the schema before, which does not have it. */
const readValue = new GraphQLScalarType({ name: "NodewrightReadValue" });

/** The same schema, with the type of values that are read. */
function withReadValue(schema: GraphQLSchema): GraphQLSchema {
  const getType = (name: string): ReturnType<GraphQLSchema["getType"]> =>
    name === readValue.name ? readValue : schema.getType(name);
  return Object.create(schema, { getType: { value: getType } }) as GraphQLSchema;
}

function hasVariableInObject(document: DocumentNode): boolean {
  let isFound = false;
  visit(document, {
    ObjectValue(object) {
      visit(object, {
        Variable() {
          isFound = true;
          return BREAK;
        },
      });
      return isFound ? BREAK : false;
    },
  });
  return isFound;
}

function withReadVariables(document: DocumentNode, operation: OperationDefinitionNode): DocumentNode {
  const variableDefinitions = (operation.variableDefinitions ?? []).map((definition) => {
    // Of conditions of `@skip` and `@include` it wants to see what they are.
    if (isBoolean(definition.type)) return definition;
    const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: readValue.name } } as const;
    return { kind: definition.kind, variable: definition.variable, type };
  });
  const definitions = document.definitions.map((definition) =>
    definition === operation ? { ...operation, variableDefinitions } : definition,
  );
  return { ...document, definitions };
}

function isBoolean(type: TypeNode): boolean {
  const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
  return named.kind === Kind.NAMED_TYPE && named.name.value === "Boolean";
}
