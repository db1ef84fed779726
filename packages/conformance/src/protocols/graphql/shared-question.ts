import {
  type DocumentNode,
  type GraphQLSchema,
  parse,
  print,
  type SelectionSetNode,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { GraphqlQuestion } from "./graphql-request.ts";

/**
 * A request without the fields that a schema does not have, or not with these arguments; undefined where nothing of it is left that is
 * valid by the schema.
 */
export function sharedQuestion(
  schema: GraphQLSchema,
  { query, variables = {} }: GraphqlQuestion,
): GraphqlQuestion | undefined {
  const known = withKnownFields(schema, parse(query));
  const used = new Set<string>();
  visit(known, { VariableDefinition: () => false, Variable: ({ name }) => void used.add(name.value) });
  const document = visit(known, {
    VariableDefinition: ({ variable }) => (used.has(variable.name.value) ? undefined : null),
  });
  if (document.definitions.length === 0 || validate(schema, document).length > 0) return undefined;
  const sent = Object.entries(variables).filter(([name]) => used.has(name));
  return { query: print(document), variables: Object.fromEntries(sent) };
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
