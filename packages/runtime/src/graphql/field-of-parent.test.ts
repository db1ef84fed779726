import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createGraphqlPlugin, propertyUnlessArguments } from "./index.ts";

const schemaText = `
  type Query { box: Box }
  type Box { item(at: Int): Item, other(at: Int = 3): Item }
  type Item { name: String! }
`;
const operations = {
  box: { protocol: "graphql", name: "box", origin: "Query.box", root: "query", field: "box", extensions: {} },
} as never;

interface Box {
  readonly item: { readonly name: string };
  readonly other: { readonly name: string };
}

const box: Box = { item: { name: "held" }, other: { name: "held" } };
const seen: string[] = [];

const resolveAt = (_box: Box, { at }: { readonly at?: number | null }) => {
  seen.push(String(at));
  return { name: `resolved at ${at}` };
};

describe("a field that its parent holds unless there are arguments", () => {
  let app: FastifyInstance;
  const ask = async (query: string, variables: object = {}): Promise<unknown> => {
    const headers = { "content-type": "application/json" };
    const reply = await app.inject({ method: "POST", url: "/", headers, payload: { query, variables } });
    return reply.json<{ data: unknown }>().data;
  };

  beforeAll(async () => {
    const resolvers = {
      Box: { item: propertyUnlessArguments("item", resolveAt), other: propertyUnlessArguments("other", resolveAt) },
    };
    app = fastify();
    const options = { handlers: {}, context: () => ({}) } as never;
    await app.register(createGraphqlPlugin(schemaText, operations, { box: () => box } as never, resolvers, options));
  });

  afterAll(() => app.close());

  // Interpreted first, compiled from the second time on.
  it.each([1, 2, 3])("is read from the parent where it is requested without any, time %i", async () => {
    seen.length = 0;
    expect(await ask("{ box { item { name } mine: item { name } } }")).toEqual({
      box: { item: { name: "held" }, mine: { name: "held" } },
    });
    expect(seen).toEqual([]);
  });

  it.each([1, 2, 3])("is resolved where one place of the document gives some, time %i", async () => {
    expect(await ask("{ box { item { name } ...At } } fragment At on Box { at: item(at: 1) { name } }")).toEqual({
      box: { item: { name: "held" }, at: { name: "resolved at 1" } },
    });
  });

  it.each([1, 2, 3])("is resolved for a null, and held for a variable that is absent, time %i", async () => {
    const query = "query ($at: Int) { box { item(at: $at) { name } } }";
    expect(await ask(query, { at: null })).toEqual({ box: { item: { name: "resolved at null" } } });
    expect(await ask(query)).toEqual({ box: { item: { name: "held" } } });
    expect(await ask(query, { at: 2 })).toEqual({ box: { item: { name: "resolved at 2" } } });
  });

  it.each([1, 2, 3])("is resolved where an argument has a default, time %i", async () => {
    expect(await ask("{ box { other { name } } }")).toEqual({ box: { other: { name: "resolved at 3" } } });
  });
});
