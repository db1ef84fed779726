import { type Rule, rulesOf } from "../contract/rule.ts";

const table = {
  sameOutcome: "A01 | MUST | What succeeds at one target succeeds at the other | --against",
  sameValue: "A02 | MUST | What can't change is the same at both targets | --against",
  sameFailure: "A03 | SHOULD | What fails at both targets fails with the same status or code | --against",
  valueHeuristic:
    "A04 | SHOULD | What depends on the newest block is the same at both targets while they have the same one | --against",
  sameChain: "A05 | MUST | Both targets are of the same chain | --against",
  across: "A06 | MUST | Two interfaces of one node say the same | --across",
} as const;

/** Rules for two targets that receive the same calls. */
export const againstRules: Readonly<Record<keyof typeof table, Rule>> = rulesOf(table);
