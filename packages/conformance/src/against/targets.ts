import { Interruption } from "../client/interruption.ts";
import type { CasePlay } from "../contract/planned-case.ts";
import { SuiteValues } from "../live/suite-values.ts";
import { graphqlTarget } from "../protocols/graphql/rules/described-relations.ts";
import { GraphqlRun } from "../protocols/graphql/run/graphql-run.ts";
import { httpTarget } from "../protocols/http/described-relations.ts";
import { createHttpContext } from "../protocols/http/http-context.ts";
import { rpcTarget } from "../protocols/jsonrpc/described-relations.ts";
import { createContext } from "../protocols/jsonrpc/rpc-context.ts";
import type { RelationTarget } from "../relations/relation-cases.ts";
import { Evidence } from "../session/coverage.ts";
import type { Peer, Peers } from "../session/peer.ts";
import type { Session } from "../session/session.ts";
import type { ConformanceSuite } from "../suite/suite.ts";

/** Returns access to the operations of a target, for any protocol. */
export function targetOf(suite: ConformanceSuite, session: Session): RelationTarget {
  switch (suite.protocol) {
    case "http":
      return httpTarget(createHttpContext(suite, session, []));
    case "rpc":
      return rpcTarget(createContext(suite, session, () => []));
    case "graphql":
      return graphqlTarget(new GraphqlRun(suite, session));
    default:
      return suite satisfies never;
  }
}

/** Returns access to the operations of a second target; a missing response of it is not a failure of the first one. */
export function otherTarget(own: ConformanceSuite, session: Session, peer: Peer, to: keyof Peers): RelationTarget {
  const { options, random } = session;
  const isSameProtocol = own.protocol === "graphql" && peer.suite.protocol === "graphql";
  const target = targetOf(peer.suite, {
    options,
    random,
    // Another GraphQL interface receives calls of the same fields, as far as it has them.
    live: isSameProtocol ? session.live : new SuiteValues(peer.suite),
    safety: peer.safety,
    coverage: new Evidence(),
    capabilities: { operations: new Map() },
  });
  return {
    ...target,
    callOperation: async (play, operation, input) => {
      const away: CasePlay = { ...play, send: (request, given) => play.send(request, { ...given, to }) };
      try {
        return await target.callOperation(away, operation, input);
      } catch (reason) {
        if (reason instanceof Interruption && reason.why.kind === "no-response")
          return { kind: "nothing", problem: "The second target does not respond" };
        throw reason;
      }
    },
  };
}
