import { describe, expect, it } from "vitest";
import { type FilesOptions, readFiles, withoutPlaces } from "./testing/read-files.ts";

const schema = `
scalar Long
interface Node { id: ID! }
type Block implements Node { id: ID! number: Long! }
enum Kind { OLD NEW }
input Filter { kind: Kind, from: Long }
type Query { block(number: Long, kind: Kind, filter: Filter, flag: Boolean): Block, node: Node, head: Int, tail: Int }
type Mutation { send(data: String!): Int }
type Subscription { heads: Int }
`;

function read(files: Readonly<Record<string, string>>, options?: FilesOptions) {
  const { model, reports } = readFiles(schema, files, options);
  return { documents: model?.documents ?? [], names: model?.documents.map(({ name }) => name), reports };
}

describe("an operation document", () => {
  it("has its operation and the fragments that it reaches, each once, as text", () => {
    const { documents, reports } = read({
      "a.graphql": "query A { block { ...One ...Two } node { ...Two } }\nquery B { block { ...Two } }",
      "fragments.graphql":
        "fragment Three on Block { number }\nfragment Two on Node { id }\nfragment One on Block { ...Three }",
    });
    expect(reports).toEqual([]);
    const [one, two, three] = [
      "fragment One on Block {\n  ...Three\n}",
      "fragment Two on Node {\n  id\n}",
      "fragment Three on Block {\n  number\n}",
    ];
    expect(documents.map(({ text }) => text)).toEqual([
      ["query A {\n  block {\n    ...One\n    ...Two\n  }\n  node {\n    ...Two\n  }\n}", one, two, three].join("\n\n"),
      ["query B {\n  block {\n    ...Two\n  }\n}", two].join("\n\n"),
    ]);
  });

  it.each<[string, string, readonly string[]]>([
    ["{ a: head b: head tail }", "query", ["head", "tail"]],
    ["{ ...F head }", "query", ["tail", "head"]],
    ["{ ... on Query { tail } ... { head } __typename }", "query", ["tail", "head", "__typename"]],
    ["{ ...F ...F tail }", "query", ["tail", "head"]],
    ['{ send(data: "") }', "mutation", ["send"]],
    ["{ heads }", "subscription", ["heads"]],
  ])("names the fields of the root type that it selects: %s", (selection, root, rootFields) => {
    const fragment = selection.includes("...F") ? "fragment F on Query { tail ...G } fragment G on Query { head }" : "";
    const { documents, reports } = read({ "a.graphql": `${root} A ${selection} ${fragment}` });
    expect(reports).toEqual([]);
    expect(documents).toMatchObject([{ name: "a", root, rootFields }]);
  });

  it("has its variables as parameters", () => {
    const variables =
      "$a: Long, $b: Long! = 5, $c: Long!, $d: Kind = OLD, $e: Filter = { kind: NEW, from: 1 }, $f: Boolean = null";
    const uses =
      "a: block(number: $a) {id} b: block(number: $b) {id} c: block(number: $c) {id} d: block(kind: $d) {id} e: block(filter: $e) {id} f: block(flag: $f) {id}";
    const { documents } = read({ "a.graphql": `query A(${variables}) { ${uses} }` });
    const long = { kind: "reference", target: "Long" };
    const nullable = (type: object) => ({ kind: "union", mode: "any-of", members: [type, { kind: "null" }] });
    const common = { location: "argument", style: "simple", explode: false };
    const named = (name: string) => ({ ...common, name, property: name });
    expect(withoutPlaces(documents[0]?.variables)).toEqual([
      { ...named("a"), required: false, type: nullable(long) },
      { ...named("b"), required: false, type: long, default: 5 },
      { ...named("c"), required: true, type: long },
      { ...named("d"), required: false, type: nullable({ kind: "reference", target: "Kind" }), default: "OLD" },
      {
        ...named("e"),
        required: false,
        type: nullable({ kind: "reference", target: "Filter" }),
        default: { kind: "NEW", from: 1 },
      },
      { ...named("f"), required: false, type: nullable({ kind: "boolean" }), default: null },
    ]);
    expect(documents[0]?.variables[1]?.source).toMatchObject({ line: 1, column: 19, pointer: "$b" });
    expect(documents[0]?.variables[1]?.type.source.pointer).toBe("$b");
    expect(documents[0]?.source).toMatchObject({ file: "a.graphql", line: 1, column: 1, pointer: "A" });
  });

  it.each<[string, string | undefined]>([
    ["", undefined],
    ["#\n", undefined],
    ["#  \n", undefined],
    ["# One.\n", "One."],
    ["#One word.\n", "One word."],
    ["# One.  \n#   indented\n# last\n", "One.\n  indented\nlast"],
    ["# One.\n#\n# Two.\n", "One.\n\nTwo."],
    ["#\n# One.\n#\n", "One."],
    ["# One.\n\n", "One."],
    ["fragment F on Query { tail }\n# One.\n", "One."],
    ["# Of the fragment.\nfragment F on Query { tail }\n", undefined],
  ])("is described by the comment above it: %j", (comment, description) => {
    const { documents } = read({ "a.graphql": `${comment}query A { head${comment.includes("F on") ? " ...F" : ""} }` });
    expect(documents[0]?.documentation).toEqual(description === undefined ? {} : { description });
  });

  it("has a name of its own where two are spelt alike", () => {
    expect(read({ "a.graphql": "query get_head { head } query getHead { head } query Tail { tail }" }).names).toEqual([
      "getHead2",
      "getHead",
      "tail",
    ]);
  });
});

