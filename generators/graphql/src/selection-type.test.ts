import type { TypeNode } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { placesWithin, readFiles, withoutPlaces } from "./testing/read-files.ts";

const schema = `
scalar Long
directive @mark on FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT
enum Kind { OLD NEW }
interface Node { id: ID! }
interface Named implements Node { id: ID! name: String }
type Block implements Node { id: ID! number: Long! kind: Kind parent: Block transactions: [Transaction!] }
type Transaction implements Node & Named { id: ID! name: String value: Int! to: [[Block]!]! }
type Account implements Node & Named { id: ID! name: String value: String! owner: Block }
interface Unused { x: Int }
union Found = Block | Transaction | Account
type Query { block: Block! node: Node! found: Found! named: Named unused: Unused! }
`;

/** Returns a type in short form: records as objects, with `?` for optional fields; lists as arrays; nullable types as `[type, null]`. */
function brief(type: TypeNode): unknown {
  switch (type.kind) {
    case "record":
      return Object.fromEntries(
        type.members.map(({ name, required, type: of }) => [required ? name : `${name}?`, brief(of)]),
      );
    case "list":
      return { list: brief(type.element) };
    case "union":
      return { [type.mode]: type.members.map(brief) };
    case "reference":
      return type.target;
    case "enumeration":
      return type.values;
    default:
      return type.kind;
  }
}

const orNull = (type: unknown) => ({ "any-of": [type, "null"] });

function resultOf(selection: string, fragments = "") {
  const { model, diagnostics } = readFiles(schema, {
    "get.graphql": `query Get${selection.includes("$if") ? "($if: Boolean!)" : ""} { ${selection} }\n${fragments}`,
  });
  expect(diagnostics).toEqual([]);
  const result = model?.documents[0]?.result;
  if (result === undefined) throw new Error("Nothing was read");
  return brief(result);
}

