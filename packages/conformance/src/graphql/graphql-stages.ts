import type { PlannedCase, Stage } from "../case/planned-case.ts";
import type { Session } from "../run/session.ts";
import type { GraphqlSuite } from "../suite/suite.ts";
import { RequestBudget } from "./budget.ts";
import { learnExamples, planExamples, planExampleValues, playableDocuments } from "./example-cases.ts";
import { planFound, planWholeField, queryFields, queryOperation } from "./field-cases.ts";
import { GraphqlRun } from "./graphql-run.ts";

/** Everything that a GraphQL target is asked. Each stage makes its questions of what those before it were answered. */
export function graphqlStages(suite: GraphqlSuite, session: Session): readonly Stage[] {
  const run = new GraphqlRun(suite, session);
  learnExamples(run);
  const fields = queryFields(run);
  const documents = playableDocuments(run);
  const budget = new RequestBudget(fields.length + documents.length, session.callsPerOperation);
  const ofFields = (share: number, plan: (field: (typeof fields)[number]) => readonly PlannedCase[]) =>
    fields.flatMap((field) => budget.take(queryOperation(run, field), plan(field), share));
  const ofDocuments = (share: number, plan: (document: (typeof documents)[number]) => readonly PlannedCase[]) =>
    documents.flatMap((document) => budget.take(document.name, plan(document), share));
  return [
    { name: "examples", plan: () => ofDocuments(0.5, (document) => planExamples(run, document)) },
    { name: "fields", plan: () => ofFields(0.25, (field) => planWholeField(run, field, false)) },
    {
      name: "objects found",
      plan: () => ofFields(0.3, (field) => [...planFound(run, field), ...planWholeField(run, field, false)]),
    },
    { name: "samples", plan: () => ofFields(0.25, (field) => planWholeField(run, field, true)) },
    { name: "examples as shown", plan: () => ofDocuments(0.4, (document) => planExampleValues(run, document)) },
  ];
}