describe("operation documents with mistakes", () => {
  it("are left out with each operation that has a part in a file with one", () => {
    const { names, reports } = read({
      "good.graphql": "query Good { head }\nquery UsesGood { block { ...Fine } }",
      "fine.graphql": "fragment Fine on Block { id }",
      "bad.graphql": "query Bad { hed }\nquery InBadFile { head }",
      "parts.graphql": "fragment Wrong on Block { nmber }\nfragment Right on Block { id }",
      "uses.graphql": "query Uses { block { ...Fine ...Right } }",
    });
    expect(names).toEqual(["good", "usesGood"]);
    expect(reports).toEqual([
      'invalid-operation bad.graphql:1:13 : Cannot query field "hed" on type "Query". Did you mean "head"? ',
      'invalid-operation parts.graphql:1:27 : Cannot query field "nmber" on type "Block". Did you mean "number"? ',
    ]);
  });

  it("are all left out where a file cannot be parsed, whose fragments nobody misses", () => {
    const { names, reports } = read({
      "good.graphql": "query Good { head block { ...Lost } }\nfragment Unused on Block { id }",
      "broken.graphql": "fragment Lost on Block { id",
    });
    expect(names).toEqual([]);
    expect(reports).toEqual(["syntax broken.graphql:1:28 : Expected Name, found <EOF>. "]);
    const other = read({ "good.graphql": "query Good { head hed }", "broken.graphql": "query {" });
    expect(other.reports.map((report) => report.split(" ").slice(0, 2).join(" "))).toEqual([
      "syntax broken.graphql:1:8",
      "invalid-operation good.graphql:1:19",
    ]);
  });

  it("name fragments that are nowhere, and those that no operation uses", () => {
    expect(read({ "a.graphql": "query A { block { ...Lost } }" }).reports).toEqual([
      'invalid-operation a.graphql:1:22 : Unknown fragment "Lost". ',
    ]);
    const { names, reports } = read({
      "a.graphql": "query A { block { ...Used } }\nfragment Used on Block { id }",
      "b.graphql": "fragment Unused on Block { ...AlsoUnused }\nfragment AlsoUnused on Block { id }",
    });
    expect(names).toEqual(["a"]);
    const hint = "It is sent with none of them.";
    expect(reports).toEqual([
      `unused-fragment b.graphql:1:1 Unused: No operation uses the fragment "Unused". ${hint}`,
      `unused-fragment b.graphql:2:1 AlsoUnused: No operation uses the fragment "AlsoUnused". ${hint}`,
    ]);
    const wrong = read({ "a.graphql": "query A { hed }\nfragment Unused on Block { id }" });
    expect(wrong.reports).toEqual([expect.stringContaining('Cannot query field "hed"')]);
  });

  it("are without names, or with one that is taken", () => {
    const { names, reports } = read({
      "a.graphql": "query Same { head }",
      "b.graphql":
        'query Same { tail }\n{ head ...OnlyHere }\nfragment OnlyHere on Query { tail }\nmutation { send(data: "") }',
    });
    expect(names).toEqual(["same"]);
    const hint = "The name becomes a method of the client.";
    expect(reports).toEqual([
      'duplicate-operation b.graphql:1:1 Same: The operation "Same" is already described in a.graphql. ',
      `anonymous-operation b.graphql:2:1 : This operation has no name. ${hint}`,
      `anonymous-operation b.graphql:4:1 : This operation has no name. ${hint}`,
    ]);
  });

  it("have no examples where those cannot be read", () => {
    const { documents, reports } = read({ "a.graphql": "query A { head }", "a.examples.yaml": "- { name: [" });
    expect(documents.map(({ examples }) => examples)).toEqual([[]]);
    expect(reports).toEqual([expect.stringMatching(/a\.examples\.yaml:1:\d+/)]);
  });
});

