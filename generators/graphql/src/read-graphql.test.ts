import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CommonReadOptions } from "@nodewright/model";
import { createDiagnosticSink, createDocumentSet } from "@nodewright/source";
import { afterAll, describe, expect, it } from "vitest";
import { readGraphql } from "./read-graphql.ts";
import { readFiles, withoutPlaces } from "./testing/read-files.ts";

const directory = mkdtempSync(join(tmpdir(), "nodewright-graphql-"));

afterAll(() => rmSync(directory, { recursive: true }));

const schema = `
scalar Long
interface Node { id: ID! }
type Block implements Node { id: ID!, number: Long!, transactions(first: Int = 10, kind: Kind): [Transaction!] }
type Transaction implements Node { id: ID!, hash: String! }
enum Kind { LEGACY DYNAMIC }
input Filter { kinds: [Kind!]! hash: String }
union Found = Block | Transaction
type Query { "One block." block(number: Long): Block, find(filter: Filter!): Found, node(id: ID!): Node }
type Mutation { send(data: String!): String! }
`;

function read(operation: string, examples?: string) {
  writeFileSync(join(directory, "schema.graphql"), schema);
  writeFileSync(join(directory, "block.graphql"), operation);
  if (examples !== undefined) writeFileSync(join(directory, "block.examples.yaml"), examples);
  const sink = createDiagnosticSink();
  const model = readGraphql({
    file: "schema.graphql",
    name: "test",
    title: "Test",
    version: "1",
    documents: createDocumentSet(directory, sink),
    sink,
    operations: ["block.graphql"],
    hasFile: (file) => examples !== undefined && file === "block.examples.yaml",
    scalars: { Long: { pattern: "^0x" } },
  });
  return { model, codes: sink.diagnostics.map(({ code }) => code) };
}

