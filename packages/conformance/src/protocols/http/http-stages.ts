import type { PlannedCase } from "../../contract/planned-case.ts";
import type { ProtocolPlan } from "../../contract/protocol-plan.ts";
import type { Session } from "../../session/session.ts";
import type { HttpSuite, SuiteHttpOperation } from "../../suite/suite.ts";
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
import { planBoundaries, planInvalid, planOnlyRequired, planRandom, planTellingInvalid } from "./input-cases.ts";
import { planAbsent, planRefusals } from "./negative-cases.ts";
import { planCounts } from "./object-relations.ts";
import { planListProperties, planRelationCases, planTurns, planValueProperties } from "./property-cases.ts";
import { planAccept, planProtocol, planUnknownPath } from "./protocol-cases.ts";
import { planServedDescription } from "./served-description.ts";

/** Documents with more operations have no calls for what is seldom wrong. */
const fewOperations = 12;

type Planner = (context: HttpContext, operation: SuiteHttpOperation) => readonly PlannedCase[];

/** The planners of an interface over HTTP. */
export function planHttp(suite: HttpSuite, session: Session): ProtocolPlan {
  const context = createHttpContext(suite, session, answerChecks);
  const ofEach =
    (...planners: readonly Planner[]) =>
    (): readonly PlannedCase[] =>
      suite.operations.flatMap((operation) => planners.flatMap((planner) => planner(context, operation)));
  const found = (round: number) => ofEach((_context, operation) => planLive(context, operation, round));
  return {
    operations: suite.operations.map(({ name }) => ({ name, weight: 1, least: 30, most: 60 })),
    planners: {
      examples: ofEach(planExamples, planCalls),
      "found values, round 1": found(1),
      "found values, round 2": found(2),
      "made-up values": ofEach(planGuessed),
      "found values, round 3": found(3),
      "found values, round 4": found(4),
      "found values, round 5": found(5),
      "documented values": ofEach(planDocumentedValues),
      variants: ofEach(planOnlyRequired),
      "relations of objects": ofEach(planNeverFound, planCounts, planValueProperties),
      "first wrong values": ofEach(planAbsent, planTellingInvalid),
      "documented errors": ofEach(planDeclared),
      lists: ofEach(planListProperties, planLinks, planFilters, planChoices, planAggregates),
      "documented bounds": ofEach(planBoundaries),
      relations: () => planRelationCases(context),
      "calls in turn": suite.operations.length > fewOperations ? () => [] : ofEach(planTurns),
      "protocol of each operation": ofEach(planKeys, planProtocol),
      "wrong values": ofEach(planInvalid, planRefusals),
      bounds: ofEach(planAccept),
      "random values": ofEach(planRandom),
      elements: ofEach(planElements, planObjects),
      protocol: () => [...planUnknownPath(context), ...planServedDescription(context)],
      "described relations": ofEach(planDescribed),
    },
  };
}
