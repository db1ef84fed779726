import fastify from "fastify";
import { describe, expect, it } from "vitest";
import type { GraphqlOperation } from "../operations/operation.ts";
import { createGraphqlPlugin } from "./graphql-plugin.ts";

const schemaText = "scalar Money scalar Count type Query { pay(sum: Money!, times: Count): Money }";
const pay: GraphqlOperation = {
  kind: "graphql",
  name: "pay",
  origin: "Query.pay",
  root: "query",
  field: "pay",
  extensions: { disabledByDefault: false, nodeControl: false, units: 1 },
};
const checks = {
  Money: (wire: unknown) => typeof wire === "string" && /^[0-9]+\.[0-9]{2}$/.test(wire),
  Count: (wire: unknown) => typeof wire === "number",
};

async function ask(query: string, variables: object, options = {}): Promise<string> {
  const app = fastify();
  const handlers = { pay: ({ sum }: { sum: string }) => sum };
  const plugin = createGraphqlPlugin(
    schemaText,
    { pay },
    handlers,
    {},
    { context: () => undefined, ...options },
    checks,
  );
  await app.register(plugin);
  const { body } = await app.inject({ method: "POST", url: "/", payload: { query, variables } });
  await app.close();
  return body;
}

describe("custom scalars of known form", () => {
  it("are checked against it, as variables and as literals", async () => {
    const query = "query ($sum: Money!, $times: Count) { pay(sum: $sum, times: $times) }";
    expect(await ask(query, { sum: "1.50", times: 2 })).toBe('{"data":{"pay":"1.50"}}');
    expect(await ask(query, { sum: "a lot" })).toContain("It has not the form of Money.");
    expect(await ask(query, { sum: 1.5 })).toContain("It has not the form of Money.");
    expect(await ask(query, { sum: "1.50", times: "2" })).toContain("It has not the form of Count.");
    expect(await ask('{ pay(sum: "1.50", times: 3) }', {})).toBe('{"data":{"pay":"1.50"}}');
    expect(await ask('{ pay(sum: "1.5") }', {})).toContain("It has not the form of Money.");
    expect(await ask("{ pay(sum: {}) }", {})).toContain("errors");
  });

  it("are read by what the options say instead, where they do", async () => {
    const scalars = { Money: { serialize: String, parse: Number } };
    expect(await ask('{ pay(sum: "1.5") }', {}, { scalars })).toBe('{"data":{"pay":"1.5"}}');
  });
});
