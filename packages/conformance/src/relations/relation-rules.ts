import { type Rule, rulesOf } from "../contract/rule.ts";

/** Rules for the relations of a description. */
export const relationRules: Readonly<Record<"holds", Rule>> = rulesOf({
  holds: "X01 | MUST | A relation that the description states between answers is true | x-relations of the description",
});
