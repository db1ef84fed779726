import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getOperationAST,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
} from "graphql";
// The order and merging of fields are those of graphql-js' execution, so its own functions are used.
import { collectFields, collectSubfields } from "graphql/execution/collectFields.js";
import { getFieldDef } from "graphql/execution/execute.js";
import { isRecord } from "@nodewright/api-model";
import type { GraphqlRequest } from "../contract/graphql-request.ts";
import type { Field } from "../schema/field-names.ts";

/** Members of an object in a response. */
export type Members = Readonly<Record<string, unknown>>;

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

/** A selected field of an object type. */
export interface SelectedField {
  readonly parentType: GraphQLObjectType;
  readonly field: Field;
  /** Key in the response: the alias, or the name. */
  readonly key: string;
  /** Selections of the field that are merged, in the order of the document. */
  readonly nodes: readonly [FieldNode, ...FieldNode[]];
}

/** Returns the fields selected in an object below other fields, or at the root, by response key in response order. */
export function selectedFields(
  { schema, operation, fragments, variables }: RequestedDocument,
  parentType: GraphQLObjectType,
  below: readonly FieldNode[] | undefined,
): ReadonlyMap<string, SelectedField> {
  const collected =
    below === undefined
      ? collectFields(schema, fragments, variables, parentType, operation.selectionSet)
      : collectSubfields(schema, fragments, variables, parentType, below);
  const selected = new Map<string, SelectedField>();
  for (const [key, [node, ...others]] of collected) {
    const field = node === undefined ? undefined : getFieldDef(schema, parentType, node);
    if (node !== undefined && field != null) selected.set(key, { parentType, field, key, nodes: [node, ...others] });
  }
  return selected;
}

/** Returns the types that an object of the data can have, by its `__typename` when that is selected under its own name. */
export function runtimeTypesOf(
  { schema }: RequestedDocument,
  type: GraphQLCompositeType,
  object: unknown,
): readonly GraphQLObjectType[] {
  if (isObjectType(type)) return [type];
  const possible = schema.getPossibleTypes(type);
  const named = isRecord(object) ? possible.filter(({ name }) => name === object["__typename"]) : [];
  return named.length > 0 ? named : possible;
}
