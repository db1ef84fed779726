import type { Field } from "../schema/field-names.ts";
import { canonicalText } from "@nodewright/api-model";
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
import type { PlannedCase } from "../../../contract/planned-case.ts";
import type { Input } from "../../../properties/operation.ts";
import { planRelations, relationTarget, type RelationTarget } from "../../../relations/relation-cases.ts";
import type { SuiteGraphqlDocument } from "../../../suite/suite.ts";
import { selectFully } from "../selection/select-fields.ts";
import { queryFields } from "../operation/field-cases.ts";
import { argumentsOf } from "../run/field-site.ts";
import type { GraphqlRequest } from "../contract/graphql-request.ts";
import type { GraphqlRun } from "../run/graphql-run.ts";
import { withUsedVariables, writeRequest } from "../selection/selection.ts";

/** Plans the relations between operations that the description declares. */
export function planDescribed(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  return planRelations(graphqlTarget(run), document).filter(({ writes }) => !writes);
}

/** An operation as relations name it: a document, or a field of the query type (`Query.block`). */
interface Related {
  readonly name: string;
  readonly parameters: readonly [];
  readonly document?: string;
  readonly field?: Field;
}

/** Returns the relation target for the documents of a suite and the fields of its query type, both with all of `data`. */
export function graphqlTarget(run: GraphqlRun): RelationTarget {
  const documents = run.suite.documents.map(({ name, text }): Related => ({ name, parameters: [], document: text }));
  const fields = queryFields(run).map((field): Related => ({ name: run.operationOf(field), parameters: [], field }));
  return relationTarget(run.session, [...fields, ...documents], async (play, operation, input) => {
    const { name } = operation;
    const request = requestOf(run, operation, input);
    if (request === undefined) return { kind: "nothing", problem: `${name} can't be requested` };
    const { data, response, findings } = await run.execute(play, request);
    const [error] = response.errors;
    if (error !== undefined) return { kind: "failure", code: String(error.extensions["code"] ?? "error") };
    if (data === undefined) return { kind: "nothing", problem: `${name} has no data` };
    return { kind: "value", value: data, isBroken: findings.some(({ rule }) => rule.level === "MUST") };
  });
}

/**
 * Returns the request of an operation: a document with its variables; a field as it was requested with this input, as far as the schema has
 * the selected fields; or a field with arguments by name.
 */
function requestOf(run: GraphqlRun, { name, document, field }: Related, input: Input): GraphqlRequest | undefined {
  if (document !== undefined) return { query: document, variables: input };
  const inputText = canonicalText(input);
  const known = run.session.live.resultsOf(name).find((received) => canonicalText(received.input) === inputText);
  if (known?.text !== undefined) return sharedRequest(run.schema, { query: known.text, variables: input });
  if (field === undefined || Object.keys(input).some((key) => !field.args.some((argument) => argument.name === key)))
    return undefined;
  return writeRequest([selectFully(run, field, argumentsOf(field, input))]);
}

/** Returns a request without the fields and arguments that a schema does not have; `undefined` when no valid part remains. */
function sharedRequest(schema: GraphQLSchema, { query, variables = {} }: GraphqlRequest): GraphqlRequest | undefined {
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
