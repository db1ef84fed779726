import type { PlannedCase, Stage } from "../contract/planned-case.ts";
import type { Session } from "../session/session.ts";
import type { GraphqlSuite } from "../suite/suite.ts";
import { planArgumentEffects } from "./argument-effects.ts";
import { RequestBudget } from "./budget.ts";
import { planEmbedded } from "./embedded-relations.ts";
import { planEqualWays } from "./equal-cases.ts";
import { planDescribed } from "./described-relations.ts";
import { planAsWritten } from "./documents-as-written.ts";
import { learnExamples, planExamples, planExampleValues, playableDocuments } from "./example-cases.ts";
import { planFound, planWholeField, queryFields, queryOperation } from "./field-cases.ts";
import { isSingle } from "./field-names.ts";
import { rootSite } from "./field-site.ts";
import { type BaseAnswer, GraphqlRun } from "./graphql-run.ts";
import { planIntrospection } from "./introspection-cases.ts";
import { planInverse } from "./inverse-relations.ts";
import { planListRelations } from "./property-cases.ts";
import { planDocumentMistakes, planDocumentNegatives, planNegatives } from "./negative-cases.ts";
import { planNestedArguments } from "./nested-arguments.ts";
import { planOptionalArguments } from "./optional-arguments.ts";
import { planRandomArguments } from "./random-arguments.ts";
import { planPlural } from "./plural-lookups.ts";
import { planKeys, planProtocol } from "./protocol-cases.ts";
import { planMissingObject, planSearch, planSeveral } from "./object-relations.ts";
import { planStrangeValues } from "./strange-values.ts";

/** Everything that a GraphQL target is asked. Each stage makes its questions of what those before it were answered. */
export function graphqlStages(suite: GraphqlSuite, session: Session): readonly Stage[] {
  const run = new GraphqlRun(suite, session);
  learnExamples(run);
  const fields = queryFields(run);
  const documents = playableDocuments(run);
  const budget = new RequestBudget(fields.length, documents.length, session.callsPerOperation);
  const ofFields = (share: number, plan: (field: (typeof fields)[number]) => readonly PlannedCase[]) =>
    fields.flatMap((field) => budget.takeOfField(queryOperation(run, field), plan(field), share));
  const ofDocuments = (share: number, plan: (document: (typeof documents)[number]) => readonly PlannedCase[]) =>
    documents.flatMap((document) => budget.takeOfDocument(document.name, plan(document), share));
  const ofBases = (share: number, plan: (on: GraphqlRun, base: BaseAnswer) => readonly PlannedCase[]) =>
    // Fields of one object first: what is below them is looked at there rather than in each element of a list.
    [...run.bases.values()]
      .toSorted((left, right) => Number(isSingle(right.field)) - Number(isSingle(left.field)))
      .flatMap((base) => budget.takeOfField(base.operation, plan(run, base), share));
  const planRelations = (on: GraphqlRun, base: BaseAnswer): readonly PlannedCase[] => {
    const root = rootSite(on, base);
    return [
      ...planEmbedded(on, base),
      ...planInverse(on, base),
      ...planMissingObject(on, base),
      ...planPlural(on, base),
      ...planStrangeValues(on, base),
      ...planArgumentEffects(on, base),
      // What the elements are chosen by says more than that the values are taken.
      ...planListRelations(on, root),
      ...planOptionalArguments(on, base),
      ...planSeveral(on, base),
      ...planSearch(on, base),
    ];
  };
  return [
    { name: "schema", plan: () => planIntrospection(run) },
    { name: "examples", plan: () => ofDocuments(0.5, (document) => planExamples(run, document)) },
    { name: "fields", plan: () => ofFields(0.25, (field) => planWholeField(run, field, false)) },
    {
      name: "objects found",
      plan: () =>
        ofFields(0.3, (field) => {
          const found = planFound(run, field);
          return found.length > 0 ? found : planWholeField(run, field, false);
        }),
    },
    { name: "samples", plan: () => ofFields(0.25, (field) => planWholeField(run, field, true)) },
    { name: "operations as written", plan: () => ofDocuments(0.5, (document) => planAsWritten(run, document)) },
    { name: "other ways", plan: () => ofBases(0.43, planEqualWays) },
    { name: "relations", plan: () => ofBases(0.41, planRelations) },
    { name: "arguments below the root", plan: () => planNestedArguments(run) },
    {
      name: "what is wrong",
      plan: () => [
        ...ofBases(0.33, planNegatives),
        ...ofDocuments(0.6, (document) => planDocumentNegatives(run, document)),
        ...planDocumentMistakes(run),
      ],
    },
    { name: "protocol", plan: () => [...planProtocol(run), ...planKeys(run)] },
    { name: "examples as shown", plan: () => ofDocuments(0.4, (document) => planExampleValues(run, document)) },
    { name: "random arguments", plan: () => ofBases(0.4, planRandomArguments) },
    { name: "described relations", plan: () => documents.flatMap((document) => planDescribed(run, document)) },
  ];
}
