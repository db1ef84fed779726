import { createDiagnosticSink, createReport, createSourceText } from "@nodewright/source";
import { describe, expect, it } from "vitest";
import { graphqlDiagnostics } from "./graphql-diagnostics.ts";
import { parseGraphql } from "./graphql-source.ts";

function reported(text: string): readonly string[] {
  const sink = createDiagnosticSink();
  const report = createReport("graphql", graphqlDiagnostics, sink);
  expect(parseGraphql(createSourceText("a.graphql", text), report)).toBeUndefined();
  return sink.diagnostics.map(({ source, message }) => `${source.line}:${source.column} ${message}`);
}

describe("parseGraphql", () => {
  it("tells the syntax error of each definition behind the first", () => {
    const text = `type Query {
  a: Int!!
}
"""
type X {
"""
type B {
  x Int
  # type Y {
}
enum E { true }
"Described."
scalar Right
extend type B { z: [Int }
directive @d on FIELDS
type Last {
  a: Int
`;
    expect(reported(text)).toEqual([
      '2:10 Expected Name, found "!".',
      '8:5 Expected ":", found Name "Int".',
      '11:10 Name "true" is reserved and cannot be used for an enum value.',
      '14:25 Expected "]", found "}".',
      '15:17 Unexpected Name "FIELDS".',
      "18:1 Expected Name, found <EOF>.",
    ]);
  });

  it.each<[string, string, readonly string[]]>([
    ["an error ends one character on", "type A { ! }", ['1:10-11 Expected Name, found "!".']],
    [
      "a definition that is not closed ends where the next begins",
      "type A { ! }\ntype B {\n  a: Int\ntype C { b: Int }\ntype D {\n",
      ['1:10-11 Expected Name, found "!".', "4:1-2 Expected Name, found <EOF>.", "6:1-2 Expected Name, found <EOF>."],
    ],
    [
      "the description belongs to the definition",
      'type A { ! }\n"Bad \\q."\ntype B { a: Int }\n"""Good."""\n\ntype C { a: Int }\n"Bad \\w."\n# no\nextend   type D { a: Int }',
      [
        '1:10-11 Expected Name, found "!".',
        '2:6-7 Invalid character escape sequence: "\\q".',
        '7:6-7 Invalid character escape sequence: "\\w".',
      ],
    ],
    [
      "a string within a definition is no description of the next",
      'type A { ! }\ntype B { a(x: String = "x"): Int }\ntype C { ! }\ntype D @d(a: "b") { x: Int }\nscalar E',
      ['1:10-11 Expected Name, found "!".', '3:10-11 Expected Name, found "!".'],
    ],
    [
      "words at the start of a line begin definitions, others do not",
      "type A { ! }\n  type B { ! }\nA type C { ! }\ntype\tD { ! }\nextend\tunion E = !\nschema{!}\nschema @a { ! }\ndirective @f !\ndirective@g !",
      [
        '1:10-11 Expected Name, found "!".',
        '4:10-11 Expected Name, found "!".',
        '5:18-19 Expected Name, found "!".',
        '6:8-9 Expected Name, found "!".',
        '7:13-14 Expected Name, found "!".',
        '8:14-15 Expected "on", found "!".',
        '9:13-14 Expected "on", found "!".',
      ],
    ],
    [
      "words in strings and comments begin none",
      'type A { ! }\n"""\n"\ntype B { ! }\n\\"""\ntype C { ! }\n"""\nenum D { a }\n# "\ninterface E { ! }\n#\ninput F { ! }\n""\nunion G = !',
      [
        '1:10-11 Expected Name, found "!".',
        '10:15-16 Expected Name, found "!".',
        '12:11-12 Expected Name, found "!".',
        '14:11-12 Expected Name, found "!".',
      ],
    ],
  ])("tells where %s", (_, text, problems) => {
    const sink = createDiagnosticSink();
    expect(parseGraphql(createSourceText("a.graphql", text), createReport("graphql", graphqlDiagnostics, sink))).toBe(
      undefined,
    );
    const found = sink.diagnostics.map(
      ({ source: { line, column, start, end }, message }) => `${line}:${column}-${column + end - start} ${message}`,
    );
    expect(found).toEqual(problems);
  });

  it("names the bracket that is one too deep for a document that is too deep to be parsed", () => {
    const before = 'type A { "([{" a(x: String = "]})\\"("): Int # ((((\n # )))\n #\n  """ \\""" [[[ """ b: [Int] }\n';
    const lists = (depth: number) => `type B {\n  a: ${"[".repeat(depth)}Int${"]".repeat(depth)}\n}`;
    const values = (depth: number) => `type B {\n  a(x: T = ${"{a:[".repeat(depth)}`;
    const message = "Brackets are nested more than 500 levels deep.";
    expect(reported(`${before}${lists(50_000)}`)).toEqual([`6:505 ${message}`]);
    expect(reported(`${before}${values(50_000)}`)).toEqual([`6:1008 ${message}`]);
    const sink = createDiagnosticSink();
    const report = createReport("graphql", graphqlDiagnostics, sink);
    expect(parseGraphql(createSourceText("a.graphql", lists(499)), report)).toBeDefined();
    parseGraphql(createSourceText("a.graphql", lists(50_000)), report);
    expect(sink.diagnostics.map(({ source: { start, end } }) => [start, end])).toEqual([[513, 514]]);
  });

  it("passes over definitions behind an error that are too deep", () => {
    const deep = `type B { a: ${"[".repeat(50_000)}Int }`;
    expect(reported(`type A { ! }\n${deep}\ntype C { ! }`)).toEqual([
      '1:10 Expected Name, found "!".',
      '3:10 Expected Name, found "!".',
    ]);
  });

  it("takes fields that are called as definitions are for fields", () => {
    expect(reported("type Query {\n  a Int\n  type B\n}\n")).toEqual(['2:5 Expected ":", found Name "Int".']);
    expect(reported("type Query {\na Int\ntype: Int\ninput: Int\n}\n")).toEqual([
      '2:3 Expected ":", found Name "Int".',
    ]);
  });

  it("tells of a text that was never GraphQL no more than anybody reads, in no time", () => {
    expect(reported("type A { ! }\n".repeat(50_000)).length).toBe(1000);
  });
});
