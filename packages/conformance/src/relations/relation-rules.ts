import type { Rule } from "../contract/rule.ts";

/** What the relations of a description are held by. */
export const relationRules: Readonly<Record<"holds", Rule>> = {
  holds: {
    id: "X01",
    level: "MUST",
    title: "What the description says holds between answers holds",
    source: "x-relations of the description",
  },
};
