import { type Rule, rulesOf } from "../contract/rule.ts";

/** Rules for the relations of a description. */
export const relationRules: Readonly<Record<"holds", Rule>> = rulesOf({
  holds: "X01 | MUST | A relation between responses that the description states holds | x-relations of the description",
});
