import { type Rule, rule } from "../contract/rule.ts";

/** What a run itself finds out, whatever a case asks. */
export const runRules: Readonly<Record<"answered" | "inTime" | "size" | "keyEcho" | "safety", Rule>> = {
  answered: rule("ANSW", "MUST", "A request is answered, and the answer comes to its end", "RFC 9112, section 8"),
  inTime: rule("TIME", "SHOULD", "An operation answers in the time that the run gives it", "--timeout"),
  size: rule("SIZE", "SHOULD", "An answer is not longer than the run reads", "the run's own limit"),
  keyEcho: rule("KEYE", "SHOULD", "An answer does not repeat the caller's key", "OWASP API Security Top 10, API2:2023"),
  safety: rule(
    "SAFE",
    "MAY",
    "Operations that may change something are not sent",
    "--allow-writes, --safe and --unsafe",
  ),
};
