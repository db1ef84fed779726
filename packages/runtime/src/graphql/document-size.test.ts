import { parse } from "graphql";
import { describe, expect, it } from "vitest";
import { countRepetitions, measureDocument } from "./document-size.ts";

const lists = new Map([["types", 10]]);

describe("the size of a GraphQL document", () => {
  it("counts aliases, fields and levels, those of fragments as often as they are spread", () => {
    const document = parse(`
      query { a: block { number ...part ...part } block { ... on Block { b: parent { number } } } }
      fragment part on Block { c: number hash }
    `);
    expect(measureDocument(document, lists)).toMatchObject({ depth: 3, aliases: 4, fields: 9, isCircular: false });
  });

  it("does not count definitions of types", () => {
    expect(measureDocument(parse("{ a } type T { b: Int }"), lists)).toMatchObject({ depth: 1, fields: 1 });
  });
});

describe("the fields of a document that are compared", () => {
  it.each([
    ["{ a b c }", 0],
    ["{ a a a }", 9],
    ["{ x: a x: b c }", 4],
    ["{ a { b } a { b c } }", 8],
    ["{ a ... { a ... on T { a } } }", 9],
    ["{ ...f ...f a } fragment f on T { a }", 4],
    ["fragment f on T { a a }", 4],
  ])("are the pairs of those that stand for one in the response: %s", (text, pairs) => {
    expect(countRepetitions(parse(text))).toBe(pairs);
  });
});
