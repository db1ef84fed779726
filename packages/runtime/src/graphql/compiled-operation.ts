import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLScalarType,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  type TypeNode,
  type VariableDefinitionNode,
  type VariableNode,
} from "graphql";
import { compileQuery, isCompiledQuery } from "graphql-jit";
import { HoistedArguments } from "./hoisted-arguments.ts";

/** Function that executes an operation as graphql-js does, but faster. */
export type CompiledOperation = (
  context: unknown,
  variables: Readonly<Record<string, unknown>>,
) => Promise<ExecutionResult> | ExecutionResult;

/** Maximum number of errors about variables, each of which contains its complete value. */
export const maximumVariableErrors = 3;

/**
 * Compiles an operation; undefined where that is not possible.
 *
 * Variables are read by graphql-js before, and passed on unchanged: graphql-jit reads them in a way of its own, which does not end for
 * circular inputs, accepts two of several inputs for `@oneOf` and requires fields that have a default. Arguments with a variable inside of
 * a list or an object are read by graphql-js as well: graphql-jit passes null where the variable is absent.
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledOperation | undefined {
  const { variableDefinitions = [] } = operation;
  const operationName = operation.name?.value;
  const hoisted = HoistedArguments.of(schema, document, operation);
  const readDocument = withReadVariables(document, operation, hoisted);
  const compiled = compileQuery(withReadValue(schema), readDocument, operationName ?? "");
  if (!isCompiledQuery(compiled)) return undefined;
  return (context, variables) => {
    const { coerced, errors } = getVariableValues(schema, variableDefinitions, variables, {
      maxErrors: maximumVariableErrors,
    });
    if (coerced === undefined) return { errors: errors ?? [] };
    const values = hoisted.read(coerced);
    if (values !== undefined) return compiled.query(undefined, context, values);
    return execute({ schema, document, contextValue: context, variableValues: variables, operationName });
  };
}

/** Type of values that are read already. Documents are validated before against the schema, which does not contain it. */
const readValue = new GraphQLScalarType({ name: "NodewrightReadValue" });

/** Returns the same schema, with the type of values that are read. */
function withReadValue(schema: GraphQLSchema): GraphQLSchema {
  const getType = (name: string): ReturnType<GraphQLSchema["getType"]> =>
    name === readValue.name ? readValue : schema.getType(name);
  return Object.create(schema, { getType: { value: getType } }) as GraphQLSchema;
}

function withReadVariables(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  hoisted: HoistedArguments,
): DocumentNode {
  const variableDefinitions = [
    // Variables in conditions of `@skip` and `@include` must keep their type.
    ...(operation.variableDefinitions ?? []).map((definition) =>
      isBoolean(definition.type) ? definition : readVariable(definition.variable),
    ),
    ...hoisted.variables.map((name) => readVariable({ kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } })),
  ];
  const definitions = document.definitions.map((definition) => {
    const replaced = hoisted.definitions.get(definition) ?? definition;
    return definition === operation ? { ...(replaced as OperationDefinitionNode), variableDefinitions } : replaced;
  });
  return { ...document, definitions };
}

function readVariable(variable: VariableNode): VariableDefinitionNode {
  const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: readValue.name } } as const;
  return { kind: Kind.VARIABLE_DEFINITION, variable, type };
}

function isBoolean(type: TypeNode): boolean {
  const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
  return named.kind === Kind.NAMED_TYPE && named.name.value === "Boolean";
}
