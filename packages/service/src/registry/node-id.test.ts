import { expect, it } from "vitest";
import { problemOfNodeId } from "./node-id.ts";

it.each(["abc", "a1-", "0-9", "bitcoin-mainnet", "a".repeat(63), "apis"])("takes %s as a node id", (id) => {
  expect(problemOfNodeId(id)).toBeUndefined();
});

it.each(["", "ab", "a".repeat(64), "-abc", "Abc", "abC", "a_bc", "abc_", "_abc", "a/bc", "abc\n"])(
  "does not take %j as a node id",
  (id) => {
    expect(problemOfNodeId(id)).toBe(
      "a node id has 3 to 63 lower-case letters, digits and hyphens, and no hyphen first",
    );
  },
);

it.each(["api", "assets", "docs", "health", "healthz", "metrics", "readyz", "static"])(
  "leaves %s to a page of the service",
  (id) => {
    expect(problemOfNodeId(id)).toBe(`"${id}" is the name of a page of the service`);
  },
);
