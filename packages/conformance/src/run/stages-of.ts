import { acrossStage } from "../against/across-stage.ts";
import { againstStage } from "../against/against-stage.ts";
import type { Stage } from "../contract/planned-case.ts";
import { graphqlStages } from "../graphql/graphql-stages.ts";
import { httpStages } from "../http/http-stages.ts";
import { rpcStages } from "../rpc/rpc-stages.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { Session } from "../session/session.ts";

/** The stages of a suite's protocol, and those that compare with second targets. */
export function stagesOf(suite: ConformanceSuite, session: Session): readonly Stage[] {
  const { against, across } = session.peers ?? {};
  return [
    ...protocolStages(suite, session),
    ...(against === undefined ? [] : [againstStage(suite, session, against)]),
    ...(across === undefined ? [] : [acrossStage(suite, session, across)]),
  ];
}

function protocolStages(suite: ConformanceSuite, session: Session): readonly Stage[] {
  switch (suite.protocol) {
    case "http":
      return httpStages(suite, session);
    case "rpc":
      return rpcStages(suite, session);
    case "graphql":
      return graphqlStages(suite, session);
    default:
      return suite satisfies never;
  }
}