describe("what stands next to operation documents", () => {
  const two = "query A { head }\nquery B { tail }";

  it.each([
    ["examples", "name: one, data: { head: 1 }", "This example does"],
    ["pages", "from: a, to: b, items: c", "These pages do"],
    ["relations", "name: one, holds: head = 1", "This relation does"],
  ])("belongs to one of several operations of its file: %s", (kind, item, subject) => {
    const unclaimed = (code: string, place: string, file: string, operations: string) =>
      `${code} ${file}.${kind}.yaml:${place}: ${subject} not say to which operation of ${file}.graphql it belongs. Add "operation" with the name of one: ${operations}.`.replace(
        "it belongs",
        kind === "pages" ? "they belong" : "it belongs",
      );
    const code =
      { examples: "unclaimed-example", pages: "unclaimed-pages", relations: "unclaimed-relation" }[kind] ?? "";
    const files = { "ab.graphql": two, [`ab.${kind}.yaml`]: `- { ${item} }\n- { ${item}, operation: C }\n- text` };
    expect(read(files).reports).toEqual([
      unclaimed(code, "1:3 /0", "ab", "A, B"),
      unclaimed(code, "2:3 /1", "ab", "A, B"),
      unclaimed(code, "3:3 /2", "ab", "A, B"),
    ]);
    const ofOther = { "a.graphql": "query A { head }", "b.graphql": "query B { head }" };
    expect(read({ ...ofOther, [`a.${kind}.yaml`]: `- { ${item}, operation: B }` }).reports).toEqual([
      unclaimed(code, "1:3 /0", "a", "A"),
    ]);
    const fragments = { ...ofOther, "f.graphql": "fragment F on Query { head }", "a.graphql": "query A { ...F }" };
    expect(read({ ...fragments, [`f.${kind}.yaml`]: `- { ${item} }` }).reports).toEqual([
      unclaimed(code, "1:3 /0", "f", ""),
    ]);
  });

  it.each([
    ["examples", "not-an-example", 'An example has a name, variables, and either "data" or "errors". '],
    [
      "pages",
      "not-a-range",
      'Each entry must have "from", "to" and "items", and may have "length", "end" and "operation". The first three are paths, as in filter.fromBlock.',
    ],
    [
      "relations",
      "not-relations",
      'The relations of operations are a list, in which each has its "name" and what "holds". ',
    ],
  ])("is a list: %s", (kind, code, message) => {
    for (const text of ["name: one", "text", "{}"]) {
      const { reports } = read({ "a.graphql": "query A { head }", [`a.${kind}.yaml`]: text });
      expect(reports).toEqual([`${code} a.${kind}.yaml:1:1 : ${message}`]);
    }
    expect(read({ "a.graphql": "query A { head }", [`a.${kind}.yaml`]: "[]" }).reports).toEqual([]);
  });

  it("is not asked for of a file without such a list", () => {
    const { reports } = read({ "a.graphql": "query A { head }", "b.examples.yaml": "text" });
    expect(reports).toEqual([]);
  });

  it("belongs to the only operation of its file, next to fragments too, without a name as well", () => {
    const example = "- { name: one, data: { head: 1 } }";
    const { documents, reports } = read({
      "a.graphql": "fragment F on Query { head }\nquery A { ...F }",
      "a.examples.yaml": example,
      "b.graphql": "query B { head }",
    });
    expect(reports).toEqual([]);
    expect(documents.map(({ examples }) => examples.length)).toEqual([1, 0]);
    const anonymous = read({ "a.graphql": "{ head }", "a.examples.yaml": example });
    expect(anonymous.reports).toEqual([expect.stringMatching(/^anonymous-operation/)]);
  });

  it("is kept in order where several items belong to one operation", () => {
    const { documents, reports } = read({
      "ab.graphql": two,
      "ab.examples.yaml":
        "- { name: b1, operation: B, data: {} }\n- { name: a, operation: A, data: {} }\n- { name: b2, operation: B, errors: [{ message: no }] }",
      "ab.relations.yaml":
        "- { name: r1, operation: B, holds: tail = 1 }\n- { name: r2, operation: B, holds: tail = tail }",
    });
    expect(reports).toEqual([]);
    expect(documents.map(({ examples }) => examples.map(({ name }) => name))).toEqual([["a"], ["b1", "b2"]]);
    expect(documents.map(({ relations }) => relations?.map(({ name }) => name))).toEqual([undefined, ["r1", "r2"]]);
    expect(documents[0]).not.toHaveProperty("relations");
  });

  it("stands next to files of every ending", () => {
    const file = (ending: string) => `a.${ending}`;
    for (const ending of ["graphql", "graphqls", "gql"]) {
      const { documents, reports } = read(
        { [file(ending)]: "query A { head }", "a.examples.yaml": "- { name: one, data: { head: 1 } }" },
        { operations: [file(ending)] },
      );
      expect([reports, documents[0]?.examples.length]).toEqual([[], 1]);
    }
  });

  it("says which example names a variable that the operation does not have", () => {
    const files = {
      "a.graphql": "query A($flag: Boolean) { block(flag: $flag) { id } }",
      "a.examples.yaml":
        "- name: one\n  variables: { flag: true, flog: 1 }\n  data: {}\n- name: two\n  variables: {}\n  data: {}\n  errors: []",
    };
    expect(read(files).reports).toEqual([
      'unknown-variable a.examples.yaml:2:28 /0/variables/flog: The operation "A" has no variable "flog". ',
      'not-an-example a.examples.yaml:4:3 /1: An example has a name, variables, and either "data" or "errors". ',
    ]);
  });
});
