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

  it("compiles what is requested again, unless it is large", async () => {
    const schema = buildSchema("type Query { a: Int }");
    const field = schema.getQueryType()?.getFields()["a"];
    if (field !== undefined) field.resolve = () => Promise.reject(new Error("no"));
    const roomy = new GraphqlEngine(schema, { ...defaultGraphqlLimits, aliases: 1_000 }, 50_000);
    const isCompiled = async (query: string): Promise<boolean> => {
      const result = await roomy.prepare({ query, operationName: undefined, variables: {} }).run({}, {});
      // If a response has an error, graphql writes the errors first, graphql-jit the data.
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
    ["an input without the field that has a default", "$in: Defaults", "defaults(in: $in)", { in: {} }, true],
    ["null for a field that may be left out only", "$in: Defaults", "defaults(in: $in)", { in: { n: null } }, false],
    ["an unknown field", "$in: Defaults", "defaults(in: $in)", { in: { m: 1 } }, false],
    ["a variable with a default", "$n: Int! = 4", "number(n: $n)", {}, true],
    ["one of several inputs", "$key: Key!", "key(by: $key)", { key: { id: 1 } }, true],
    ["two of several inputs", "$key: Key!", "key(by: $key)", { key: { id: 1, name: "x" } }, false],
    ["null for one of several inputs", "$key: Key!", "key(by: $key)", { key: { id: null } }, false],
    ["one of several inputs inside of another", "$in: Outer!", "outer(in: $in)", { in: { key: {} } }, false],
  ])("answers %s alike however often it is asked", async (_what, definition, selection, variables, isTaken) => {
    const inputs = buildSchema(`
      input Filter { is: Int = 3 not: Filter and: [Filter!] }
      input Key @oneOf { id: Int name: String }
      input Outer { key: Key }
      input Defaults { n: Int! = 3 }
      type Query { defaults(in: Defaults): Int number(n: Int!): Int filter(by: Filter!): Int all(of: [Filter!]): Int key(by: Key!): Int outer(in: Outer!): Int }
    `);
    const inputEngine = new GraphqlEngine(inputs, defaultGraphqlLimits, 10_000);
    const query = `query (${definition}) { ${selection} }`;
    const responses: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      const result = await inputEngine.prepare({ query, operationName: undefined, variables }).run({}, variables);
      expect(result.errors === undefined, `round ${round}`).toBe(isTaken);
      responses.push(JSON.stringify(result));
    }
    expect(new Set(responses).size).toBe(1);
  });

  it("compiles operations with conditions, and tells absent members of inputs from null", async () => {
    const schema = buildSchema("input Of { n: Int m: Int } type Query { a(of: Of): String }");
    const field = schema.getQueryType()?.getFields()["a"];
    if (field !== undefined) field.resolve = (_root, input) => JSON.stringify(input);
    const own = new GraphqlEngine(schema, defaultGraphqlLimits, 10_000);
    const askThrice = async (query: string, variables: Readonly<Record<string, unknown>>): Promise<unknown> => {
      const responses: unknown[] = [];
      for (let round = 0; round < 3; round += 1) {
        responses.push((await own.prepare({ query, operationName: undefined, variables }).run({}, variables)).data);
      }
      expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
      return responses[2];
    };
    const conditional =
      "query ($no: Boolean = true, $yes: Boolean!, $of: Of) { a(of: $of) @skip(if: $no) b: a @include(if: $yes) }";
    expect(await askThrice(conditional, { yes: true, of: { n: 1 } })).toEqual({ b: "{}" });
    expect(await askThrice(conditional, { yes: false, no: false, of: { n: 1 } })).toEqual({ a: '{"of":{"n":1}}' });
    expect(await askThrice("query ($n: Int) { a(of: { n: $n, m: 1 }) }", {})).toEqual({ a: '{"of":{"m":1}}' });
  });
});
