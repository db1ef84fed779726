import type { Stage } from "../case/planned-case.ts";
import { graphqlStages } from "../graphql/graphql-stages.ts";
import { httpStages } from "../http/http-stages.ts";
import { rpcStages } from "../rpc/rpc-stages.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { Session } from "./session.ts";

/** The stages of a suite's protocol. */
export function stagesOf(suite: ConformanceSuite, session: Session): readonly Stage[] {
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
