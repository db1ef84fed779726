// Values generated from any type, checked against it.
import { canonicalText, type RecordMember, type TypeNode } from "@nodewright/api-model";
import type { NamedTypes } from "./named-types.ts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundaryValuesOf } from "./boundary-values.ts";
import { createRandom } from "./random.ts";
import { randomValueOf } from "./random-value.ts";
import { sampleOf } from "./sample-value.ts";
import { shrinkValue } from "./shrink-value.ts";
import { isValueOf } from "./violations.ts";
import { invalidValuesOf } from "./invalid-values.ts";

const types: NamedTypes = {
  Hash: { kind: "string", pattern: "^[0-9a-f]{64}$" },
  Tree: {
    kind: "record",
    members: [
      { name: "value", required: true, type: { kind: "number", integer: true } },
      { name: "children", required: false, type: { kind: "list", element: { kind: "reference", target: "Tree" } } },
    ],
  },
};

const patterns = [
  "^[0-9a-f]{64}$",
  "^(cat|dog)-\\d{1,3}$",
  "^0x([1-9a-f][0-9a-f]*|0)$",
  "[A-Z]",
  "^\\p{L}+$",
  "^\\w+@\\w+$",
];

const texts: fc.Arbitrary<TypeNode> = fc.oneof(
  fc
    .record({ least: fc.nat(5), more: fc.nat(300) })
    .map(({ least, more }): TypeNode => ({ kind: "string", minLength: least, maxLength: least + more })),
  fc.constantFrom(...patterns).map((pattern): TypeNode => ({ kind: "string", pattern })),
  fc
    .constantFrom("date-time", "date", "uuid", "uri", "email", "ipv4", "ipv6", "byte")
    .map((format): TypeNode => ({ kind: "string", format })),
);

const numbers: fc.Arbitrary<TypeNode> = fc
  .record({
    integer: fc.boolean(),
    low: fc.integer({ min: -1000, max: 1000 }),
    span: fc.nat(1000),
    isExclusive: fc.boolean(),
    multipleOf: fc.option(fc.constantFrom(2, 5, 0.5, 0.01), { nil: undefined }),
  })
  .map(
    ({ integer, low, span, isExclusive, multipleOf }): TypeNode => ({
      kind: "number",
      integer,
      ...(isExclusive ? { exclusiveMinimum: low } : { minimum: low }),
      ...(isExclusive ? { exclusiveMaximum: low + span + 20 } : { maximum: low + span + 20 }),
      ...(multipleOf === undefined ? {} : { multipleOf }),
    }),
  );

const plain: fc.Arbitrary<TypeNode> = fc.constantFrom<TypeNode>(
  { kind: "null" },
  { kind: "boolean" },
  { kind: "enumeration", values: ["asc", "desc", 3] },
  { kind: "number", integer: true, minimum: 0, maximum: 18446744073709551615n },
  { kind: "reference", target: "Hash" },
  { kind: "reference", target: "Tree" },
);

const { type: anyTypes } = fc.letrec<{ type: TypeNode; record: TypeNode }>((tie) => ({
  record: fc
    .record({
      members: fc.uniqueArray(
        fc.record({
          name: fc.constantFrom("id", "name", "size", "__proto__", "a b", "tag"),
          required: fc.boolean(),
          type: tie("type"),
          access: fc.constantFrom("read-only" as const, "write-only" as const, undefined, undefined, undefined),
        }),
        { selector: ({ name }) => name, maxLength: 4 },
      ),
      isClosed: fc.boolean(),
    })
    .map(
      ({ members, isClosed }): TypeNode => ({
        kind: "record",
        members: members.map(
          ({ access, ...member }): RecordMember => (access === undefined ? member : { ...member, access }),
        ),
        additional: { kind: isClosed ? "never" : "any" },
      }),
    ),
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    texts,
    numbers,
    plain,
    tie("record"),
    fc
      .record({ element: tie("type"), least: fc.nat(2), more: fc.nat(3) })
      .map(
        ({ element, least, more }): TypeNode => ({ kind: "list", element, minItems: least, maxItems: least + more }),
      ),
    fc
      .array(tie("type"), { minLength: 1, maxLength: 3 })
      .map((members): TypeNode => ({ kind: "union", mode: "any-of", members })),
    fc.tuple(tie("record"), tie("record")).map((members): TypeNode => ({ kind: "intersection", members })),
  ),
}));

const seeds = fc.string({ minLength: 1, maxLength: 8 });

function isValue(type: TypeNode, value: unknown): boolean {
  return isValueOf(type, value, types, "request");
}

/** Returns the size of a value; false counts as smaller than true. */
function sizeOf(value: unknown): number {
  return canonicalText(value).replaceAll("true", "truly").length;
}

