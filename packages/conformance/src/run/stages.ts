import { acrossStage } from "../against/across-stage.ts";
import { againstStage } from "../against/against-stage.ts";
import type { Stage } from "../contract/planned-case.ts";
import type { ProtocolPlan, SharedOperation, StageName } from "../contract/protocol-plan.ts";
import { planGraphql } from "../protocols/graphql/graphql-stages.ts";
import { planHttp } from "../protocols/http/http-stages.ts";
import { planRpc } from "../protocols/jsonrpc/rpc-stages.ts";
import type { Session } from "../session/session.ts";
import type { ConformanceSuite } from "../suite/suite.ts";

/**
 * The stages in their order, each with the share of an operation's calls that are used when it ends, at most: what says least comes last.
 * What does not fit is played in the end, as far as calls are left over. Above 1: cases that are made for few operations.
 */
const shares: Readonly<Record<StageName, number>> = {
  "self-description": 1,
  "first calls": 0.45,
  examples: 0.45,
  "found values, round 1": 0.5,
  "found values, round 2": 0.5,
  "made-up values": 0.5,
  "found values, round 3": 0.5,
  "found values, round 4": 0.5,
  "found values, round 5": 0.5,
  "calls that are always refused": 0.55,
  "documented values": 0.55,
  variants: 0.55,
  "relations of objects": 0.62,
  "first wrong values": 0.66,
  "first ways of writing parameters": 0.68,
  "documented errors": 0.72,
  lists: 0.76,
  "documented bounds": 0.78,
  "ways of writing parameters": 0.8,
  "refused ways of writing parameters": 0.81,
  relations: 0.92,
  "calls in turn": 0.93,
  "protocol of each operation": 0.93,
  "wrong values": 0.96,
  bounds: 0.98,
  "random values": 1,
  "calls in turn, late": 1,
  elements: 1,
  "arguments below the root": 2,
  protocol: 1,
  batches: 1,
  "examples as shown": 1,
  "described relations": 2,
};

/** Everything that a run plays, and the operations that share its calls. */
export interface SuitePlan {
  readonly stages: readonly Stage[];
  readonly operations: readonly SharedOperation[];
}

/** Plans the stages of a suite's protocol, and those that compare with second targets. */
export function planStages(suite: ConformanceSuite, session: Session): SuitePlan {
  const { against, across } = session.peers ?? {};
  const { operations, planners } = planProtocol(suite, session);
  const stages = Object.entries(shares).flatMap(([name, share]): readonly Stage[] => {
    const plan = planners[name as StageName];
    return plan === undefined ? [] : [{ name, share, plan }];
  });
  return {
    operations,
    stages: [
      ...stages,
      ...(against === undefined ? [] : [againstStage(suite, session, against)]),
      ...(across === undefined ? [] : [acrossStage(suite, session, across)]),
    ],
  };
}

function planProtocol(suite: ConformanceSuite, session: Session): ProtocolPlan {
  switch (suite.protocol) {
    case "http":
      return planHttp(suite, session);
    case "rpc":
      return planRpc(suite, session);
    case "graphql":
      return planGraphql(suite, session);
    default:
      return suite satisfies never;
  }
}
