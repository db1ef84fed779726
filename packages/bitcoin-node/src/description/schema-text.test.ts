import { describe, expect, it } from "vitest";
import { type JsonSchema, jsonTypes } from "./json-schema.ts";
import { memberLines, oneLine, schemaFacts } from "./schema-text.ts";

const text: JsonSchema = { type: "string" };
const number: JsonSchema = { type: "number" };
const schemas: Readonly<Record<string, JsonSchema>> = {
  Hash: { type: "string", description: "Any\n  hash." },
  Alias: { $ref: "Hash" },
  Kind: { enum: ["a", 1, null] },
  Pair: { type: "object", required: ["left"], properties: { left: text, right: { $ref: "Hash" } } },
  Tree: { type: "object", properties: { below: { $ref: "Tree" }, other: { $ref: "Pair" } } },
};
const resolve = (reference: string): JsonSchema => schemas[reference] ?? expect.unreachable(reference);

describe("the types of a schema", () => {
  it.each<[schema: JsonSchema, types: readonly string[]]>([
    [{}, []],
    [{ type: "integer" }, ["integer"]],
    [{ $ref: "Alias" }, ["string"]],
    [{ oneOf: [text, { $ref: "Hash" }, number] }, ["string", "number"]],
    [{ enum: ["a", 1, null, [], {}, true] }, ["string", "number", "null", "array", "object", "boolean"]],
    [{ const: null }, ["null"]],
    [{ $ref: "Kind", oneOf: [{ type: "array" }] }, ["string", "number", "null", "array"]],
  ])("%o: %j", (schema, types) => expect(jsonTypes(schema, resolve)).toEqual(types));
});

describe("what a value may be, in words", () => {
  it.each<[schema: JsonSchema, facts: string]>([
    [{}, "any value"],
    [text, "string"],
    [{ oneOf: [text, { type: "null" }] }, "string or null"],
    [{ enum: ["a", 2, null] }, '"a" or 2 or null'],
    [{ $ref: "Kind" }, '"a" or 1 or null'],
    [{ const: 0 }, "0"],
    [{ const: null }, "null"],
    [{ type: "array" }, "array"],
    [{ type: "array", items: text }, "array of string"],
    [
      { type: "array", items: { type: "array", items: { oneOf: [text, number] } } },
      "array of array of string or number",
    ],
    [{ type: "array", items: {} }, "array of any value"],
    // The items would have no unique parent.
    [{ oneOf: [{ type: "array", items: text }, text] }, "array or string"],
    [{ $ref: "Alias" }, "string"],
  ])("%o: %s", (schema, facts) => expect(schemaFacts(schema, resolve)).toBe(facts));
});

describe("the lines for the members of a value", () => {
  it("are none where there are none", () => {
    for (const schema of [text, {}, { oneOf: [text, number] }, { type: "array", items: text }, { $ref: "Hash" }])
      expect(memberLines(schema, resolve)).toEqual([]);
    expect(memberLines({ type: "object", additionalProperties: false }, resolve)).toEqual([]);
    expect(memberLines({ type: "object", additionalProperties: true }, resolve)).toEqual([]);
  });

  it("are indented below what they are in, those that may be missing as such", () => {
    const schema: JsonSchema = {
      type: "object",
      required: ["list", "map"],
      properties: {
        list: { type: "array", items: { $ref: "Pair" }, description: " All \n of them. " },
        map: { type: "object", additionalProperties: { $ref: "Pair" } },
        alias: { $ref: "Alias" },
      },
    };
    expect(memberLines(schema, resolve)).toEqual([
      "  list  (array of object)  All of them.",
      "    left  (string)",
      "    right  (string, optional)  Any hash.",
      "  map  (object)",
      "    <name>  (object)",
      "      left  (string)",
      "      right  (string, optional)  Any hash.",
      "  alias  (string, optional)  Any hash.",
    ]);
  });

  it("name members and others side by side", () => {
    const schema: JsonSchema = { type: "object", properties: { a: text }, additionalProperties: number };
    expect(memberLines(schema, resolve)).toEqual(["  a  (string, optional)", "  <name>  (number)"]);
  });

  it("end where a value holds its own kind, and go on next to that", () => {
    expect(memberLines({ $ref: "Tree" }, resolve)).toEqual([
      "  below  (object, optional)",
      "  other  (object, optional)",
      "    left  (string)",
      "    right  (string, optional)  Any hash.",
    ]);
    // Twice next to each other is not nested.
    const twice: JsonSchema = { type: "object", properties: { one: { $ref: "Pair" }, two: { $ref: "Pair" } } };
    expect(memberLines(twice, resolve).filter((line) => line.includes("left"))).toHaveLength(2);
  });

  it("distinguish alternatives where several have members", () => {
    const one: JsonSchema = { type: "object", properties: { a: text }, description: "The\nfirst." };
    const other: JsonSchema = { type: "object", properties: { b: text } };
    expect(memberLines({ oneOf: [text, one] }, resolve)).toEqual(["  a  (string, optional)"]);
    expect(memberLines({ oneOf: [one, text, other, { $ref: "Pair" }] }, resolve)).toEqual([
      "  Either: The first.",
      "    a  (string, optional)",
      "  Either: object",
      "    b  (string, optional)",
      "  Either: object",
      "    left  (string)",
      "    right  (string, optional)  Any hash.",
    ]);
  });

  it("go eight levels deep", () => {
    const nested = (levels: number): JsonSchema =>
      levels === 0 ? text : { type: "object", properties: { a: nested(levels - 1) } };
    const lines = memberLines(nested(12), resolve);
    expect(lines).toHaveLength(8);
    expect(lines.at(-1)).toBe(`${"  ".repeat(8)}a  (object, optional)`);
    const nestedAlternatives: JsonSchema = { type: "object", properties: { a: { oneOf: [nested(9), nested(10)] } } };
    expect(memberLines(nestedAlternatives, resolve).filter((line) => line.startsWith("  ".repeat(9)))).toEqual([]);
  });
});

it.each([
  ["", ""],
  [" a ", "a"],
  ["a\nb", "a b"],
  ["a  \n\n  b\tc", "a b\tc"],
])("%j is %j in one line", (given, line) => expect(oneLine(given)).toBe(line));
