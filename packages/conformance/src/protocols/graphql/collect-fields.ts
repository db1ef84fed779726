import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  parse,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from "graphql";
// What a client may rely on of the order and merging of fields is just what graphql-js does when it executes them.
import { collectFields, collectSubfields } from "graphql/execution/collectFields.js";
import type { GraphqlQuestion } from "./graphql-request.ts";

/** A document that was sent, as its response is read with. */
export interface AskedDocument {
  readonly schema: GraphQLSchema;
  /** The type that the operation's selection is of. */
  readonly root: GraphQLObjectType;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** As they were sent, with what directives are decided by where it was left out. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Reads which operation of a request's document is requested. Requests are valid by the schema. */
export function askedDocument(
  schema: GraphQLSchema,
  { query, variables, operationName }: GraphqlQuestion,
): AskedDocument {
  const document = parse(query);
  const operation = getOperationAST(document, operationName);
  const root = operation == null ? undefined : schema.getRootType(operation.operation);
  if (operation == null || root == null) throw new Error(`No operation of the schema is requested: ${query}`);
  const fragments = Object.fromEntries(
    document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION).map((one) => [one.name.value, one]),
  );
  const defaults = (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
    variable.name.value,
    defaultValue?.kind === Kind.BOOLEAN && defaultValue.value,
  ]);
  return { schema, root, operation, fragments, variables: { ...Object.fromEntries(defaults), ...variables } };
}

/** The fields that are selected of an object below other fields, or at the root, by response key, in the order of responses. */
export function fieldsBelow(
  { schema, operation, fragments, variables }: AskedDocument,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[] | undefined,
): ReadonlyMap<string, readonly FieldNode[]> {
  return nodes === undefined
    ? collectFields(schema, fragments, variables, type, operation.selectionSet)
    : collectSubfields(schema, fragments, variables, type, nodes);
}

/** A field of a type, those that the root has by itself included. `__typename` has none. */
export function fieldOf(
  { schema }: AskedDocument,
  type: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  const meta = [SchemaMetaFieldDef, TypeMetaFieldDef].find((one) => one.name === name);
  return type.getFields()[name] ?? (type === schema.getQueryType() ? meta : undefined);
}
