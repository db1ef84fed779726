import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { defaultGraphqlPlanLimits, grantedLimits, nameOfLimits } from "./plan-limits.ts";

it("fills in what a plan leaves out, plans from before there were such limits included", () => {
  expect(grantedLimits({ bodyBytes: 1, batchMembers: 2 }).graphql).toEqual(defaultGraphqlPlanLimits);
  expect(grantedLimits({ bodyBytes: 1, batchMembers: 2, graphql: { depth: 5 } }).graphql).toEqual({
    ...defaultGraphqlPlanLimits,
    depth: 5,
  });
});

it("names equal limits alike, and others otherwise", () => {
  const [first, second, other] = [1, 1, 2].map((depth) =>
    grantedLimits({ bodyBytes: 1, batchMembers: 2, graphql: { depth } }),
  );
  if (first === undefined || second === undefined || other === undefined) throw new Error("There are three");
  expect(nameOfLimits(first)).toBe(nameOfLimits(second));
  expect(nameOfLimits(first)).not.toBe(nameOfLimits(other));
});

it("has the figures that the guide shows", () => {
  const guide = readFileSync(new URL("../../../../docs/graphql-limits.md", import.meta.url), "utf8");
  for (const [limit, figure] of Object.entries(defaultGraphqlPlanLimits)) {
    expect(guide).toContain(`| \`${limit}\` | ${figure.toLocaleString("en-US")} |`);
  }
});
