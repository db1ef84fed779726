import { canonicalText } from "@nodewright/api-model";
import type { GraphQLField } from "graphql";
import type { PlannedCase } from "../../contract/planned-case.ts";
import { planRelations, type RelationTarget } from "../../relations/relation-cases.ts";
import type { SuiteGraphqlDocument } from "../../suite/suite.ts";
import { queryOperation, wholeSelection } from "./call-field.ts";
import { queryFields } from "./field-cases.ts";
import { argumentsOf } from "./field-site.ts";
import type { GraphqlQuestion } from "./graphql-request.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { writeQuestion } from "./selection.ts";
import { sharedQuestion } from "./shared-question.ts";

/** What the description says holds between the answers of its operations. */
export function planDescribed(run: GraphqlRun, document: SuiteGraphqlDocument): readonly PlannedCase[] {
  return planRelations(graphqlTarget(run), document).filter(({ writes }) => !writes);
}

/** How relations reach the documents of a suite, and the fields of its query type (`Query.block`), both with all of `data`. */
export function graphqlTarget(run: GraphqlRun): RelationTarget {
  return {
    session: run.session,
    isImmutable: () => false,
    has: (name) => run.suite.documents.some((document) => document.name === name) || fieldOf(run, name) !== undefined,
    ask: async (play, name, input) => {
      const question = questionOf(run, name, input);
      if (question === undefined) return { kind: "nothing", problem: `${name} can't be asked for` };
      const { data, response, findings } = await run.ask(play, question);
      const [error] = response.errors;
      if (error !== undefined) return { kind: "failure", code: String(error.extensions["code"] ?? "error") };
      if (data === undefined) return { kind: "nothing", problem: `${name} is answered without data` };
      return { kind: "value", value: data, isBroken: findings.some(({ rule }) => rule.level === "MUST") };
    },
  };
}

/**
 * The request for an operation: a document with its variables; a field as it was asked for with this input, as far as the schema has what
 * is selected; or a field with arguments by name.
 */
function questionOf(
  run: GraphqlRun,
  name: string,
  input: Readonly<Record<string, unknown>>,
): GraphqlQuestion | undefined {
  const document = run.suite.documents.find((one) => one.name === name);
  if (document !== undefined) return { query: document.text, variables: input };
  const inputText = canonicalText(input);
  const known = run.session.live.answersOf(name).find((answer) => canonicalText(answer.input) === inputText);
  if (known?.text !== undefined) return sharedQuestion(run.schema, { query: known.text, variables: input });
  const field = fieldOf(run, name);
  if (field === undefined || Object.keys(input).some((key) => !field.args.some((argument) => argument.name === key)))
    return undefined;
  return writeQuestion([wholeSelection(run, field, argumentsOf(field, input))]);
}

function fieldOf(run: GraphqlRun, name: string): GraphQLField<unknown, unknown> | undefined {
  return queryFields(run).find((field) => queryOperation(run, field) === name);
}
