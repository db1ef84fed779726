import type { CasePlay, Stage } from "../contract/planned-case.ts";
import { graphqlTarget } from "../protocols/graphql/described-relations.ts";
import { GraphqlRun } from "../protocols/graphql/graphql-run.ts";
import { httpTarget } from "../protocols/http/described-relations.ts";
import { createHttpContext } from "../protocols/http/http-context.ts";
import { createLiveValues } from "../live/create-live-values.ts";
import { planRelations, type RelationTarget } from "../relations/relation-cases.ts";
import { rpcTarget } from "../protocols/jsonrpc/described-relations.ts";
import { createContext } from "../protocols/jsonrpc/rpc-context.ts";
import { createEvidence } from "../session/coverage.ts";
import type { Peer } from "../session/peer.ts";
import type { Session } from "../session/session.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { Interruption } from "../client/interruption.ts";
import { againstRules } from "./against-rules.ts";

/** Compares what one interface answers with what another one of the same data does, whatever protocols they have. */
export function acrossStage(suite: ConformanceSuite, session: Session, peer: Peer): Stage {
  return {
    name: "across interfaces",
    plan: () => {
      const target = { ...targetOf(suite, session), other: otherTarget(suite, session, peer) };
      const relations = Map.groupBy(session.options.across?.relations ?? [], ({ operation }) => operation);
      return [...relations]
        .filter(([name]) => target.has(name))
        .flatMap(([name, own]) =>
          planRelations(target, { name, relations: own }, { group: "against", rule: againstRules.across }),
        );
    },
  };
}

function targetOf(suite: ConformanceSuite, session: Session): RelationTarget {
  switch (suite.protocol) {
    case "http":
      return httpTarget(createHttpContext(suite, session, []));
    case "rpc":
      return rpcTarget(createContext(suite, session, []));
    case "graphql":
      return graphqlTarget(new GraphqlRun(suite, session));
    default:
      return suite satisfies never;
  }
}

/** The operations of the second target; what it does not answer is nobody's fault here. */
function otherTarget(own: ConformanceSuite, session: Session, peer: Peer): RelationTarget {
  const { options, random } = session;
  const isSameProtocol = own.protocol === "graphql" && peer.suite.protocol === "graphql";
  const target = targetOf(peer.suite, {
    options,
    random,
    // Another GraphQL interface is asked for the same fields, as far as it has them.
    live: isSameProtocol ? session.live : createLiveValues(peer.suite),
    safety: peer.safety,
    coverage: createEvidence(),
    capabilities: { operations: new Map() },
  });
  return {
    ...target,
    call: async (play, operation, input) => {
      const away: CasePlay = { ...play, send: (request, given) => play.send(request, { ...given, to: "across" }) };
      try {
        return await target.call(away, operation, input);
      } catch (reason) {
        if (reason instanceof Interruption && reason.why.kind === "no-answer")
          return { problem: "the other interface gives no answer" };
        throw reason;
      }
    },
  };
}
