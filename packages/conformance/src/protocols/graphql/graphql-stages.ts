import type { PlannedCase } from "../../contract/planned-case.ts";
import type { ProtocolPlan } from "../../contract/protocol-plan.ts";
import type { Session } from "../../session/session.ts";
import type { GraphqlSuite } from "../../suite/suite.ts";
import { planEqualWays } from "./rules/equal-cases.ts";
import { planDescribed } from "./rules/described-relations.ts";
import {
  learnExamples,
  planAsWritten,
  planExamples,
  planExampleValues,
  playableDocuments,
} from "./rules/example-cases.ts";
import { planFound, planFullField, queryFields } from "./operation/field-cases.ts";
import { isSingle } from "./schema/field-names.ts";
import { type BaseResult, GraphqlRun } from "./run/graphql-run.ts";
import { planIntrospection } from "./rules/served-schema.ts";
import {
  planDefaults,
  planListRelations,
  planNestedArguments,
  planOfValue,
  relationCasesOf,
} from "./operation/property-cases.ts";
import { planDocumentMistakes } from "./rules/negative-cases.ts";
import { type FieldOperation, fieldOperation } from "./operation/field-operation.ts";
import {
  planBoundaries,
  planCases,
  planFurtherInvalid,
  type Planner,
  planRandom,
  planCertainInvalid,
} from "../../properties/plan-operation.ts";
import { effectProperty } from "../../properties/effect.ts";
import { planKeys, planProtocol } from "./rules/protocol-cases.ts";
import { nullProperty } from "./rules/null-arguments.ts";
import { planMissingObject } from "./rules/missing-object.ts";

/** Plans the stages of a GraphQL interface. */
export function planGraphql(suite: GraphqlSuite, session: Session): ProtocolPlan {
  const run = new GraphqlRun(suite, session);
  learnExamples(run);
  const fields = queryFields(run);
  const documents = playableDocuments(run);
  const ofFields = (plan: (on: GraphqlRun, field: (typeof fields)[number]) => readonly PlannedCase[]) => () =>
    fields.flatMap((field) => plan(run, field));
  const ofDocuments = (plan: (on: GraphqlRun, document: (typeof documents)[number]) => readonly PlannedCase[]) => () =>
    documents.flatMap((document) => plan(run, document));
  const ofBases = (plan: (on: GraphqlRun, base: BaseResult) => readonly PlannedCase[]) => () =>
    // Fields of one object first: fields below them are checked there rather than in each element of a list.
    [...run.bases.values()]
      .toSorted((left, right) => Number(isSingle(right.field)) - Number(isSingle(left.field)))
      .flatMap((base) => plan(run, base));
  const ofRoot = (...planners: readonly Planner<FieldOperation>[]) =>
    ofBases((on, base) => planCases([fieldOperation(on, base)], planners));
  return {
    operations: [
      ...fields.map((field) => ({ name: run.operationOf(field), weight: 2, least: 11, most: 34 })),
      // A document is one request: reduced further, it would no longer check anything.
      ...documents.map(({ name }) => ({ name, weight: 1.15, least: 5, most: 20 })),
    ],
    planners: {
      "self-description": () => planIntrospection(run),
      examples: ofDocuments(planExamples),
      "found values, round 1": ofFields((on, field) => planFullField(on, field, false)),
      "found values, round 2": ofFields((on, field) => {
        const found = planFound(on, field);
        return found.length > 0 ? found : planFullField(on, field, false);
      }),
      "made-up values": ofFields((on, field) => planFullField(on, field, true)),
      "documented values": ofDocuments(planAsWritten),
      variants: ofBases(planEqualWays),
      relations: () => {
        const between = relationCasesOf(run);
        const ofBase = (base: BaseResult): readonly PlannedCase[] => between.get(base.operation) ?? [];
        return ofBases((on, base) => [...ofBase(base), ...planCases([fieldOperation(on, base)], relations)])();
      },
      "wrong values": () => [...ofRoot(planCertainInvalid, planFurtherInvalid)(), ...planDocumentMistakes(run)],
      "random values": ofRoot(planRandom),
      "arguments below the root": () => planNestedArguments(run, ofNestedArguments),
      protocol: () => [...planKeys(run), ...planProtocol(run)],
      "examples as shown": ofDocuments(planExampleValues),
      "described relations": ofDocuments(planDescribed),
    },
  };
}

const relations: readonly Planner<FieldOperation>[] = [
  planMissingObject,
  planOfValue(effectProperty),
  // Checking which elements are selected is stronger than checking that the values are accepted.
  planListRelations,
  planBoundaries,
];

/** Planners for the arguments of fields below the root. */
const ofNestedArguments: readonly Planner<FieldOperation>[] = [
  planBoundaries,
  planOfValue(nullProperty),
  planDefaults,
  planListRelations,
];
