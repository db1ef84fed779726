import type { Stage } from "../contract/planned-case.ts";
import { planRelations } from "../relations/relation-cases.ts";
import type { Peer } from "../session/peer.ts";
import type { Session } from "../session/session.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { againstRules } from "./against-rules.ts";
import { otherTarget, targetOf } from "./targets.ts";

/** Compares the results of two interfaces of the same data, in any protocols. */
export function acrossStage(suite: ConformanceSuite, session: Session, peer: Peer): Stage {
  return {
    name: "across interfaces",
    plan: () => {
      const target = { ...targetOf(suite, session), other: otherTarget(suite, session, peer, "across") };
      const relations = Map.groupBy(session.options.across?.relations ?? [], ({ operation }) => operation);
      return [...relations]
        .filter(([name]) => target.has(name))
        .flatMap(([name, own]) =>
          planRelations(target, { name, relations: own }, { group: "against", rule: againstRules.across }),
        );
    },
  };
}
