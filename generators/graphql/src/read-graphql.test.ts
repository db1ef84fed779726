import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiagnosticSink, createDocumentSet } from "@nodewright/source";
import { afterAll, describe, expect, it } from "vitest";
import { readGraphql } from "./read-graphql.ts";

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

/** Reads a schema with files beside it; diagnostics as `severity code file:line:column`. */
function readFiles(sdl: string, files: Readonly<Record<string, string>>) {
  const own = mkdtempSync(join(directory, "files-"));
  for (const [name, text] of Object.entries({ "schema.graphql": sdl, ...files })) writeFileSync(join(own, name), text);
  const sink = createDiagnosticSink();
  const model = readGraphql({
    file: "schema.graphql",
    name: "test",
    title: "Test",
    version: "1",
    documents: createDocumentSet(own, sink),
    sink,
    operations: Object.keys(files).filter((name) => name.endsWith(".graphql")),
    hasFile: (file) => Object.hasOwn(files, file),
    scalars: {},
  });
  const diagnostics = sink.diagnostics.map(
    ({ severity, code, source }) => `${severity} ${code} ${source.file}:${source.line}:${source.column}`,
  );
  return { model, diagnostics };
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
    expect(model?.operations.map(({ marks }) => marks.safe)).toEqual([true, true, true, false]);
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
      fields: [
        { name: "id" },
        { name: "number", type: { kind: "reference", target: "Long" } },
        { name: "transactions", arguments: [{ name: "first", default: 10 }, { name: "kind" }] },
      ],
    });
  });

  it("gives an operation document the shape of its answer", () => {
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
    const fields = document?.result.kind === "record" ? document.result.fields : [];
    expect(fields.map(({ name }) => name)).toEqual(["latest", "block", "node"]);
    expect(fields[1]?.type).toMatchObject({
      kind: "union",
      members: [
        {
          kind: "record",
          fields: [
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
            { fields: [{ name: "__typename", type: { values: ["Block"] } }, { name: "id" }, { name: "number" }] },
            { fields: [{ name: "__typename" }, { name: "id" }] },
          ],
        },
        { kind: "null" },
      ],
    });
  });

  it("reads examples from the file beside an operation", () => {
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

  it("reads fragments from whichever file they stand in, and says where nobody uses one", () => {
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
    expect(model?.documents.map(({ documentation }) => documentation.description)).toEqual([
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

  it("reads how an operation over a range is asked for page by page", () => {
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

  it("have relations that stand beside them, whose owner is told where a file holds several", () => {
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
    const [node] = result?.kind === "record" ? result.fields : [];
    expect(node?.type).toMatchObject({ members: [{ kind: "record" }, { kind: "null" }] });
    const named = readFiles(schema, { "queries.graphql": "query A { node(id: 1) { __typename id } }" });
    const other = named.model?.documents[0]?.result;
    const [field] = other?.kind === "record" ? other.fields : [];
    expect(field?.type).toMatchObject({
      members: [{ kind: "record", fields: [{ type: { values: ["Block", "Transaction"] } }, {}] }, { kind: "null" }],
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
