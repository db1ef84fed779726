import { describe, expect, it } from "vitest";
import { renderRules, renderRulesJson, ruleGroups } from "./list-rules.ts";

const rules = ruleGroups.flatMap((group) => group.rules);

describe("the rules", () => {
  it("have ids of their own, in capital letters and digits", () => {
    const ids = rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[A-Z0-9]{2,6}$/);
  });

  it("are listed for people and for machines", () => {
    const text = renderRules();
    const { rules: listed } = JSON.parse(renderRulesJson()) as { readonly rules: readonly { readonly id: string }[] };
    expect(listed.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
    for (const { id, title } of rules) expect(text).toMatch(new RegExp(`${id} .*${RegExp.escape(title)}`));
  });
});
