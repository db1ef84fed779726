import { type Rule, rulesOf } from "../contract/rule.ts";

const table = {
  responded: "ANSW | MUST | A request gets a complete response | RFC 9112, section 8",
  inTime: "TIME | SHOULD | An operation responds within the timeout of the run | --timeout",
  size: "SIZE | SHOULD | A response is not longer than the limit of the run | the run's own limit",
  keyEcho: "KEYE | SHOULD | A response does not repeat the caller's key | OWASP API Security Top 10, API2:2023",
  safety: "SAFE | MAY | Operations that may change something are not sent | --allow-writes, --safe and --unsafe",
} as const;

/** Rules that a run checks itself, independent of cases. */
export const runRules: Readonly<Record<keyof typeof table, Rule>> = rulesOf(table);
