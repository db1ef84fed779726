import { type Rule, rulesOf } from "../contract/rule.ts";

const table = {
  responded: "ANSW | MUST | A request is answered, and the answer comes to its end | RFC 9112, section 8",
  inTime: "TIME | SHOULD | An operation answers in the time that the run gives it | --timeout",
  size: "SIZE | SHOULD | An answer is not longer than the run reads | the run's own limit",
  keyEcho: "KEYE | SHOULD | An answer does not repeat the caller's key | OWASP API Security Top 10, API2:2023",
  safety: "SAFE | MAY | Operations that may change something are not sent | --allow-writes, --safe and --unsafe",
} as const;

/** Rules that a run checks itself, independent of cases. */
export const runRules: Readonly<Record<keyof typeof table, Rule>> = rulesOf(table);
