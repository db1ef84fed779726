import { buildSchema } from "graphql";
import { describe, expect, it } from "vitest";
import { GraphqlEngine } from "./graphql-engine.ts";
import { defaultGraphqlLimits } from "./graphql-options.ts";

describe("a GraphQL engine", () => {
  const engine = new GraphqlEngine(buildSchema("type Query { a: Int }"), defaultGraphqlLimits, 1_000);
  const documentOf = (query: string) => engine.prepare({ query, operationName: undefined, variables: {} }).document;
  const aliases = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${prefix}${index}:a`).join(" ");

  it("parses a document once", () => {
    expect(documentOf("{ a }")).toBe(documentOf("{ a }"));
  });

  it("bounds what it keeps by the size of documents, not by their number", () => {
    const first = documentOf("{ a }");
    documentOf(`{ ${aliases("x", 300)} }`);
    expect(documentOf("{ a }")).toBe(first);

    documentOf(`{ ${aliases("y", 300)} }`);
    documentOf(`{ ${aliases("z", 300)} }`);

    expect(documentOf("{ a }")).not.toBe(first);
  });

  it("compiles what is asked for again, unless it is large", async () => {
    const schema = buildSchema("type Query { a: Int }");
    const field = schema.getQueryType()?.getFields()["a"];
    if (field !== undefined) field.resolve = () => Promise.reject(new Error("no"));
    const roomy = new GraphqlEngine(schema, { ...defaultGraphqlLimits, aliases: 1_000 }, 50_000);
    const isCompiled = async (query: string): Promise<boolean> => {
      const result = await roomy.prepare({ query, operationName: undefined, variables: {} }).run({}, {});
      // Of an answer with an error, graphql writes the errors first, graphql-jit the data.
      return Object.keys(result)[0] === "data";
    };
    const askTwice = async (query: string) => [await isCompiled(query), await isCompiled(query)];

    expect(await askTwice("{ a }")).toEqual([false, true]);
    expect(await askTwice(`{ ${aliases("x", 500)} }`)).toEqual([false, true]);
    expect(await askTwice(`{ ${aliases("x", 1_000)} }`)).toEqual([false, false]);
  });

  it("counts the fields of a fragment wherever it is spread", () => {
    const first = documentOf("{ a }");
    const spreads = "...F ".repeat(100);

    documentOf(`{ ${spreads} } fragment F on Query { ${aliases("x", 5)} }`);
    documentOf(`{ ${spreads} } fragment F on Query { ${aliases("y", 5)} }`);

    expect(documentOf("{ a }")).not.toBe(first);
  });

  it.each([
    ["an input that holds itself", "$filter: Filter!", "filter(by: $filter)", { filter: { not: { not: null } } }, true],
    ["a list of inputs that hold themselves", "$all: [Filter!]", "all(of: $all)", { all: [{ and: [{}] }] }, true],
    ["a wrong input deep inside", "$filter: Filter!", "filter(by: $filter)", { filter: { not: { is: "x" } } }, false],
    ["one of several inputs", "$key: Key!", "key(by: $key)", { key: { id: 1 } }, true],
    ["two of several inputs", "$key: Key!", "key(by: $key)", { key: { id: 1, name: "x" } }, false],
    ["null for one of several inputs", "$key: Key!", "key(by: $key)", { key: { id: null } }, false],
    ["one of several inputs inside of another", "$in: Outer!", "outer(in: $in)", { in: { key: {} } }, false],
  ])("answers %s alike however often it is asked", async (_what, definition, selection, variables, isTaken) => {
    const inputs = buildSchema(`
      input Filter { is: Int = 3 not: Filter and: [Filter!] }
      input Key @oneOf { id: Int name: String }
      input Outer { key: Key }
      type Query { filter(by: Filter!): Int all(of: [Filter!]): Int key(by: Key!): Int outer(in: Outer!): Int }
    `);
    const inputEngine = new GraphqlEngine(inputs, defaultGraphqlLimits, 10_000);
    const query = `query (${definition}) { ${selection} }`;
    for (let round = 0; round < 3; round += 1) {
      const result = await inputEngine.prepare({ query, operationName: undefined, variables }).run({}, variables);
      expect(result.errors === undefined, `round ${round}`).toBe(isTaken);
    }
  });
});
