import {
  type GraphQLInputObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  type OperationDefinitionNode,
  typeFromAST,
} from "graphql";

/** Fields of input types that reading the variables of one operation may be written out for. */
const mostFields = 500;

/**
 * Whether reading an operation's variables can be compiled. graphql-jit writes each input type out wherever it is reached, without an
 * end for one that holds itself, and does not know `@oneOf`.
 */
export function canCompileVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): boolean {
  let fields = 0;
  const canCompile = (type: GraphQLInputObjectType, within: readonly GraphQLInputObjectType[]): boolean => {
    if (type.isOneOf || within.includes(type)) return false;
    return Object.values(type.getFields()).every((field) => {
      fields += 1;
      const inner = getNamedType(field.type);
      return fields <= mostFields && (!isInputObjectType(inner) || canCompile(inner, [...within, type]));
    });
  };
  return variableDefinitions.every((definition) => {
    const type = getNamedType(typeFromAST(schema, definition.type as never));
    return !isInputObjectType(type) || canCompile(type, []);
  });
}
