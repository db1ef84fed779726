import { detectCapabilities } from "../capabilities/detect.ts";
import type { TargetFacts } from "../contract/capability-facts.ts";
import { createRequestGuard, type RequestGuard } from "../safety/request-guard.ts";
import { createSafety, type Safety } from "../safety/safety.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { Sender } from "../client/sender.ts";
import { createBudget } from "../client/budget.ts";
import type { RunOptions } from "../contract/options.ts";
import { readTarget } from "../client/base-url.ts";

/** A second target, with whose responses those of the first are compared. */
export interface Peer {
  readonly suite: ConformanceSuite;
  readonly sender: Sender;
  readonly guard: RequestGuard;
  readonly safety: Safety;
  /** Facts that `detectFacts` has detected. */
  readonly facts: TargetFacts;
  detectFacts(): Promise<void>;
}

/** Second targets by purpose: `against` has the same interface, `across` another one to the same data. */
type PeerName = "against" | "across";
export type Peers = Partial<Readonly<Record<PeerName, Peer>>>;

/**
 * Creates the second targets of a run. They have the key, the headers and the rate of the run, and are never written to.
 *
 * @throws {TypeError} for an invalid URL.
 */
export function createPeers(suite: ConformanceSuite, options: RunOptions): Peers {
  const { against, across } = options;
  return {
    ...(against === undefined ? {} : { against: createPeer(suite, options, against) }),
    ...(across === undefined ? {} : { across: createPeer(across.suite, options, across.baseUrl) }),
  };
}

function createPeer(suite: ConformanceSuite, options: RunOptions, url: string): Peer {
  const { maxMilliseconds, maxRequests, signal } = options;
  const budget = createBudget({ maxMilliseconds, maxRequests, signal, callsOf: () => Number.POSITIVE_INFINITY });
  const baseUrl = readTarget(suite, { baseUrl: url });
  const sender = new Sender({ suite, options: { ...options, baseUrl: url }, baseUrl, budget });
  const safety = createSafety(suite, options);
  let facts: TargetFacts = {};
  return {
    suite,
    sender,
    safety,
    guard: createRequestGuard(suite, safety, false),
    get facts() {
      return facts;
    },
    detectFacts: async () => {
      facts = (await detectCapabilities(suite, safety, sender)).facts;
    },
  };
}