describe("readGraphql", () => {
  it("reads root fields as operations and the other types as declarations", () => {
    const { model, codes } = read("query Block { block { number } }");
    expect(codes).toEqual([]);
    expect(model?.operations.map(({ origin }) => origin)).toEqual([
      "Query.block",
      "Query.find",
      "Query.node",
      "Mutation.send",
    ]);
    expect(model?.operations.map(({ extensions }) => extensions.safe)).toEqual([true, true, true, false]);
    expect(model?.declarations.map(({ name, role }) => `${role} ${name}`)).toEqual([
      "scalar Long",
      "interface Node",
      "object Block",
      "object Transaction",
      "value Kind",
      "input Filter",
      "value Found",
    ]);
    expect(model?.declarations[2]?.type).toMatchObject({
      kind: "record",
      members: [
        { name: "id" },
        { name: "number", type: { kind: "reference", target: "Long" } },
        { name: "transactions", arguments: [{ name: "first", default: 10 }, { name: "kind" }] },
      ],
    });
  });

  it("gives an operation document the shape of its response", () => {
    const { model } = read(`# A block.
query Block($number: Long!, $full: Boolean = false) {
  latest: block { ...Numbers }
  block(number: $number) { ...Numbers transactions @include(if: $full) { hash } }
  node(id: 1) { __typename id ... on Block { number } }
}
fragment Numbers on Block { number }
`);
    const [document] = model?.documents ?? [];
    expect(document).toMatchObject({
      name: "block",
      documentation: { description: "A block." },
      rootFields: ["block", "node"],
    });
    expect(document?.variables).toMatchObject([
      { name: "number", required: true },
      { name: "full", required: false, default: false },
    ]);
    const fields = document?.result.kind === "record" ? document.result.members : [];
    expect(fields.map(({ name }) => name)).toEqual(["latest", "block", "node"]);
    expect(fields[1]?.type).toMatchObject({
      kind: "union",
      members: [
        {
          kind: "record",
          members: [
            { name: "number", required: true },
            { name: "transactions", required: false },
          ],
        },
        { kind: "null" },
      ],
    });
    expect(fields[2]?.type).toMatchObject({
      members: [
        {
          kind: "union",
          members: [
            { members: [{ name: "__typename", type: { values: ["Block"] } }, { name: "id" }, { name: "number" }] },
            { members: [{ name: "__typename" }, { name: "id" }] },
          ],
        },
        { kind: "null" },
      ],
    });
  });

  it("reads examples from the file next to an operation", () => {
    const { model, codes } = read(
      "query Block($number: Long) { block(number: $number) { number } }",
      [
        "- { name: genesis, variables: { number: '0x0' }, data: { block: { number: '0x0' } } }",
        "- { name: bad number, variables: { number: true }, errors: [{ message: no, code: BAD_USER_INPUT }] }",
      ].join("\n"),
    );
    expect(codes).toEqual([]);
    expect(model?.documents[0]?.examples).toMatchObject([
      { name: "genesis", input: { number: "0x0" }, outcome: { kind: "success", value: { block: { number: "0x0" } } } },
      { name: "bad-number", outcome: { kind: "failure", message: "no", graphqlCode: "BAD_USER_INPUT" } },
    ]);
  });

  it("reads fragments from whichever file they are in, and says where nobody uses one", () => {
    const { model, diagnostics } = readFiles(schema, {
      "fragments.graphql": "fragment Numbers on Block { number ...Ids }\nfragment Unused on Block { id }",
      "ids.graphql": "fragment Ids on Node { id }",
      "queries.graphql": "query A { block { ...Numbers } }\nquery B { block { id } }",
    });
    expect(diagnostics).toEqual(["warning graphql/unused-fragment fragments.graphql:2:1"]);
    expect(model?.documents.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(model?.documents[0]?.text).toContain("fragment Ids on Node");
    expect(model?.documents[1]?.text).not.toContain("fragment");
  });

  it("tells mistakes of each file in their own places, and no others", () => {
    const { diagnostics } = readFiles(schema, {
      "first.graphql": "query A { block { ...Missing } }\nquery Same { block { id } }\n{ block { id } }",
      "second.graphql": "query Same { block { id } }\nfragment Twice on Block { id }\nfragment Twice on Block { id }",
    });
    expect(diagnostics.toSorted()).toEqual([
      "error graphql/anonymous-operation first.graphql:3:1",
      "error graphql/duplicate-operation second.graphql:1:1",
      "error graphql/invalid-operation first.graphql:1:22",
      "error graphql/invalid-operation second.graphql:3:10",
    ]);
  });

  it("takes the comment above an operation for its description", () => {
    const { model } = readFiles(schema, {
      "queries.graphql":
        "# First.\nquery A { block { id } }\n\n# Second,\n# two lines.\nquery B { block { id } }\nquery C { block { id } }",
    });
    expect(model?.documents.map(({ documentation }) => documentation?.description)).toEqual([
      "First.",
      "Second,\ntwo lines.",
      undefined,
    ]);
  });

  it("gives several operations of a file the examples that name them", () => {
    const files = { "queries.graphql": "query A { block { id } }\nquery B { block { id } }" };
    const example = "name: one, variables: {}, data: { block: null }";
    const claimed = readFiles(schema, { ...files, "queries.examples.yaml": `- { ${example}, operation: B }` });
    expect(claimed.diagnostics).toEqual([]);
    expect(claimed.model?.documents.map(({ examples }) => examples.length)).toEqual([0, 1]);
    const unclaimed = readFiles(schema, { ...files, "queries.examples.yaml": `- { ${example} }` });
    expect(unclaimed.diagnostics).toEqual(["error graphql/unclaimed-example queries.examples.yaml:1:3"]);
  });

  it("reads how an operation over a range is requested page by page", () => {
    const sdl = "scalar Long type Query { head: Long! logs(from: Long!, to: Int): [String!] }";
    const files = {
      "logs.graphql": "query Logs($from: Long!, $to: Int) { found: logs(from: $from, to: $to) }",
      "head.graphql": "query HEAD { head }",
    };
    const range = "from: from, to: to, items: found";
    const closed = readFiles(sdl, { ...files, "logs.pages.yaml": `- { ${range} }` });
    expect(closed.diagnostics).toEqual([]);
    expect(closed.model?.documents.map(({ pages }) => pages)).toEqual([
      { from: ["from"], to: ["to"], items: ["found"], length: 1000 },
      undefined,
    ]);
    const open = readFiles(sdl, { ...files, "logs.pages.yaml": `- { ${range}, length: 7, end: HEAD.head }` });
    const [logs, head] = open.model?.documents ?? [];
    expect(logs?.pages).toMatchObject({ length: 7, end: { document: head?.name, path: ["head"] } });
  });

  const rangeSchema = `
scalar Long
input Inner { block: Long, name: String, on: Boolean }
input Filter { from: Long!, inner: Inner, list: [Long!] }
type Item { id: ID!, height: Int!, tags: [String!] }
type Query { head: Item!, size(of: Int): Int, need(of: Int!): Int, logs(filter: Filter!, to: Int, any: String): [Item!] }
type Mutation { drop: [String!] }
`;
  const rangeFiles = {
    "logs.graphql":
      "query Logs($filter: Filter!, $to: Int, $any: String) { found: logs(filter: $filter, to: $to, any: $any) { id tags } }",
    "head.graphql": "query Head { head { id height tags } }",
    "size.graphql": "query Size($of: Int) { size(of: $of) }",
    "need.graphql": "query Need($of: Int!) { need(of: $of) }",
    "drop.graphql": "mutation Drop { drop }",
  };
  const pagesOf = (text: string, file = "logs") => {
    const { model, diagnostics } = readFiles(rangeSchema, { ...rangeFiles, [`${file}.pages.yaml`]: text });
    return { pages: model?.documents.find(({ pages }) => pages !== undefined)?.pages, diagnostics };
  };
  const range = "from: filter.from, to: to, items: found";

  it.each<[string, object]>([
    [range, {}],
    ["from: filter.inner.block, to: to, items: found", { from: ["filter", "inner", "block"] }],
    ["from: to, to: filter.from, items: found", { from: ["to"], to: ["filter", "from"] }],
    [`${range}, length: 1`, { length: 1 }],
    [`${range}, length: 9007199254740991`, { length: 9_007_199_254_740_991 }],
    [`${range}, operation: Logs`, {}],
    [`${range}, end: Head.head.height`, { end: { document: "head", path: ["head", "height"] } }],
    [`${range}, end: Head.head.id`, { end: { document: "head", path: ["head", "id"] } }],
    [`${range}, end: Size.size`, { end: { document: "size", path: ["size"] } }],
  ])("has pages: { %s }", (item, pages) => {
    const usual = { from: ["filter", "from"], to: ["to"], items: ["found"], length: 1000 };
    expect(pagesOf(`- { ${item} }`)).toEqual({ pages: { ...usual, ...pages }, diagnostics: [] });
  });

  it.each<[string, string]>([
    ["to: to, items: found", "not-a-range logs.pages.yaml:1:3"],
    ["from: filter.from, items: found", "not-a-range logs.pages.yaml:1:3"],
    ["from: filter.from, to: to", "not-a-range logs.pages.yaml:1:3"],
    ["from: 1, to: to, items: found", "not-a-range logs.pages.yaml:1:11"],
    ["from: filter.from, to: .to, items: found", "not-a-range logs.pages.yaml:1:28"],
    ["from: filter.from, to: to, items: found.", "not-a-range logs.pages.yaml:1:39"],
    ["from: filter from, to: to, items: found", "not-a-range logs.pages.yaml:1:11"],
    ["from: 1x, to: to, items: found", "not-a-range logs.pages.yaml:1:11"],
    [`${range}, size: 1`, "not-a-range logs.pages.yaml:1:46"],
    [`${range}, length: 0`, "wrong-page-length logs.pages.yaml:1:54"],
    [`${range}, length: 1.5`, "wrong-page-length logs.pages.yaml:1:54"],
    [`${range}, length: "7"`, "wrong-page-length logs.pages.yaml:1:54"],
    ["from: filter, to: to, items: found", "no-integer-variable logs.pages.yaml:1:11"],
    ["from: filter.list, to: to, items: found", "no-integer-variable logs.pages.yaml:1:11"],
    ["from: filter.inner.on, to: to, items: found", "no-integer-variable logs.pages.yaml:1:11"],
    ["from: filter.from, to: any, items: found", "no-integer-variable logs.pages.yaml:1:28"],
    ["from: filter.none, to: to, items: found", "unknown-range-variable logs.pages.yaml:1:11"],
    ["from: none, to: to, items: found", "unknown-range-variable logs.pages.yaml:1:11"],
    ["from: to.from, to: to, items: found", "unknown-range-variable logs.pages.yaml:1:11"],
    ["from: filter.from, to: to, items: logs", "unknown-range-items logs.pages.yaml:1:39"],
    ["from: filter.from, to: to, items: found.tags", "unknown-range-items logs.pages.yaml:1:39"],
    [`${range}, end: Head.head`, "unknown-range-end logs.pages.yaml:1:51"],
    [`${range}, end: Head.head.tags`, "unknown-range-end logs.pages.yaml:1:51"],
    [`${range}, end: Head.head.none`, "unknown-range-end logs.pages.yaml:1:51"],
    [`${range}, end: Head`, "unknown-range-end logs.pages.yaml:1:51"],
    [`${range}, end: None.head`, "unknown-range-end logs.pages.yaml:1:51"],
    [`${range}, end: Need.need`, "unknown-range-end logs.pages.yaml:1:51"],
    [`${range}, end: Drop.drop`, "unknown-range-end logs.pages.yaml:1:51"],
    [`${range}, end: 7`, "unknown-range-end logs.pages.yaml:1:51"],
    [`${range}, operation: Head`, "unclaimed-pages logs.pages.yaml:1:3"],
  ])("has no pages: { %s }", (item, diagnostic) => {
    expect(pagesOf(`- { ${item} }`)).toEqual({ pages: undefined, diagnostics: [`error graphql/${diagnostic}`] });
  });

  it("has pages once, in a list, where it is a query", () => {
    expect(pagesOf("from: to\nto: to\nitems: found").diagnostics).toEqual([
      "error graphql/not-a-range logs.pages.yaml:1:1",
    ]);
    expect(pagesOf(`- { ${range} }\n- { ${range}, length: 2 }`).diagnostics).toEqual([
      "error graphql/duplicate-pages logs.pages.yaml:2:3",
    ]);
    expect(pagesOf("- { from: a, to: b, items: drop }", "drop").diagnostics).toEqual([
      "error graphql/pages-of-no-query drop.pages.yaml:1:3",
    ]);
  });

  it.each<[string, readonly string[]]>([
    ["variables: {}, data: { head: null }", ["not-an-example head.examples.yaml:1:3"]],
    ["name: a, variables: {}", ["not-an-example head.examples.yaml:1:3"]],
    ["name: a, data: {}, errors: []", ["not-an-example head.examples.yaml:1:3"]],
    ["name: a, variables: { of: 1 }, data: {}", ["unknown-variable head.examples.yaml:1:27"]],
    ["name: a, operation: Other, data: {}", ["unclaimed-example head.examples.yaml:1:3"]],
    ["name: a, data: {}", []],
    ["name: a, operation: Head, errors: []", []],
  ])("has examples: { %s }: %j", (item, diagnostics) => {
    const files = { ...rangeFiles, "head.examples.yaml": `- { ${item} }` };
    expect(readFiles(rangeSchema, files).diagnostics).toEqual(diagnostics.map((each) => `error graphql/${each}`));
  });

  it("reads what an example says next to its response", () => {
    const examplesOf = (item: string) => {
      const files = { ...rangeFiles, "head.examples.yaml": `- { ${item} }` };
      const [example] =
        readFiles(rangeSchema, files).model?.documents.find(({ name }) => name === "head")?.examples ?? [];
      return example && { ...example, source: undefined };
    };
    const common = { name: "first-head", input: {}, source: undefined };
    expect(examplesOf("name: First head, data: { head: 1 }")).toEqual({
      ...common,
      isLive: false,
      outcome: { kind: "success", status: 200, value: { head: 1 } },
    });
    expect(examplesOf("name: First head, live: true, summary: The first., errors: []")).toEqual({
      ...common,
      isLive: true,
      summary: "The first.",
      outcome: { kind: "failure" },
    });
    expect(examplesOf("name: First head, live: yes, errors: [{ message: no }]")).toEqual({
      ...common,
      isLive: false,
      outcome: { kind: "failure", message: "no" },
    });
    expect(examplesOf("name: First head, errors: [{ code: BAD }]")).toEqual({
      ...common,
      isLive: false,
      outcome: { kind: "failure", graphqlCode: "BAD" },
    });
  });

  it("have relations that are next to them, whose owner is reported where a file holds several", () => {
    const sdl = "type Query { head: Int tail: Int }";
    const relation = "name: Head first, holds: head <= tail";
    const alone = readFiles(sdl, {
      "head.graphql": "query Head { head tail }",
      "head.relations.yaml": `- { ${relation}, because: The tail grows. }`,
    });
    expect(alone.diagnostics).toEqual([]);
    expect(alone.model?.documents[0]?.relations).toMatchObject([
      { name: "head-first", holds: "head <= tail", because: "The tail grows.", source: { line: 1, column: 3 } },
    ]);
    const several = readFiles(sdl, {
      "ends.graphql": "query Head { head } query Tail { tail }",
      "ends.relations.yaml": `- { operation: Tail, ${relation} }`,
    });
    expect(several.diagnostics).toEqual([]);
    expect(several.model?.documents.map(({ relations }) => relations?.length)).toEqual([undefined, 1]);
  });

  it("says once what an interface is asked for, however many types it has", () => {
    const { model } = readFiles(schema, { "queries.graphql": "query A { node(id: 1) { id } }" });
    const result = model?.documents[0]?.result;
    const [node] = result?.kind === "record" ? result.members : [];
    expect(node?.type).toMatchObject({ members: [{ kind: "record" }, { kind: "null" }] });
    const named = readFiles(schema, { "queries.graphql": "query A { node(id: 1) { __typename id } }" });
    const other = named.model?.documents[0]?.result;
    const [field] = other?.kind === "record" ? other.members : [];
    expect(field?.type).toMatchObject({
      members: [{ kind: "record", members: [{ type: { values: ["Block", "Transaction"] } }, {}] }, { kind: "null" }],
    });
  });

  it("names clashing fields and types by how they are spelt, wherever they stand", () => {
    const types = [
      "type user { id: ID }",
      "type User { id: ID }",
      "type users_all { id: ID }",
      "type UsersAll { id: ID }",
    ];
    const fields = ["a_b: user", "aB: User", "c: users_all", "d: UsersAll", "toString: Int", "constructor: Int"];
    const named = (order: (list: readonly string[]) => readonly string[]): unknown => {
      const { model } = readFiles([...order(types), `type Query { ${order(fields).join(" ")} }`].join("\n"), {});
      const declarations = model?.declarations.map(({ name, originalName }) => [originalName, name]);
      const operations = model?.operations.map(({ name, origin }) => [origin, name]);
      return Object.fromEntries([...(declarations ?? []), ...(operations ?? [])]);
    };
    const names = named((list) => list);
    expect(names).toEqual({
      User: "User",
      UsersAll: "UsersAll",
      user: "User2",
      users_all: "UsersAll2",
      "Query.aB": "aB",
      "Query.a_b": "aB2",
      "Query.c": "c",
      "Query.constructor": "constructor_",
      "Query.d": "d",
      "Query.toString": "toString_",
    });
    expect(named((list) => list.toReversed())).toEqual(names);
  });

  it("keeps types clear of the names of globals, and arguments as callers send them", () => {
    const { model } = readFiles(
      "type Blob { size: Int }\nscalar toString\ntype Query { blob(order_by: Int, constructor: toString): Blob }",
      {},
    );
    expect(model?.declarations.map(({ name }) => name)).toEqual(["BlobValue", "ToString"]);
    expect(model?.operations[0]?.parameters.map(({ property }) => property)).toEqual(["order_by", "constructor"]);
  });

  it("says why something is deprecated, values of enums included", () => {
    const { model } = readFiles(
      'enum Kind { "First." A B @deprecated(reason: "use A") }\ntype Query { old: Kind @deprecated(reason: "gone") }',
      {},
    );
    expect(model?.declarations[0]?.documentation?.description).toBe("- `A`: First.\n- `B`: deprecated: use A");
    expect(model?.operations[0]?.documentation).toEqual({ deprecated: true, deprecationReason: "gone" });
  });

  it("reads parts of federated schemas, whose types others define", () => {
    const part = 'extend type Query { me: User }\nextend type User @key(fields: "id") { id: ID! @external }';
    const { model, diagnostics } = readFiles(part, {});
    expect(diagnostics.toSorted()).toEqual([
      "warning graphql/only-extended schema.graphql:1:13",
      "warning graphql/only-extended schema.graphql:2:13",
      "warning graphql/unknown-directive schema.graphql:2:18",
      "warning graphql/unknown-directive schema.graphql:2:47",
    ]);
    expect(model?.operations.map(({ origin }) => origin)).toEqual(["Query.me"]);
    const alone = readFiles("type Query { ok: Int }\nextend type Usr { id: ID }", {});
    expect(alone.diagnostics).toEqual(["error graphql/invalid-schema schema.graphql:2:13"]);
  });

  it("names a mutation or subscription that is called like a query by what it is", () => {
    const { model } = readFiles(
      "type Query { users: Int }\ntype Mutation { users: Int, add_users: Int }\ntype Subscription { users: Int }",
      {},
    );
    expect(model?.operations.map(({ origin, name }) => `${origin} ${name}`)).toEqual([
      "Query.users users",
      "Mutation.users usersMutation",
      "Mutation.add_users addUsers",
      "Subscription.users usersSubscription",
    ]);
  });

  it("reads defaults of every kind, and refuses those that JSON can't say", () => {
    const defaults =
      'x: JSON = {}, y: JSON = [1, {b: "c"}], z: JSON = 12345678901234567890, id: ID = 5, i: In = {j: {k: 1}}';
    const { model, diagnostics } = readFiles(
      `directive @d(o: JSON = {a: 1}) on FIELD\nscalar JSON\ninput In { j: JSON = {k: [true]}, n: Int = 3 }\ntype Query { a(${defaults}): Int }`,
      {},
    );
    expect(diagnostics).toEqual([]);
    expect(model?.operations[0]?.parameters.map((parameter) => parameter.default)).toEqual([
      {},
      [1, { b: "c" }],
      12345678901234567000,
      "5",
      { j: { k: 1 }, n: 3 },
    ]);
    expect(model?.schemaText).toContain(`a(${defaults}): Int`);
    expect(model?.schemaText).toContain("j: JSON = {k: [true]}");
    expect(model?.schemaText).toContain("@d(o: JSON = {a: 1})");
    const wrong = readFiles("scalar JSON\ntype Query { a(f: Float = 1e400, j: JSON = {a: [-1e400]}): Int }", {});
    expect(wrong.diagnostics).toEqual([
      "error graphql/wrong-default schema.graphql:2:27",
      "error graphql/wrong-default schema.graphql:2:44",
    ]);
  });
});

describe("a root field", () => {
  it("is an operation that succeeds with the type of the field", () => {
    const { model } = readFiles('type Query { "One." block(number: Int!): [Int!]! }\ntype Mutation { send: Int }');
    const [block, send] = model?.operations ?? [];
    expect(withoutPlaces(block)).toMatchObject({
      name: "block",
      origin: "Query.block",
      binding: { kind: "graphql", root: "query", field: "block" },
      tags: [],
      parameters: [{ name: "number", required: true, location: "argument" }],
      successes: [
        {
          status: 200,
          headers: [],
          description: "",
          content: { mediaType: "application/json", form: "json", type: { kind: "list", element: { kind: "number" } } },
        },
      ],
      failures: [],
      examples: [],
      links: [],
      extensions: { safe: true },
      documentation: { description: "One." },
    });
    expect(block?.source).toMatchObject({ line: 1, column: 14, pointer: "Query.block" });
    expect(block?.parameters[0]?.source).toMatchObject({ line: 1, column: 27, pointer: "Query.block(number:)" });
    expect(send).toMatchObject({ binding: { root: "mutation", field: "send" }, extensions: { safe: false } });
  });

  it("is called or left out as the configuration says, by its own name or with that of its type", () => {
    const sdl = "type Query { a: Int b: Int c: Int }\ntype Mutation { a: Int b: Int }";
    const read = (operations: NonNullable<CommonReadOptions["operations"]>) =>
      readFiles(sdl, {}, { readOptions: { operations } }).model?.operations.map(
        ({ origin, name }) => `${origin} ${name}`,
      );
    expect(read({})).toEqual(["Query.a a", "Query.b b", "Query.c c", "Mutation.a aMutation", "Mutation.b bMutation"]);
    expect(read({ a: { skip: true }, "Query.b": { skip: true }, c: { skip: false } })).toEqual([
      "Query.c c",
      "Mutation.b bMutation",
    ]);
    expect(read({ c: { name: "b" } })?.slice(0, 3)).toEqual(["Query.a a", "Query.b b2", "Query.c b"]);
    expect(read({ "Mutation.a": { name: "c" }, a: { name: "first" } })).toEqual([
      "Query.a first",
      "Query.b b",
      "Query.c c2",
      "Mutation.a c",
      "Mutation.b bMutation",
    ]);
  });
});

describe("the schema", () => {
  it("may be described, and need not have the usual root types", () => {
    const { model } = readFiles('"Of pets." schema { query: Root }\ntype Root { ok: Int }\ntype Mutation { no: Int }');
    expect(model).toMatchObject({
      name: "test",
      protocol: "graphql",
      title: "Test",
      version: "1",
      description: "Of pets.",
      document: "schema.graphql",
      documents: [],
      security: [],
    });
    expect(model?.operations.map(({ origin }) => origin)).toEqual(["Root.ok"]);
    expect(readFiles('"" schema { query: Query } type Query { ok: Int }').model).not.toHaveProperty("description");
  });

  it.each<[string, readonly string[]]>([
    [
      "type A { x: Int }",
      ["no-query schema.graphql:1:1 : The schema has no Query type. Every GraphQL schema needs one (section 3.3.1)."],
    ],
    [
      "input Query { x: Int }",
      ["invalid-schema schema.graphql:1:1 : Query root type must be Object type, it cannot be Query. "],
    ],
    [
      "type Query { a: Int }\nquery A { a }\nfragment F on Query { a }",
      [2, 3].map(
        (line) =>
          `operation-in-schema schema.graphql:${line}:1 : A schema holds no operations and no fragments. Put it into a file of its own in the directory that the configuration names as "operationDocuments".`,
      ),
    ],
    [
      'type Query { a(x: Int = "1"): Int }\ninput In { y: [Boolean!] = [null] }\ninterface I { b(z: In! = {y: [2]}): Int }',
      [
        'wrong-default schema.graphql:1:25 Query.a(x:): The default "1" of Query.a(x:) is not a value of Int. ',
        "wrong-default schema.graphql:2:28 In.y: The default [null] of In.y is not a value of [Boolean!]. ",
        "wrong-default schema.graphql:3:26 I.b(z:): The default {y: [2]} of I.b(z:) is not a value of In!. ",
      ],
    ],
    [
      "scalar J\ntype Query { a(x: J = {a: [1e400]}): Int b(x: J = null): Int c(x: J = [1, {a: -1e308}]): Int d(x: J = -1e400): Int }",
      [
        "wrong-default schema.graphql:2:23 Query.a(x:): The default {a: [1e400]} of Query.a(x:) is not a value of J. ",
        "wrong-default schema.graphql:2:103 Query.d(x:): The default -1e400 of Query.d(x:) is not a value of J. ",
      ],
    ],
    [
      "input In { a: Int! = 1 b: ID }\ninput One @oneOf { a: Int b: Int }\ntype Query { a(x: In = {w: 1}, y: In = {a: null}, z: [In!] = {b: 5}, o: One = {a: 1}, p: One = {a: 1, b: 2}): Int }",
      [
        "wrong-default schema.graphql:3:24 Query.a(x:): The default {w: 1} of Query.a(x:) is not a value of In. ",
        "wrong-default schema.graphql:3:40 Query.a(y:): The default {a: null} of Query.a(y:) is not a value of In. ",
        "wrong-default schema.graphql:3:96 Query.a(p:): The default {a: 1, b: 2} of Query.a(p:) is not a value of One. ",
      ],
    ],
  ])("is refused where it is none: %s", (sdl, reports) => {
    expect(readFiles(sdl).reports).toEqual(reports);
  });

  it("declares each scalar that the configuration describes", () => {
    const { reports } = readFiles(
      "scalar Long\ntype Query { a: Int }\nenum Kind { A }",
      {},
      {
        scalars: { Long: {}, Lng: {}, Kind: {} },
      },
    );
    expect(reports).toEqual(
      ["Lng", "Kind"].map(
        (name) =>
          `unknown-scalar schema.graphql:1:1 : The configuration describes a scalar "${name}" that the schema does not declare. `,
      ),
    );
  });
});

describe("the schema as its file has it", () => {
  it("is kept, comments and all", () => {
    const sdl = "# ours\ntype Query {\n    a: Int\n}\n";
    expect(readFiles(sdl, {}).model?.schemaSource).toBe(sdl);
  });

  it("is not, where a type had to be defined that is only extended", () => {
    const { model } = readFiles("extend type Query { a: Int }", {});
    expect(model).not.toHaveProperty("schemaSource");
    expect(model?.schemaText).toContain("type Query");
  });
});
