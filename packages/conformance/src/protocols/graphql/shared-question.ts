import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  parse,
  print,
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
  const document = withUsedVariables(withKnownFields(schema, parse(query)));
  if (document === undefined || validate(schema, document).length > 0) return undefined;
  const used = new Set(variablesOf(document));
  return {
    query: print(document),
    variables: Object.fromEntries(Object.entries(variables).filter(([name]) => used.has(name))),
  };
}

function withKnownFields(schema: GraphQLSchema, document: DocumentNode): DocumentNode {
  const info = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(info, {
      Field: {
        enter: ({ arguments: given = [] }) => {
          const field = info.getFieldDef();
          const isKnown = given.every(({ name }) => field?.args.some((argument) => argument.name === name.value));
          return field === undefined || field === null || !isKnown ? null : undefined;
        },
        leave: ({ selectionSet }) => (selectionSet?.selections.length === 0 ? null : undefined),
      },
      InlineFragment: { leave: ({ selectionSet }) => (selectionSet.selections.length === 0 ? null : undefined) },
    }),
  );
}

function withUsedVariables(document: DocumentNode): DocumentNode | undefined {
  const used = new Set(variablesOf(document));
  const [operation] = document.definitions;
  const isEmpty = operation?.kind === Kind.OPERATION_DEFINITION && operation.selectionSet.selections.length === 0;
  if (isEmpty) return undefined;
  return visit(document, {
    VariableDefinition: ({ variable }) => (used.has(variable.name.value) ? undefined : null),
  });
}

function variablesOf(document: DocumentNode): readonly string[] {
  const names: string[] = [];
  visit(document, {
    VariableDefinition: () => false,
    Variable: ({ name }) => {
      names.push(name.value);
    },
  });
  return names;
}
