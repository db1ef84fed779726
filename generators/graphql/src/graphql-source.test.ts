import { createDiagnosticSink, createReport, createSourceText } from "@nodewright/source";
import { describe, expect, it } from "vitest";
import { graphqlDiagnostics } from "./graphql-diagnostics.ts";
import { parseGraphql } from "./graphql-source.ts";

function told(text: string): readonly string[] {
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
    expect(told(text)).toEqual([
      '2:10 Expected Name, found "!".',
      '8:5 Expected ":", found Name "Int".',
      '11:10 Name "true" is reserved and cannot be used for an enum value.',
      '14:25 Expected "]", found "}".',
      '15:17 Unexpected Name "FIELDS".',
      "18:1 Expected Name, found <EOF>.",
    ]);
  });

  it("takes fields that are called as definitions are for fields", () => {
    expect(told("type Query {\na Int\ntype: Int\ninput: Int\n}\n")).toEqual(['2:3 Expected ":", found Name "Int".']);
  });

  it("tells of a text that was never GraphQL no more than anybody reads, in no time", () => {
    expect(told("type A { ! }\n".repeat(50_000)).length).toBe(1000);
  });
});
