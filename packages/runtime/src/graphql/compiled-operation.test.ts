import fc from "fast-check";
import {
  buildSchema,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
  parse,
  validate,
} from "graphql";
import { describe, expect, it } from "vitest";
import { compileOperation } from "./compiled-operation.ts";

function createSchema(): GraphQLSchema {
  const schema = buildSchema(`
    input Inner { n: Int = 7 m: Int! list: [Int!] next: Inner }
    input Pick @oneOf { id: Int name: String }
    type Query {
      inner(of: Inner): String
      inners(of: [Inner!]): String
      grid(of: [[Int]]): String
      pick(of: Pick): String
      strict(of: Inner!): String!
      again: Query
    }
  `);
  for (const [name, field] of Object.entries(schema.getQueryType()?.getFields() ?? {})) {
    field.resolve = name === "again" ? () => ({}) : (_root, input) => JSON.stringify(input);
  }
  return schema;
}

const schema = createSchema();

/** Returns the client's view, without the order of the members of a response and its errors. */
function seen({ data, errors = [] }: ExecutionResult): unknown {
  const reported = errors.map(({ message, path }) => JSON.stringify([message, path]));
  return { data: JSON.parse(JSON.stringify(data ?? null)), errors: reported.toSorted() };
}

async function askBoth(query: string, variableValues: Readonly<Record<string, unknown>>) {
  const document = parse(query);
  const operation = getOperationAST(document);
  if (operation === null || operation === undefined) throw new Error("There is no operation");
  const compiled = compileOperation(schema, document, operation);
  if (compiled === undefined) throw new Error("It is not compiled");
  return {
    compiled: seen(await compiled({}, variableValues)),
    interpreted: seen(await execute({ schema, document, variableValues })),
  };
}

const integers = fc.oneof(fc.integer({ min: -9, max: 9 }).map(String), fc.constantFrom("$n", "$d"));
const nullableIntegers = fc.oneof(integers, fc.constant("null"));
const lists = fc.oneof(
  fc.array(integers, { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
  fc.constantFrom("$list", "null", "$n"),
);

interface Members {
  readonly n: string | undefined;
  readonly m: string | undefined;
  readonly list: string | undefined;
  readonly next: string | undefined;
}

const { inner } = fc.letrec<{ inner: string }>((tie) => ({
  inner: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom("null", "$inner"),
    fc
      .record<Members>({
        n: fc.option(nullableIntegers, { nil: undefined }),
        m: fc.option(fc.oneof(integers, fc.constant("$must")), { nil: undefined, freq: 8 }),
        list: fc.option(lists, { nil: undefined }),
        next: fc.option(tie("inner"), { nil: undefined }),
      })
      .map((members) => `{${Object.entries(members).flatMap(([name, value]) => (value ? `${name}: ${value}` : []))}}`),
  ),
}));

const rows = fc.oneof(
  fc.array(nullableIntegers, { maxLength: 3 }).map((items) => `[${items.join(", ")}]`),
  fc.constantFrom("null", "$list"),
);

const calls = fc.oneof(
  inner.map((value) => `inner(of: ${value})`),
  inner.map((value) => `strict(of: ${value})`),
  fc.array(inner, { maxLength: 3 }).map((values) => `inners(of: [${values.join(", ")}])`),
  fc.array(rows, { maxLength: 3 }).map((values) => `grid(of: [${values.join(", ")}])`),
  fc.constantFrom("id: $n", "id: $must", "name: $text", "id: 1, name: $text").map((member) => `pick(of: {${member}})`),
);

const conditions = fc.constantFrom("", " @skip(if: $yes)", " @include(if: $yes)");

const queries = fc
  .array(fc.record({ call: calls, condition: conditions, isFragment: fc.boolean() }), { minLength: 1, maxLength: 4 })
  .map((fields) => {
    const text = (isFragment: boolean): string =>
      fields
        .flatMap((field, at) => (field.isFragment === isFragment ? `f${at}: ${field.call}${field.condition}` : []))
        .join(" ");
    return `query ($n: Int, $d: Int = 5, $must: Int! = 1, $list: [Int!], $inner: Inner, $text: String, $yes: Boolean = true) {
      __typename ${text(false)} again { __typename ...F }
    }
    fragment F on Query { __typename ${text(true)} }`;
  })
  // Invalid documents are never compiled; unused variables and those of a looser type are most of them.
  .map((query) => withoutUnused(query))
  .filter((query) => validate(schema, parse(query)).length === 0);

function withoutUnused(query: string): string {
  const [, definitions = "", rest = ""] = /^query \(([^)]*)\)(.*)$/s.exec(query) ?? [];
  const used = definitions.split(", ").filter((definition) => {
    const name = definition.slice(0, definition.indexOf(":"));
    return new RegExp(`\\${name}\\b`).test(rest);
  });
  return used.length === 0 ? `query ${rest}` : `query (${used.join(", ")})${rest}`;
}

const values = fc.record(
  {
    n: fc.option(fc.integer({ min: 0, max: 9 })),
    d: fc.option(fc.integer({ min: 0, max: 9 })),
    must: fc.integer({ min: 0, max: 9 }),
    list: fc.option(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 2 })),
    inner: fc.option(fc.constantFrom({ m: 1 }, { m: 2, n: null }, { m: 3, next: { m: 4 } })),
    text: fc.option(fc.constantFrom("a", "b")),
    yes: fc.boolean(),
  },
  { requiredKeys: [] },
);

describe("a compiled operation", () => {
  it("answers as graphql-js does, wherever variables are in its arguments", async () => {
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(queries, values, async (query, variables) => {
        asked += 1;
        const { compiled, interpreted } = await askBoth(query, variables);
        expect(compiled).toEqual(interpreted);
      }),
      { numRuns: 300 },
    );
    expect(asked).toBeGreaterThanOrEqual(300);
  });

  it("has a variable inside of an object at hand without being interpreted", async () => {
    const document = parse("query ($m: Int!) { inner(of: {m: $m, list: [$m, 2]}) }");
    const operation = getOperationAST(document);
    if (operation === null || operation === undefined) throw new Error("There is no operation");
    const compiled = compileOperation(schema, document, operation);
    // graphql-js returns an object without a prototype for data, graphql-jit one with it.
    const result = (await compiled?.({}, { m: 4 }))?.data;
    expect(result).toEqual({ inner: '{"of":{"n":7,"m":4,"list":[4,2]}}' });
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  });

  it("takes no variable of the caller's for one of its own", async () => {
    const { compiled, interpreted } = await askBoth(
      "query ($hoisted0: Int!, $hoisted_0: Int!) { inner(of: {m: $hoisted0, n: $hoisted_0}) }",
      { hoisted0: 1, hoisted_0: 2, hoisted__0: { m: 9 } },
    );
    expect(compiled).toEqual(interpreted);
    expect(compiled).toEqual({ data: { inner: '{"of":{"n":2,"m":1}}' }, errors: [] });
  });
});
