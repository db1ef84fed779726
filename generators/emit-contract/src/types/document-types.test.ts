import { createRequire } from "node:module";
import type { ApiModel, EmittedFile, GraphqlDocument, Parameter, TypeNode } from "@nodewright/model";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { typesOfDocument } from "../contract/contract-types.ts";
import { writeGeneratedFiles } from "../testing/generated-files.ts";
import {
  declaration,
  field,
  list,
  model,
  node,
  nothing,
  nullNode,
  record,
  reference,
  source,
  text,
  union,
} from "../testing/type-nodes.ts";
import { emitTypes } from "./emit-types.ts";

const schemaText = `
scalar Long
enum Sort { NEWEST OLDEST }
input log_filter { topics: [String!], sort: Sort }
interface Named { name: String! }
type Account implements Named { name: String!, balance: Long! }
type Contract implements Named { name: String!, code: String }
union Owner = Account | Contract
type Block { number: Long!, owners: [Owner!]!, parent: Block, first: Named, sort: Sort }
type Query { block(number: Long, filter: log_filter, sort: Sort! = NEWEST): Block }
`;

const operationText = `
query blockOwners($number: Long, $filter: log_filter!, $sort: Sort!, $withParent: Boolean!, $names: [String!]) {
  block(number: $number, filter: $filter, sort: $sort) {
    height: number
    ...Sorting
    owners { __typename ... on Account { balance } ... on Contract { code } }
    parent @include(if: $withParent) { number sort }
    first { name }
  }
}
fragment Sorting on Block { sort }
`;

const optional = (type: TypeNode): TypeNode => union(type, nullNode);
const closed = (...members: Parameters<typeof record>[0]): TypeNode => record(members, { additional: nothing });
const literal = (value: string): TypeNode => node({ kind: "enumeration", values: [value] });

function variable(name: string, type: TypeNode, required = true): Parameter {
  return { name, property: name, location: "argument", required, type, style: "simple", explode: false, source };
}

const document: GraphqlDocument = {
  name: "blockOwners",
  root: "query",
  text: operationText,
  variables: [
    variable("number", optional(reference("Long")), false),
    variable("filter", reference("LogFilter")),
    variable("sort", reference("Sort")),
    variable("withParent", node({ kind: "boolean" })),
    variable("names", optional(list(text)), false),
  ],
  result: closed(
    field(
      "block",
      optional(
        closed(
          field("height", reference("Long")),
          field("sort", optional(reference("Sort"))),
          field(
            "owners",
            list(
              union(
                closed(field("__typename", literal("Account")), field("balance", reference("Long"))),
                closed(field("__typename", literal("Contract")), field("code", optional(text))),
              ),
            ),
          ),
          field(
            "parent",
            optional(closed(field("number", reference("Long")), field("sort", optional(reference("Sort"))))),
            false,
          ),
          field("first", optional(closed(field("name", text)))),
        ),
      ),
    ),
  ),
  rootFields: ["block"],
  examples: [],
  source: { ...source, file: "operations/block-owners.graphql" },
  documentation: {},
};

const declarations = [
  declaration("Long", text, { role: "scalar" }),
  declaration("Sort", node({ kind: "enumeration", values: ["NEWEST", "OLDEST"] })),
  declaration(
    "LogFilter",
    closed(field("topics", optional(list(text)), false), field("sort", optional(reference("Sort")), false)),
    { originalName: "log_filter", role: "input" },
  ),
];

const api: ApiModel = model(declarations, { protocol: "graphql", schemaText, documents: [document] });

/** Returns the same types, derived from the model's own nodes, and assignments in both directions. */
function comparison(): EmittedFile[] {
  const own = model([
    ...declarations,
    ...typesOfDocument(api, document).map(({ name, type }) => declaration(`${name}OfModel`, type)),
  ]);
  const names = typesOfDocument(api, document).map(({ name }) => name);
  const functions = names.flatMap((name) => [
    `import type { ${name} } from "./types.ts";`,
    `import type { ${name}OfModel } from "./model-types.ts";`,
    `export function to${name}(value: ${name}OfModel): ${name} { return value; }`,
    `export function from${name}(value: ${name}): ${name}OfModel { return value; }`,
  ]);
  return [
    { path: "types.ts", text: emitTypes(api).text },
    { path: "model-types.ts", text: emitTypes(own).text },
    { path: "comparison.ts", text: functions.join("\n") },
  ];
}

describe("the types of GraphQL operation documents", () => {
  it("carry our names, our layout and our scalars", () => {
    const printed = emitTypes(api).text;
    expect(printed).toContain(`/** @generated from operations/block-owners.graphql */
export type BlockOwnersQuery = {
  readonly block: {
    readonly sort: Sort | null;
    readonly height: Long;
    readonly owners: readonly (
      | {
          readonly __typename: "Account";
          readonly balance: Long;
        }
      | {
          readonly __typename: "Contract";
          readonly code: string | null;
        }
    )[];
`);
    expect(printed).toContain("    readonly first: {\n      readonly name: string;\n    } | null;\n");
    expect(printed).toContain("  readonly filter: LogFilter;\n");
    expect(printed).toContain("  readonly names?: readonly string[] | null;\n");
  });

  it("are the same next to documents that share a fragment, for which the schema is searched no more often", () => {
    const { TypeScriptDocumentsVisitor } = createRequire(import.meta.url)("@graphql-codegen/typescript-operations") as {
      readonly TypeScriptDocumentsVisitor: { readonly prototype: { collectUsedSchemaTypesToGenerate(): void } };
    };
    const search = vi.spyOn(TypeScriptDocumentsVisitor.prototype, "collectUsedSchemaTypesToGenerate");
    onTestFinished(() => search.mockRestore());
    const others = ["second", "third"].map((name): GraphqlDocument => ({ ...document, name }));
    const alone = emitTypes(api).text;
    const searches = search.mock.calls.length;
    expect(searches).toBeGreaterThan(0);
    const together = emitTypes({ ...api, documents: [document, ...others] }).text;
    expect(search).toHaveBeenCalledTimes(2 * searches);
    const typesOf = (text: string, stem: string): string =>
      text.slice(text.indexOf(`export type ${stem}Query `)).split("\n};\n")[0] ?? "";
    const types = typesOf(alone, "BlockOwners");
    expect(types).toContain("readonly balance: Long");
    expect(
      ["BlockOwners", "Second", "Third"].map((stem) => typesOf(together, stem).replace(stem, "BlockOwners")),
    ).toEqual(Array(3).fill(types));
  });

  it("and those made from the model are assignable to each other", () => {
    const files = writeGeneratedFiles(comparison());
    expect(files.typeErrors()).toBe("");
  });

  it("would be found to differ", () => {
    const [types, ...others] = comparison();
    const text = types?.text.replace("readonly code: string | null", "readonly code: string") ?? "";
    const files = writeGeneratedFiles([{ path: "types.ts", text }, ...others]);
    expect(files.typeErrors()).toContain("not assignable");
  });
});
