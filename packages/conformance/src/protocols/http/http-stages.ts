import { fewOperations, type ProtocolPlan, shareCalls } from "../../contract/protocol-plan.ts";
import {
  found,
  planAbsent,
  planAsShown,
  planBetween,
  planBoundaries,
  planFurtherInvalid,
  planOnlyRequired,
  planShown,
  planStages,
  planCertainInvalid,
  planValues,
  readingStages,
  usualStages,
} from "../../properties/plan-operation.ts";
import { valueProperties } from "../../properties/properties.ts";
import { planRelations } from "../../relations/relation-cases.ts";
import type { Session } from "../../session/session.ts";
import type { HttpSuite } from "../../suite/suite.ts";
import { responseChecks } from "./response-checks.ts";
import { httpTarget } from "./described-relations.ts";
import { planCalls } from "./example-cases.ts";
import { createHttpContext } from "./http-context.ts";
import { httpOperation, type HttpOperation } from "./http-operation.ts";
import { planKeys } from "./key-cases.ts";
import { planAccept, planBrokenBodies, planProtocol, planUnknownPath } from "./protocol-cases.ts";
import { planServedDescription } from "./served-description.ts";

/** Plans the stages of an HTTP interface. */
export function planHttp(suite: HttpSuite, session: Session): ProtocolPlan {
  const context = createHttpContext(suite, session, responseChecks);
  const all = (): readonly HttpOperation[] => suite.operations.map((source) => httpOperation(context, source));
  const reading = (): readonly HttpOperation[] => all().filter(({ source }) => source.method === "GET");
  return {
    operations: shareCalls(suite.operations),
    planners: {
      ...planStages(all, {
        ...usualStages,
        examples: [planShown, planCalls],
        "found values, round 4": [found(4)],
        "found values, round 5": [found(5)],
        "documented values": [planAsShown],
        variants: [planOnlyRequired],
        "first wrong values": [planAbsent, planCertainInvalid],
        "documented bounds": [planBoundaries],
        "protocol of each operation": [planKeys, planProtocol],
        "wrong values": [planFurtherInvalid, planBrokenBodies],
        bounds: [planAccept],
      }),
      ...planStages(reading, {
        ...readingStages,
        "relations of objects": [planValues(...valueProperties)],
        ...(suite.operations.length > fewOperations ? { "calls in turn": [] } : {}),
      }),
      relations: () => planBetween(reading()),
      protocol: () => [...planUnknownPath(context), ...planServedDescription(context)],
      "described relations": () => suite.operations.flatMap((one) => planRelations(httpTarget(context), one)),
    },
  };
}
