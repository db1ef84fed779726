import type { Rule } from "../contract/rule.ts";

/** What two targets are held to that are asked the same. */
export const againstRules: Readonly<
  Record<"sameOutcome" | "sameValue" | "sameFailure" | "likelyValue" | "sameChain" | "across", Rule>
> = {
  sameOutcome: { id: "A01", level: "MUST", title: "What one target answers the other one answers too" },
  sameValue: { id: "A02", level: "MUST", title: "Both targets answer alike what can't change" },
  sameFailure: { id: "A03", level: "SHOULD", title: "Both targets fail with the same status or code" },
  likelyValue: { id: "A04", level: "SHOULD", title: "Both targets answer alike what belongs to the same head" },
  sameChain: { id: "A05", level: "MUST", title: "Both targets are of the same chain" },
  across: { id: "A06", level: "MUST", title: "Two interfaces of a node tell the same" },
};
