import type { RunOptions } from "../contract/options.ts";
import { matchesAny } from "../basics/name-pattern.ts";
import { operationNames } from "../suite/described-operations.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { ReceivedResponse } from "../contract/exchange.ts";
import type { Availability } from "../contract/capability-facts.ts";
import { graphqlOffer, httpOffer, type Offer, rpcOffer } from "./offer.ts";

/** Availability of an operation, with its reason. */
interface AvailabilityFact {
  readonly availability: Availability;
  readonly reason: string;
}

/** Infers from responses how operations are offered. A single valid response outweighs all others, so that no defect is hidden. */
export interface AvailabilityLog {
  readonly facts: ReadonlyMap<string, AvailabilityFact>;
  /** Records the response of a request that called only this operation, with the run's key. */
  note(operation: string, response: ReceivedResponse): void;
  /** Sets an availability that is known without a request. */
  set(operation: string, fact: AvailabilityFact): void;
  /**
   * Returns why failing cases of an operation have no verdict: it is not offered, according to all of its `responses` responses. The
   * configuration takes precedence.
   */
  absenceOf(operation: string, responses: number): string | undefined;
}

export function createAvailabilityLog(
  suite: ConformanceSuite,
  { enabled }: Pick<RunOptions, "enabled">,
): AvailabilityLog {
  const facts = new Map<string, AvailabilityFact>();
  const counts = new Map<string, number>();
  /** Operations that are only known to validate their parameters. */
  const weak = new Set<string>();
  const namesOf = operationNames(suite);
  return {
    facts,
    note: (operation, response) => {
      const offer = offerOf(suite, response);
      if (offer === undefined) return;
      const known = facts.get(operation);
      const isOpen = known === undefined || weak.has(operation);
      if (offer.isWeak === true ? !isOpen : known?.availability === "available" && !isOpen) return;
      if (offer.isWeak === true) weak.add(operation);
      else weak.delete(operation);
      counts.set(operation, (counts.get(operation) ?? 0) + 1);
      // An operation that requires an archive exists.
      if (offer.availability === "needs archive" || isOpen || offer.availability === "available") {
        facts.set(operation, { availability: offer.availability, reason: offer.reason });
      }
    },
    set: (operation, fact) => {
      facts.set(operation, fact);
    },
    absenceOf: (operation, responses) => {
      const fact = facts.get(operation);
      if (fact === undefined || (fact.availability !== "missing" && fact.availability !== "disabled")) return undefined;
      if ((counts.get(operation) ?? 0) < responses || matchesAny(enabled, namesOf(operation))) return undefined;
      return `the operation is ${fact.availability} here: ${fact.reason}`;
    },
  };
}

function offerOf(suite: ConformanceSuite, response: ReceivedResponse): Offer | undefined {
  switch (suite.protocol) {
    case "rpc":
      return rpcOffer(response);
    case "http":
      return httpOffer(response.status, response.headers, response.text ?? "");
    case "graphql":
      return graphqlOffer(response.text ?? "");
    default:
      return suite satisfies never;
  }
}
