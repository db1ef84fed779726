import type { PlannedCase, Stage } from "../contract/planned-case.ts";
import type { Session } from "../session/session.ts";
import type { HttpSuite, SuiteHttpOperation } from "../suite/suite.ts";
import { planAggregates } from "./aggregate-relations.ts";
import { planElements, planObjects } from "./alike-relations.ts";
import { answerChecks } from "./answer-checks.ts";
import { planCalls, planDocumentedValues, planExamples } from "./example-cases.ts";
import { planChoices } from "./choice-relations.ts";
import { planDeclared } from "./declared-error-cases.ts";
import { planDescribed } from "./described-relations.ts";
import { planFilters } from "./filter-relations.ts";
import { createHttpContext, type HttpContext } from "./http-context.ts";
import { planKeys } from "./key-cases.ts";
import { planLinks } from "./link-relations.ts";
import { planGuessed, planLive, planNeverFound } from "./live-cases.ts";
import { planFirstNegatives, planNegatives } from "./negative-cases.ts";
import { planAlone, planCounts, planLookups } from "./object-relations.ts";
import { planListProperties, planValueProperties } from "./property-cases.ts";
import { planAccept, planOffered, planProtocol, planUnknownPath } from "./protocol-cases.ts";
import { planServedDescription } from "./served-description.ts";
import { planBoundaries, planRandom, planTogether, planWithoutOptional } from "./value-cases.ts";

type Planner = (context: HttpContext, operation: SuiteHttpOperation) => readonly PlannedCase[];

/** Plans everything that an interface over HTTP is asked: the stages in their order, each from what those before it found out. */
export function httpStages(suite: HttpSuite, session: Session): readonly Stage[] {
  const context = createHttpContext(suite, session, answerChecks);
  const stage = (name: string, ...planners: readonly Planner[]): Stage => ({
    name,
    plan: () => suite.operations.flatMap((operation) => planners.flatMap((planner) => planner(context, operation))),
  });
  return [
    stage("examples", planExamples, planCalls),
    stage("found values", (_context, operation) => planLive(context, operation, 1)),
    stage("values found there", (_context, operation) => planLive(context, operation, 2)),
    stage("values like others", planGuessed),
    ...[3, 4, 5].map((round) =>
      stage(`values found there, round ${round}`, (_context, operation) => planLive(context, operation, round)),
    ),
    stage("documented values", planDocumentedValues),
    stage("what is required alone", planWithoutOptional),
    stage("relations of all", planNeverFound, planCounts, planValueProperties, planLookups),
    stage("first wrong values", planDeclared, planFirstNegatives),
    stage("values together", planTogether),
    stage("relations of lists", planListProperties, planLinks, planAlone, planFilters, planChoices, planAggregates),
    stage("keys", planKeys),
    {
      name: "protocol",
      plan: () => [
        ...planUnknownPath(context),
        ...planServedDescription(context),
        ...suite.operations.flatMap((one) => [...planProtocol(context, one), ...planOffered(context, one)]),
      ],
    },
    stage("wrong values", planNegatives),
    stage("bounds", planBoundaries, planAccept),
    stage("random values", planRandom),
    // Once more: some objects are embedded only where a parameter says so.
    stage("elements", planElements, planObjects, planAlone),
    stage("described relations", planDescribed),
  ];
}
