import {
  type DocumentNode,
  type GraphQLSchema,
  parse,
  type SelectionSetNode,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { GraphqlQuestion } from "./graphql-request.ts";
import { withUsedVariables } from "./selection.ts";

/**
 * A request without the fields that a schema does not have, or not with these arguments; undefined where nothing of it is left that is
 * valid by the schema.
 */
export function sharedQuestion(
  schema: GraphQLSchema,
  { query, variables = {} }: GraphqlQuestion,
): GraphqlQuestion | undefined {
  const known = withKnownFields(schema, parse(query));
  if (known.definitions.length === 0) return undefined;
  const shared = withUsedVariables(known, variables);
  return validate(schema, parse(shared.query)).length > 0 ? undefined : shared;
}

function withKnownFields(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const info = new TypeInfo(schema);
  const withoutEmpty = ({ selectionSet }: { readonly selectionSet?: SelectionSetNode | undefined }) =>
    selectionSet?.selections.length === 0 ? null : undefined;
  return visit(
    document,
    visitWithTypeInfo(info, {
      Field: {
        enter: ({ arguments: given = [] }) => {
          const field = info.getFieldDef();
          const isKnown = given.every(({ name }) => field?.args.some((argument) => argument.name === name.value));
          return field == null || !isKnown ? null : undefined;
        },
        leave: withoutEmpty,
      },
      InlineFragment: { leave: withoutEmpty },
      OperationDefinition: { leave: withoutEmpty },
    }),
  );
}
