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
      rootFields: ["block", "block", "node"],
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
});
