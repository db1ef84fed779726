import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  defaultBatchResponseBytes,
  defaultGraphqlPlanLimits,
  grantedLimits,
  nameOfLimits,
  problemOfLimits,
} from "./plan-limits.ts";

it("fills in what a plan leaves out, plans from before there were such limits included", () => {
  expect(grantedLimits({ bodyBytes: 1, batchMembers: 2 }).graphql).toEqual(defaultGraphqlPlanLimits);
  expect(grantedLimits({ bodyBytes: 1, batchMembers: 2, graphql: { depth: 5 } }).graphql).toEqual({
    ...defaultGraphqlPlanLimits,
    depth: 5,
  });
});

it("bounds the responses of a batch, also under plans that leave that out", () => {
  expect(grantedLimits({ bodyBytes: 1, batchMembers: 2 }).batchResponseBytes).toBe(defaultBatchResponseBytes);
  expect(grantedLimits({ bodyBytes: 1, batchMembers: 2, batchResponseBytes: 3 }).batchResponseBytes).toBe(3);
  expect(problemOfLimits({ bodyBytes: 1, batchMembers: 2, batchResponseBytes: -1 })).toContain("batchResponseBytes");
});

it("names equal limits alike, and others otherwise", () => {
  const [first, second, other] = [1, 1, 2].map((depth) =>
    grantedLimits({ bodyBytes: 1, batchMembers: 2, graphql: { depth } }),
  );
  if (first === undefined || second === undefined || other === undefined) throw new Error("There are three");
  expect(nameOfLimits(first)).toBe(nameOfLimits(second));
  expect(nameOfLimits(first)).not.toBe(nameOfLimits(other));
});

it("says of limits that are none what is wrong with them", () => {
  const rest = { bodyBytes: 1, batchMembers: 2 };
  expect(problemOfLimits(rest)).toBeUndefined();
  expect(problemOfLimits({ ...rest, graphql: defaultGraphqlPlanLimits })).toBeUndefined();
  expect(problemOfLimits({ ...rest, graphql: { dpeth: 5 } as object })).toBe(
    '"dpeth" is not a limit of GraphQL requests',
  );
  expect(problemOfLimits({ ...rest, graphql: { toString: 5 } as object })).toContain("toString");
  expect(
    problemOfLimits({ bodyBytes: 0, batchMembers: 0, batchResponseBytes: 0, graphql: { depth: 0 } }),
  ).toBeUndefined();
  for (const depth of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, "5" as never]) {
    expect(problemOfLimits({ ...rest, graphql: { depth } })).toBe("depth has to be a natural number");
    expect(problemOfLimits({ ...rest, bodyBytes: depth })).toBe("bodyBytes has to be a natural number");
  }
});

it("has the figures that the guide shows", () => {
  const guide = readFileSync(new URL("../../../../docs/graphql-limits.md", import.meta.url), "utf8");
  for (const [limit, figure] of Object.entries(defaultGraphqlPlanLimits)) {
    expect(guide).toContain(`| \`${limit}\` | ${figure.toLocaleString("en-US")} |`);
  }
});
