import { acrossStage, againstStage } from "../against/against-stage.ts";
import type { Stage } from "../contract/planned-case.ts";
import { type ProtocolPlan, type SharedOperation, type StageName, stageShares } from "../contract/protocol-plan.ts";
import { planGraphql } from "../protocols/graphql/graphql-stages.ts";
import { planHttp } from "../protocols/http/http-stages.ts";
import { planRpc } from "../protocols/jsonrpc/rpc-stages.ts";
import type { Session } from "../session/session.ts";
import type { ConformanceSuite } from "../suite/suite.ts";

/** Stages of a run, and the operations that share its calls. */
export interface SuitePlan {
  readonly stages: readonly Stage[];
  readonly operations: readonly SharedOperation[];
}

/** Plans the stages of a suite's protocol, and those that compare with second targets. */
export function planStages(suite: ConformanceSuite, session: Session): SuitePlan {
  const { against, across } = session.peers ?? {};
  const { operations, planners } = planProtocol(suite, session);
  const stages = Object.entries(stageShares).flatMap(([name, share]): readonly Stage[] => {
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
