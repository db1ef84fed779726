import type { PlannedCase, Stage } from "../case/planned-case.ts";
import type { Session } from "../run/session.ts";
import type { HttpSuite, SuiteHttpOperation } from "../suite/suite.ts";
import { answerChecks } from "./answer-checks.ts";
import { planCalls, planDocumentedValues, planExamples } from "./example-cases.ts";
import { createHttpContext, type HttpContext } from "./http-context.ts";
import { planLive } from "./live-cases.ts";

type Planner = (context: HttpContext, operation: SuiteHttpOperation) => readonly PlannedCase[];

/** Plans everything that an interface over HTTP is asked: the stages in their order, each from what those before it found out. */
export function httpStages(suite: HttpSuite, session: Session): readonly Stage[] {
  const context = createHttpContext(suite, session, answerChecks);
  const stage = (name: string, ...planners: readonly Planner[]): Stage => ({
    name,
    plan: () =>
      context.suite.operations.flatMap((operation) => planners.flatMap((planner) => planner(context, operation))),
  });
  return [
    stage("examples", planExamples, planCalls),
    stage("live", (_context, operation) => planLive(context, operation, 1)),
    stage("live, further", (_context, operation) => planLive(context, operation, 2)),
    stage("documented values", planDocumentedValues),
  ];
}
