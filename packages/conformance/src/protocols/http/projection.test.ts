import { describe, expect, test } from "vitest";
import { httpOperation, httpSuite, text } from "../../run/testing/suites.ts";
import type { SuiteParameter } from "../../suite/suite.ts";
import type { SuiteType } from "../../suite/suite-type.ts";
import { type TestRequest, failedRules } from "./testing/failed-rules.ts";

const order: SuiteType = {
  kind: "record",
  members: [
    { name: "id", type: text, required: true },
    { name: "state", type: text, required: true },
    { name: "articles", type: { kind: "list", element: text }, required: true },
  ],
};
const stored = { id: "o1", state: "open", articles: ["a"] };

function query(name: string, type: SuiteType, example: unknown): SuiteParameter {
  return { name, property: name, location: "query", required: false, type, examples: [example] };
}

const fields = query("fields", text, "state");
const filterType: SuiteType = {
  kind: "record",
  members: [{ name: "fields", type: { kind: "list", element: text }, required: false }],
};
const filter = { ...query("filter", filterType, { fields: ["state"] }), mediaType: "application/json" };

/** Returns whether a request names the member `state`. */
function namesState({ query: given }: TestRequest): boolean {
  return [...given.values()].some((value) => /(?:^|["\s,|])state(?:$|["\s,|])/.test(value));
}

describe.each([
  ["a parameter", fields],
  ["a member of a parameter", filter],
])("a sparse fieldset in %s", (_, parameter) => {
  const suite = httpSuite([httpOperation("getOrder", "/order", order, { parameters: [parameter] })]);

  test("may leave out required members", async () => {
    const rules = await failedRules(suite, (requested) => ({
      status: 200,
      body: namesState(requested) ? { state: stored.state } : stored,
    }));
    expect(rules).not.toContain("H108");
  });

  test("allows no value of another type", async () => {
    const rules = await failedRules(suite, (requested) => ({
      status: 200,
      body: namesState(requested) ? { state: 5 } : stored,
    }));
    expect(rules).toContain("H108");
  });
});

test("a parameter that names no member leaves none out", async () => {
  const suite = httpSuite([httpOperation("getOrder", "/order", order, { parameters: [query("columns", text, "12")] })]);
  const rules = await failedRules(suite, ({ query: given }) => ({
    status: 200,
    body: given.get("columns") === "12" ? { state: stored.state } : stored,
  }));
  expect(rules).toContain("H108");
});
