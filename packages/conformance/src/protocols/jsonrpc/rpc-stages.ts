import { type PlannedCase, protocolCase } from "../../contract/planned-case.ts";
import { fewOperations, type ProtocolPlan, shareCalls } from "../../contract/protocol-plan.ts";
import { defaultProperty } from "../../properties/default.ts";
import {
  planAbsent,
  planAsShown,
  planBetween,
  planBoundaries,
  planCases,
  planDeclared,
  planDocumentedBounds,
  planFurtherInvalid,
  planLists,
  planOnlyRequired,
  planShown,
  planStages,
  planCertainInvalid,
  planInterleaved,
  planValues,
  readingStages,
  usualStages,
} from "../../properties/plan-operation.ts";
import { seenEchoProperty } from "../../properties/seen-echo.ts";
import { steadyProperty } from "../../properties/steady.ts";
import { createSafety } from "../../safety/safety.ts";
import { planRelations } from "../../relations/relation-cases.ts";
import type { Session } from "../../session/session.ts";
import type { RpcSuite } from "../../suite/suite.ts";
import { rpcTarget } from "./described-relations.ts";
import { discoveryDraft } from "./discovery-case.ts";
import { firstCall } from "./example-cases.ts";
import { excludedStyleDrafts, refusedStyleDrafts, styleDrafts } from "./parameter-structure.ts";
import { batchDrafts, firstBatchDraft } from "./protocol-batch-cases.ts";
import { findPlainCall } from "./protocol-case.ts";
import { callDrafts, getDraft, keyDrafts, refusedDrafts } from "./protocol-request-cases.ts";
import { documentsAbsence } from "./absence.ts";
import { createContext, checkedMethods, type RpcContext } from "./rpc-context.ts";
import { inspectResult, rpcOperation, type RpcOperation } from "./rpc-operation.ts";

/** Number of methods from which on no alternating calls are made. */
const manyMethods = 40;

/** Plans the stages of a JSON-RPC interface. */
export function planRpc(suite: RpcSuite, session: Session): ProtocolPlan {
  const context = createContext(suite, session, inspectResult);
  const safety = createSafety(suite, session.options);
  const all = (): readonly RpcOperation[] => checkedMethods(context).map((method) => rpcOperation(context, method));
  const reading = (): readonly RpcOperation[] => all().filter(({ name }) => safety.of(name).isSafe);
  const { length } = suite.operations;
  const turns = length > manyMethods ? [] : [planInterleaved];
  return {
    operations: shareCalls(suite.operations),
    planners: {
      ...planStages(reading, {
        ...usualStages,
        ...readingStages,
        "first calls": [(method) => [firstCall(method)]],
        variants: [planOnlyRequired, planDocumentedBounds],
        "ways of writing parameters": [styleDrafts],
        "refused ways of writing parameters": [refusedStyleDrafts, excludedStyleDrafts],
        "documented errors": [
          planDeclared,
          (operation) => (documentsAbsence(operation.method) ? planAbsent(operation) : []),
        ],
        // In a stage of their own: concurrent calls of the same methods would interfere. Late for methods that have two known results only
        // by then.
        "calls in turn": length > fewOperations ? [] : turns,
        "calls in turn, late": turns,
        bounds: [planBoundaries],
      }),
      // A writing method is called only with documented inputs, and with those that the description excludes.
      ...planStages(all, {
        examples: [planShown],
        "documented values": [planAsShown],
        "first wrong values": [planCertainInvalid, planAbsent],
        "wrong values": [planFurtherInvalid],
      }),
      relations: () => planResults(reading()),
      // Two methods show whether the other way of writing parameters is accepted at all: a single one may be the exception.
      "first ways of writing parameters": () => planCases(reading(), [styleDrafts]).slice(0, 2),
      "protocol of each operation": () => keyCases(context),
      protocol: () => protocolCases(context),
      batches: () => batchDrafts(context).map(protocolCase),
      "described relations": () => checkedMethods(context).flatMap((one) => planRelations(rpcTarget(context), one)),
    },
  };
}

/** Plans relations between results, as inferred from names and types; the most significant first. */
function planResults(methods: readonly RpcOperation[]): readonly PlannedCase[] {
  const ofEach = [planValues(steadyProperty), planLists, planValues(defaultProperty, seenEchoProperty)];
  const cases = [...planCases(methods, ofEach), ...planBetween(methods)];
  return methods.flatMap(({ name }) => cases.filter(({ operation }) => operation === name));
}

/** Plans requests without a valid key, before the calls of the method are used up. */
function keyCases(context: RpcContext): readonly PlannedCase[] {
  const call = findPlainCall(context);
  return call === undefined ? [] : keyDrafts(context, call).map(protocolCase);
}

function protocolCases(context: RpcContext): readonly PlannedCase[] {
  const call = findPlainCall(context);
  const ofCall = call === undefined ? [] : [...callDrafts(context, call), firstBatchDraft(context, call)];
  return [...refusedDrafts(context), ...ofCall, getDraft(), discoveryDraft(context)].map(protocolCase);
}
