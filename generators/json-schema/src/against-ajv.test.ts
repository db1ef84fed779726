// Compares the types of random schemas with the results of ajv for the same schemas.
import { Ajv2020 } from "ajv/dist/2020.js";
import {
  type Arbitrary,
  assert,
  constant,
  constantFrom,
  letrec,
  oneof,
  pre,
  property,
  record,
  uniqueArray,
} from "fast-check";
import type { JsonValue } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { readSchemas } from "./testing/read-schemas.ts";

const names = ["a", "b", "x-c"] as const;
const name = constantFrom(...names);

const values: Arbitrary<JsonValue> = letrec<{ value: JsonValue }>((tie) => ({
  value: oneof(
    { maxDepth: 3, withCrossShrink: true },
    constantFrom<JsonValue>(null, true, false, 0, 1, 2, 2.5, "", "a", "ab", "x-c"),
    record({ a: tie("value"), b: tie("value"), "x-c": tie("value") }, { requiredKeys: [] }),
    uniqueArray(tie("value"), { maxLength: 3, comparator: () => false }),
  ),
})).value;

type Schema = boolean | { readonly [keyword: string]: unknown };

/**
 * Schemas with random nested conditions and references to two other schemas. `contains` and `unevaluatedItems` are left out: ajv accepts
 * the empty array where `prefixItems` is next to `contains`, and counts items as evaluated that alternatives evaluated without matching.
 */
const schemas: Arbitrary<Schema> = letrec<{ schema: Schema }>((tie) => {
  const schema = tie("schema");
  const byName = record({ a: schema, b: schema }, { requiredKeys: [] });
  const several = uniqueArray(schema, { minLength: 1, maxLength: 3, comparator: () => false });
  const count = constantFrom(0, 1, 2);
  const someNames = uniqueArray(name, { maxLength: 2 });
  const keywords = {
    type: oneof(
      constantFrom("null", "boolean", "string", "number", "integer", "array", "object"),
      uniqueArray(constantFrom("null", "string", "integer", "number", "array", "object"), { minLength: 1 }),
    ),
    enum: uniqueArray(values, { minLength: 1, maxLength: 4, selector: (value) => JSON.stringify(value) }),
    const: values,
    minLength: count,
    maxLength: count,
    pattern: constantFrom("^a", "b$", "^x-"),
    minimum: count,
    exclusiveMaximum: count,
    multipleOf: constantFrom(1, 0.5, 2),
    prefixItems: several,
    items: schema,
    minItems: count,
    maxItems: count,
    uniqueItems: constantFrom(true, false),
    properties: byName,
    patternProperties: record({ "^x-": schema, b: schema }, { requiredKeys: [] }),
    additionalProperties: schema,
    propertyNames: schema,
    required: someNames,
    minProperties: count,
    maxProperties: count,
    dependentRequired: record({ a: someNames, b: someNames }, { requiredKeys: [] }),
    dependentSchemas: byName,
    allOf: several,
    anyOf: several,
    oneOf: several,
    not: schema,
    if: schema,
    ["then" as string]: schema,
    else: schema,
    unevaluatedProperties: schema,
    $ref: constantFrom("#/components/A", "#/components/B"),
  };
  const some = uniqueArray(constantFrom(...Object.keys(keywords)), { minLength: 1, maxLength: 4 }).chain((chosen) =>
    record(Object.fromEntries(Object.entries(keywords).filter(([keyword]) => chosen.includes(keyword)))),
  );
  return { schema: oneof({ maxDepth: 3, depthSize: "small" }, constant(true), constant(false), some, some, some) };
}).schema;

/** Returns a value as JSON would have it: records of fast-check have no prototype, which ajv's equality requires. */
function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}

/** Returns the result of ajv. Its code for `unevaluatedProperties` around alternatives may throw a TypeError: there is no result then. */
function resultOf(validate: () => unknown): unknown {
  try {
    return validate();
  } catch {
    return undefined;
  }
}

/**
 * Returns whether ajv may depart from JSON Schema 2020-12, section 10.2.2.1: it ignores members that an `if` without `then` evaluates, and
 * counts those that an `if` evaluates without matching. The JSON Schema Test Suite covers both.
 */
function combinesConditions(schema: Schema): boolean {
  const text = JSON.stringify(schema);
  return text.includes('"if":') && text.includes('"unevaluatedProperties":');
}

/** Referenced schemas. They contain no circular references, which the reader would reject. */
const components = {
  A: { type: "object", properties: { a: { type: "integer" }, b: { $ref: "#/components/B" } }, required: ["a"] },
  B: { anyOf: [{ properties: { a: { const: 1 } } }, { type: "array", prefixItems: [{ type: "string" }] }] },
};

describe("a random schema", () => {
  it("accepts and refuses what ajv does", () => {
    assert(
      property(schemas, uniqueArray(values, { minLength: 1, maxLength: 8 }), (schema, samples) => {
        pre(!combinesConditions(schema));
        const document = plain({ schema, components });
        const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
        ajv.addSchema({ $id: "https://api.example/document.json", ...document });
        const validate = ajv.getSchema("https://api.example/document.json#/schema");
        const { accepts } = readSchemas(document);
        for (const value of plain(samples)) {
          const expected = resultOf(() => validate?.(value));
          if (expected !== undefined) expect([value, accepts(value)]).toEqual([value, expected]);
        }
      }),
      { numRuns: 300 },
    );
  });
});
