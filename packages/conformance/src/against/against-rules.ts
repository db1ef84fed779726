import { type Rule, rule } from "../contract/rule.ts";

/** What two targets are held to that are asked the same. */
export const againstRules: Readonly<
  Record<"sameOutcome" | "sameValue" | "sameFailure" | "likelyValue" | "sameChain" | "across", Rule>
> = {
  sameOutcome: rule("A01", "MUST", "What one target answers, the other one answers too", "--against"),
  sameValue: rule("A02", "MUST", "What can't change is the same at both targets", "--against"),
  sameFailure: rule("A03", "SHOULD", "What fails at both targets fails with the same status or code", "--against"),
  likelyValue: rule(
    "A04",
    "SHOULD",
    "What depends on the newest block is the same at both targets while they have the same one",
    "--against",
  ),
  sameChain: rule("A05", "MUST", "Both targets are of the same chain", "--against"),
  across: rule("A06", "MUST", "Two interfaces of one node say the same", "--across"),
};
