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
// The order and merging of fields are those of graphql-js' execution, so its own functions are used.
import { collectFields, collectSubfields } from "graphql/execution/collectFields.js";
import type { GraphqlRequest } from "./graphql-request.ts";

/** A requested document, with what is needed to read its response. */
export interface RequestedDocument {
  readonly schema: GraphQLSchema;
  /** Root type of the operation. */
  readonly root: GraphQLObjectType;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** Variables as sent; they decide `@skip` and `@include`. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Returns the requested operation of a request's document. The request must be valid against the schema. */
export function requestedDocument(
  schema: GraphQLSchema,
  { query, variables, operationName }: GraphqlRequest,
): RequestedDocument {
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

/** Returns the fields selected in an object below other fields, or at the root, by response key in response order. */
export function fieldsBelow(
  { schema, operation, fragments, variables }: RequestedDocument,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[] | undefined,
): ReadonlyMap<string, readonly FieldNode[]> {
  return nodes === undefined
    ? collectFields(schema, fragments, variables, type, operation.selectionSet)
    : collectSubfields(schema, fragments, variables, type, nodes);
}

/** Returns a field of a type, including the meta fields of the root; `undefined` for `__typename`. */
export function fieldOf(
  { schema }: RequestedDocument,
  type: GraphQLObjectType,
  name: string,
): GraphQLField<unknown, unknown> | undefined {
  const meta = [SchemaMetaFieldDef, TypeMetaFieldDef].find((one) => one.name === name);
  return type.getFields()[name] ?? (type === schema.getQueryType() ? meta : undefined);
}
