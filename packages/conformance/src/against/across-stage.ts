import type { CasePlay, PlannedCase, Stage } from "../contract/planned-case.ts";
import { httpTarget } from "../http/described-relations.ts";
import { createHttpContext } from "../http/http-context.ts";
import { createLiveValues } from "../live/create-live-values.ts";
import { planRelations, type RelationTarget } from "../relations/relation-cases.ts";
import { rpcTarget } from "../rpc/described-relations.ts";
import { createContext } from "../rpc/rpc-context.ts";
import { createEvidence } from "../session/coverage.ts";
import type { Peer } from "../session/peer.ts";
import type { Session } from "../session/session.ts";
import type { ConformanceSuite, HttpSuite, RpcSuite } from "../suite/suite.ts";
import { Interruption } from "../wire/interruption.ts";
import type { AcrossRelation } from "../contract/across.ts";
import { againstRules } from "./against-rules.ts";

/** Holds what one interface answers to what another one of the same data does: by HTTP and JSON-RPC, in both directions. */
export function acrossStage(suite: ConformanceSuite, session: Session, peer: Peer): Stage {
  return {
    name: "across interfaces",
    plan: () => {
      if (suite.protocol === "graphql" || peer.suite.protocol === "graphql") return [];
      const own = targetOf(suite, session);
      const other = otherTarget(peer.suite, session, peer);
      const relations = Map.groupBy(session.options.across?.relations ?? [], ({ operation }) => operation);
      return suite.operations.flatMap(({ name }) => casesOf({ ...own, other }, name, relations.get(name) ?? []));
    },
  };
}

function casesOf(
  target: RelationTarget,
  operation: string,
  relations: readonly AcrossRelation[],
): readonly PlannedCase[] {
  return planRelations(target, { name: operation, relations }, { group: "against", rule: againstRules.across });
}

function targetOf(suite: HttpSuite | RpcSuite, session: Session): RelationTarget {
  return suite.protocol === "http"
    ? httpTarget(createHttpContext(suite, session, []))
    : rpcTarget(createContext(suite, session, []));
}

/** The operations of the second target; what it does not answer is nobody's fault here. */
function otherTarget(
  suite: HttpSuite | RpcSuite,
  { options, random, callsPerOperation }: Session,
  peer: Peer,
): RelationTarget {
  const target = targetOf(suite, {
    options,
    random,
    callsPerOperation,
    live: createLiveValues(suite),
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