describe("the result of a selection", () => {
  it.each<[string, unknown]>([
    ["block { id }", { block: { id: "string" } }],
    ["b: block { i: id id }", { b: { i: "string", id: "string" } }],
    ["block { id number kind }", { block: { id: "string", number: "Long", kind: orNull("Kind") } }],
    ["block { parent { number } }", { block: { parent: orNull({ number: "Long" }) } }],
    ["block { transactions { value } }", { block: { transactions: orNull({ list: { value: "number" } }) } }],
    [
      "block { transactions { to { id } } }",
      { block: { transactions: orNull({ list: { to: { list: { list: orNull({ id: "string" }) } } } }) } },
    ],
    ["__typename t: __typename", { __typename: ["Query"], t: ["Query"] }],
    ["block { __typename }", { block: { __typename: ["Block"] } }],
    ["block { id } block { number id }", { block: { id: "string", number: "Long" } }],
    [
      "block { parent { id } ... { parent { number } } }",
      { block: { parent: orNull({ id: "string", number: "Long" }) } },
    ],
  ])("has the selected fields: %s", (selection, result) => {
    expect(resultOf(selection)).toEqual(result);
  });

  it.each<[string, unknown]>([
    ["block { id @skip(if: $if) }", { "id?": "string" }],
    ["block { id @include(if: $if) }", { "id?": "string" }],
    ["block { id @mark }", { id: "string" }],
    ["block { id @mark @skip(if: $if) }", { "id?": "string" }],
    ["block { id @skip(if: $if) id }", { id: "string" }],
    ["block { id id @skip(if: $if) }", { id: "string" }],
    ["block { id @skip(if: $if) id @include(if: $if) }", { "id?": "string" }],
    ["block { ... @include(if: $if) { id } }", { "id?": "string" }],
    ["block { ... { id } }", { id: "string" }],
    ["block { ... @mark { id } }", { id: "string" }],
    ["block { ... on Node @skip(if: $if) { id } number }", { "id?": "string", number: "Long" }],
    ["block { ... @skip(if: $if) { id @mark } ... { id } }", { id: "string" }],
    ["block { ... @skip(if: $if) { ... { id } } }", { "id?": "string" }],
  ])("may be without what a directive leaves out: %s", (selection, block) => {
    expect(resultOf(selection)).toEqual({ block });
  });

  it.each<[string, string, unknown]>([
    ["block { ...A }", "fragment A on Block { id }", { id: "string" }],
    ["block { ...A @skip(if: $if) }", "fragment A on Node { id }", { "id?": "string" }],
    ["block { ...A }", "fragment A on Found { ... on Block { id } ... on Account { value } }", { id: "string" }],
    [
      "block { ...A number }",
      "fragment A on Block { ...B kind } fragment B on Node { id }",
      { id: "string", kind: orNull("Kind"), number: "Long" },
    ],
  ])("has the fields of fragments: %s %s", (selection, fragments, block) => {
    expect(resultOf(selection, fragments)).toEqual({ block });
  });

  it.each<[string, unknown]>([
    ["node { id }", { id: "string" }],
    ["node { __typename id }", { __typename: ["Block", "Transaction", "Account"], id: "string" }],
    ["found { ... on Node { id } }", { id: "string" }],
    ["node { ... on Block { number } }", { "any-of": [{ number: "Long" }, {}] }],
    ["node { id ... on Named { name } }", { "any-of": [{ id: "string" }, { id: "string", name: orNull("string") }] }],
    [
      "found { __typename ... on Named { name t: __typename } }",
      {
        "any-of": [
          { __typename: ["Block"] },
          {
            __typename: ["Transaction", "Account"],
            name: orNull("string"),
            t: ["Transaction", "Account"],
          },
        ],
      },
    ],
    [
      "found { __typename ... on Transaction { number: value } ... on Account { text: value } }",
      {
        "any-of": [
          { __typename: ["Block"] },
          { __typename: ["Transaction"], number: "number" },
          { __typename: ["Account"], text: "string" },
        ],
      },
    ],
    [
      "node { ... on Block { of: parent { id } } ... on Account { of: owner { number } } ... on Transaction { id } }",
      {
        "any-of": [{ of: orNull({ id: "string" }) }, { id: "string" }, { of: orNull({ number: "Long" }) }],
      },
    ],
    [
      "node { ... on Block { kind @skip(if: $if) } ... on Named { name @skip(if: $if) } }",
      { "any-of": [{ "kind?": orNull("Kind") }, { "name?": orNull("string") }] },
    ],
  ])("has each shape of an abstract type once: %s", (selection, shape) => {
    const [name = ""] = selection.split(" ");
    expect(resultOf(selection)).toEqual({ [name]: shape });
  });

  it("may be null, and is nothing for an interface that no type has", () => {
    expect(resultOf("named { id }")).toEqual({ named: orNull({ id: "string" }) });
    expect(resultOf("unused { x }")).toEqual({ unused: { "any-of": [] } });
  });

  it("is closed, and knows where its parts stand", () => {
    const { model } = readFiles(schema, {
      "get.graphql":
        "query Get {\n  block {\n    n: number\n    parent { __typename }\n  }\n  node {\n    ... on Block { kind }\n  }\n}",
    });
    const result = model?.documents[0]?.result;
    expect(placesWithin(result)).toEqual(
      new Set([
        "1:11 Query",
        "2:3 Query.block",
        "2:9 Block",
        "3:5 Block.number",
        "1:1 Block.number",
        "4:5 Block.parent",
        "4:12 Block",
        "4:14 Block.__typename",
        "6:3 Query.node",
        "6:8 Block",
        "6:8 Transaction",
        "7:20 Block.kind",
        "1:1 Block.kind",
      ]),
    );
    expect(withoutPlaces(result)).toMatchObject({
      kind: "record",
      additional: { kind: "never" },
      patterns: [],
      members: [
        {
          name: "block",
          required: true,
          access: "read-write",
          arguments: [],
          type: { members: [{ name: "n", access: "read-write", arguments: [] }, {}] },
        },
        {},
      ],
    });
  });
});
