import fc from "fast-check";
import { getIntrospectionQuery, Lexer, Source, TokenKind } from "graphql";
import { expect, it } from "vitest";
import { scanDocument } from "./document-scan.ts";
import { cpuMillisecondsOf } from "../../../../test/support/cpu-time.ts";

/** Counts tokens like the parser of graphql-js. */
function countTokens(text: string): number {
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  while (lexer.advance().kind !== TokenKind.EOF) tokens += 1;
  return tokens;
}

it.each([
  "{ a }",
  'query Q($v: [Long!]! = [1, -2.5e+10]) @d(a: {b: "x \\" # { y", c: $v}) { ...F, b:a ... on T { c } }',
  'fragment F on T { a(of: """ block " \\""" { # \n """) } # comment {',
  "\uFEFF{\r\n a,,,b # c\r d }",
  getIntrospectionQuery(),
])("counts the tokens of %j as the parser does", (text) => {
  expect(scanDocument(text).tokens).toBe(countTokens(text));
});

it("counts the tokens of whatever can be read as the parser does", () => {
  const piece = fc.constantFrom(
    "a",
    "_b1",
    "1",
    "-2.5",
    '"s"',
    '"\\""',
    '"""b"""',
    "...",
    "{",
    "}",
    "$",
    "!",
    "#c\n",
    "@",
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join(" ");
      expect(scanDocument(text).tokens).toBe(countTokens(text));
    }),
  );
});

it("counts directives, comments, ends of lines and nesting", () => {
  expect(scanDocument("{ a @b # {{{@cde\n b(c: [{d: 12}]) \n\n}")).toEqual({
    tokens: 17,
    directives: 1,
    longestToken: 2,
    ignored: 4,
    escapes: 0,
    nesting: 4,
  });
  expect(scanDocument('{ a(b: """1\n2\r3""") }').ignored).toBe(2);
  expect(scanDocument('{ a(b: "\\n", c: "\\"", d: """\\"""""", e: "") } # \\').escapes).toBe(3);
});

it.each([
  ["comments", "#\n".repeat(500_000)],
  ["ends of lines", "\n".repeat(1_000_000)],
  ["strings", '"a" '.repeat(250_000)],
  ["quotes", '"'.repeat(1_000_000)],
  ["backslashes in a string", `"${"\\".repeat(1_000_000)}`],
  ["block strings that do not end", '"""\\'.repeat(250_000)],
  ["dots", ".".repeat(1_000_000)],
  ["numbers", "1.".repeat(500_000)],
  ["brackets", "[".repeat(1_000_000)],
])("takes time in proportion to a text of %s", (_what, text) => {
  expect(cpuMillisecondsOf(() => scanDocument(text))).toBeLessThan(2_000);
});