describe("values made of a type", () => {
  it("are of the type, be they samples, random ones or those at its bounds", () => {
    fc.assert(
      fc.property(anyTypes, seeds, (type, seed) => {
        const random = createRandom(seed);
        const sample = sampleOf(type, types, random);
        const strange = randomValueOf(type, types, random);
        const boundaries = boundaryValuesOf(type, types, random);
        const made = [sample, strange].filter((value) => value !== undefined);
        for (const value of [...made, ...boundaries.map((one) => one.value)]) expect(isValue(type, value)).toBe(true);
        expect(new Set(boundaries.map(({ name }) => name)).size).toBe(boundaries.length);
        if (boundaries.length > 0) expect(sample).toBeDefined();
      }),
      { numRuns: 300 },
    );
  });

  it("are found for every type without contradictions", () => {
    const record: TypeNode = {
      kind: "record",
      members: patterns.map((pattern, index) => ({
        name: `m${index}`,
        required: true,
        type: { kind: "string", pattern },
      })),
    };
    for (const type of [record, ...Object.values(types)])
      expect(sampleOf(type, types, createRandom("1"))).toBeDefined();
    fc.assert(
      fc.property(fc.oneof(texts, numbers, plain), seeds, (type, seed) => {
        expect(sampleOf(type, types, createRandom(seed))).toBeDefined();
      }),
    );
  });

  it("are the same for the same seed, and others for another", () => {
    const type: TypeNode = { kind: "reference", target: "Hash" };
    expect(sampleOf(type, types, createRandom("1"))).toBe(sampleOf(type, types, createRandom("1")));
    expect(sampleOf(type, types, createRandom("1"))).not.toBe(sampleOf(type, types, createRandom("2")));
  });
});

describe("wrong values of a type", () => {
  it("are refused by it, each different, with names that are theirs alone", () => {
    fc.assert(
      fc.property(anyTypes, seeds, (type, seed) => {
        const wrong = invalidValuesOf(type, types, sampleOf(type, types, createRandom(seed)));
        for (const { value } of wrong) expect(isValue(type, value)).toBe(false);
        expect(new Set(wrong.map(({ name }) => name)).size).toBe(wrong.length);
        expect(new Set(wrong.map(({ value }) => canonicalText(value))).size).toBe(wrong.length);
      }),
      { numRuns: 300 },
    );
  });

  it("have the same names whatever value they are made from", () => {
    const type: TypeNode = {
      kind: "record",
      members: [
        { name: "hash", required: true, type: { kind: "reference", target: "Hash" } },
        { name: "size", required: true, type: { kind: "number", integer: true, minimum: 0, maximum: 9 } },
      ],
    };
    const namesFor = (seed: string): readonly string[] =>
      invalidValuesOf(type, types, sampleOf(type, types, createRandom(seed))).map(({ name }) => name);
    expect(namesFor("1")).toEqual(namesFor("2"));
  });
});

describe("shrinking", () => {
  it("ends at a value of the type that still fails and is no longer than the first", async () => {
    await fc.assert(
      fc.asyncProperty(anyTypes, seeds, fc.nat(40), async (type, seed, least) => {
        const value = randomValueOf(type, types, createRandom(seed));
        if (value === undefined) return;
        let asked = 0;
        const smallest = await shrinkValue(
          type,
          types,
          value,
          (candidate) => {
            asked += 1;
            expect(isValue(type, candidate)).toBe(true);
            return Promise.resolve(canonicalText(candidate).length >= least);
          },
          100,
        );
        expect(asked).toBeLessThanOrEqual(100);
        expect(isValue(type, smallest)).toBe(true);
        expect(sizeOf(smallest)).toBeLessThanOrEqual(sizeOf(value));
      }),
      { numRuns: 150 },
    );
  });

  it("finds the smallest number, text and list that fail", async () => {
    const shrunk = (type: TypeNode, value: unknown, fails: (value: unknown) => boolean): Promise<unknown> =>
      shrinkValue(type, types, value, (candidate) => Promise.resolve(fails(candidate)), 500);
    const integer: TypeNode = { kind: "number", integer: true, minimum: 3 };
    expect(await shrunk(integer, 8731, (value) => Number(value) > 1000)).toBe(1001);
    expect(await shrunk(integer, 8731, () => true)).toBe(3);
    const text: TypeNode = { kind: "string", minLength: 2 };
    expect(await shrunk(text, "some (text) here", (value) => String(value).includes("("))).toBe("a(");
    const list: TypeNode = { kind: "list", element: integer };
    expect(await shrunk(list, [5, 90, 17, 4], (value) => Array.isArray(value) && value.includes(17))).toEqual([17]);
  });
});
