import type { PlannedCase } from "../../contract/planned-case.ts";
import { fewOperations, type ProtocolPlan, shareCalls } from "../../contract/protocol-plan.ts";
import type { Session } from "../../session/session.ts";
import type { HttpSuite } from "../../suite/suite.ts";
import { answerChecks } from "./answer-checks.ts";
import { planCalls, planDocumentedValues, planExamples } from "./example-cases.ts";
import { planDeclared } from "./declared-error-cases.ts";
import { planDescribed } from "./described-relations.ts";
import { createHttpContext } from "./http-context.ts";
import { planKeys } from "./key-cases.ts";
import { planFound, planLikely, planNeverAccepted } from "./live-cases.ts";
import {
  type Planner,
  planBoundaries,
  planInvalid,
  planOnlyRequired,
  planRandom,
  planTellingInvalid,
} from "./input-cases.ts";
import { planAbsent, planBrokenBodies } from "./negative-cases.ts";
import { planListProperties, planRelationCases, planTurns, planValueProperties } from "./property-cases.ts";
import { planAccept, planProtocol, planUnknownPath } from "./protocol-cases.ts";
import { planServedDescription } from "./served-description.ts";

/** The planners of an interface over HTTP. */
export function planHttp(suite: HttpSuite, session: Session): ProtocolPlan {
  const context = createHttpContext(suite, session, answerChecks);
  const ofEach =
    (...planners: readonly Planner[]) =>
    (): readonly PlannedCase[] =>
      suite.operations.flatMap((operation) => planners.flatMap((planner) => planner(context, operation)));
  return {
    operations: shareCalls(suite.operations),
    planners: {
      examples: ofEach(planExamples, planCalls),
      "found values, round 1": ofEach(planFound(1)),
      "found values, round 2": ofEach(planFound(2)),
      "made-up values": ofEach(planLikely),
      "found values, round 3": ofEach(planFound(3)),
      "found values, round 4": ofEach(planFound(4)),
      "found values, round 5": ofEach(planFound(5)),
      "calls that are always refused": ofEach(planNeverAccepted),
      "documented values": ofEach(planDocumentedValues),
      variants: ofEach(planOnlyRequired),
      "relations of objects": ofEach(planValueProperties),
      "first wrong values": ofEach(planAbsent, planTellingInvalid),
      "documented errors": ofEach(planDeclared),
      lists: ofEach(planListProperties),
      "documented bounds": ofEach(planBoundaries),
      relations: () => planRelationCases(context),
      "calls in turn": suite.operations.length > fewOperations ? () => [] : ofEach(planTurns),
      "protocol of each operation": ofEach(planKeys, planProtocol),
      "wrong values": ofEach(planInvalid, planBrokenBodies),
      bounds: ofEach(planAccept),
      "random values": ofEach(planRandom),
      protocol: () => [...planUnknownPath(context), ...planServedDescription(context)],
      "described relations": ofEach(planDescribed),
    },
  };
}
