import { describe, expect, it } from "vitest";
import { assertRepetitions, assertScan, assertSize, assertVariableName, limitPassed } from "./document-limits.ts";
import type { DocumentScan } from "./document-scan.ts";
import type { DocumentSize } from "./document-size.ts";
import type { GraphqlLimits } from "./graphql-options.ts";

const limits: GraphqlLimits = {
  tokens: 11,
  depth: 30,
  aliases: 13,
  directives: 14,
  fields: 15,
  cost: 16,
  responseBytes: 17,
};
const noScan: DocumentScan = { tokens: 0, directives: 0, longestToken: 0, ignored: 0, escapes: 0, nesting: 0 };
const noSize: DocumentSize = {
  depth: 0,
  introspectionDepth: 0,
  nesting: 0,
  aliases: 0,
  fields: 0,
  introspected: 0,
  definitions: 0,
  isCircular: false,
};

/** Checks that `maximum` passes, and that one more is rejected with this message. */
function expectLimit(check: (actual: number) => void, limit: string, maximum: number, message: string): void {
  expect(() => check(maximum)).not.toThrow();
  let refusal: unknown;
  try {
    check(maximum + 1);
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({
    name: "ServiceError",
    code: "invalid_input",
    message,
    details: { limit, maximum, actual: maximum + 1 },
  });
}

describe("the text of a GraphQL document", () => {
  it.each<[keyof DocumentScan, string, number, string]>([
    [
      "tokens",
      "tokens",
      11,
      "The GraphQL document has 12 tokens, more than the limit of 11; send literals as variables, or use several requests",
    ],
    ["directives", "directives", 14, "The GraphQL document has 15 directives, more than the limit of 14; use fewer"],
    [
      "longestToken",
      "name",
      500,
      "A name or number of the GraphQL document has 501 characters, more than the limit of 500; send long values as variables",
    ],
    [
      "ignored",
      "lines",
      5000,
      "The GraphQL document has 5001 comments and ends of lines, more than the limit of 5000; send it without them",
    ],
    [
      "escapes",
      "escapes",
      10_000,
      "The strings of the GraphQL document have 10001 backslashes, more than the limit of 10000; send them as variables",
    ],
    [
      "nesting",
      "nesting",
      250,
      "Selections and values of the GraphQL document stand 251 deep in each other, more than the limit of 250; nest less deeply",
    ],
  ])("is bounded in its %s", (member, limit, maximum, message) => {
    expectLimit((actual) => assertScan({ ...noScan, [member]: actual }, limits), limit, maximum, message);
  });

  it("may be nested as deep as introspection is, whatever the depth of fields", () => {
    const shallow = { ...limits, depth: 3 };
    expect(() => assertScan({ ...noScan, nesting: 200 }, shallow)).not.toThrow();
    expect(() => assertScan({ ...noScan, nesting: 201 }, shallow)).toThrow("201");
  });
});

describe("a GraphQL document", () => {
  it.each<[keyof DocumentSize, string, number, string]>([
    [
      "depth",
      "depth",
      30,
      "The fields of the GraphQL document are 31 deep, more than the limit of 30; request deeper fields in another request",
    ],
    [
      "nesting",
      "nesting",
      150,
      "Selections and values of the GraphQL document stand 151 deep in each other, more than the limit of 150; nest less deeply",
    ],
    [
      "aliases",
      "aliases",
      13,
      "The GraphQL document has 14 aliased fields, fragments counted wherever they are spread, more than the limit of 13; use several requests",
    ],
    [
      "fields",
      "fields",
      15,
      "The GraphQL document has 16 fields, fragments counted wherever they are spread, more than the limit of 15; use several requests",
    ],
    [
      "definitions",
      "definitions",
      100,
      "The GraphQL document has 101 operations and fragments, more than the limit of 100; send only those that the operation uses",
    ],
    [
      "introspectionDepth",
      "introspectionDepth",
      20,
      "The introspection is 21 fields deep, more than the limit of 20; use less depth of ofType",
    ],
    [
      "introspected",
      "introspection",
      70,
      "The introspection result would have about 71 values, more than the limit of 70; request each part of the schema once",
    ],
  ])("is bounded in its %s", (member, limit, maximum, message) => {
    expectLimit((actual) => assertSize({ ...noSize, [member]: actual }, limits, 70), limit, maximum, message);
  });

  it("repeats fields no more often than can be compared", () => {
    expectLimit(
      assertRepetitions,
      "repetitions",
      20_000,
      "The GraphQL document repeats fields so that 20001 pairs of them have to be compared, more than the limit of 20000; name each field once where it stands, or use aliases",
    );
  });

  it("has no long names in its variables", () => {
    expectLimit(
      assertVariableName,
      "variableName",
      500,
      "A name in the variables has 501 characters, more than the limit of 500; send only what the operation declares",
    );
  });
});

it("says of a limit that is passed which it is, and by how much", () => {
  expect(limitPassed("cost", 5, 7, "Too much")).toMatchObject({
    code: "invalid_input",
    message: "Too much",
    details: { limit: "cost", maximum: 5, actual: 7 },
  });
});
