import type { Rule } from "../contract/rule.ts";

/** What a run itself finds out, whatever a case asks. */
export const runRules: Readonly<Record<"answered" | "inTime" | "size" | "keyEcho" | "safety", Rule>> = {
  answered: { id: "ANSW", level: "MUST", title: "A request is answered, and the answer ends" },
  inTime: { id: "TIME", level: "SHOULD", title: "An operation answers in the time that the run gives it" },
  size: { id: "SIZE", level: "SHOULD", title: "An answer is not longer than the run reads" },
  keyEcho: {
    id: "KEYE",
    level: "SHOULD",
    title: "An answer does not repeat the caller's key",
    source: "OWASP API Security Top 10, API2:2023",
  },
  safety: { id: "SAFE", level: "MAY", title: "Operations that may change something are not sent" },
};
