import type { TypeNode } from "@nodewright/api-model";
import type { NamedTypes } from "./named-types.ts";
// Values generated from particular types.
import { describe, expect, it } from "vitest";
import { boundaryValuesOf } from "./boundary-values.ts";
import { flatTypeOf } from "./flat-type.ts";
import { patternText } from "./pattern-text.ts";
import { isValueOf } from "./violations.ts";
import { createRandom } from "./random.ts";
import { sampleOf } from "./sample-value.ts";
import { invalidValuesOf } from "./invalid-values.ts";

const types: NamedTypes = {};
const random = createRandom("made values");
const percent: TypeNode = { kind: "number", integer: true, minimum: 1, maximum: 100 };
const order: TypeNode = {
  kind: "record",
  additional: { kind: "never" },
  members: [
    { name: "ship", required: true, type: { kind: "string", pattern: "^[A-Z]{3}-[0-9]{2}$" } },
    { name: "crew", required: false, type: percent },
    { name: "id", required: true, access: "read-only", type: { kind: "number", integer: true } },
  ],
};

function boundaries(type: TypeNode): Readonly<Record<string, unknown>> {
  return Object.fromEntries(boundaryValuesOf(type, types, random).map(({ name, value }) => [name, value]));
}

function wrong(type: TypeNode, base: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(invalidValuesOf(type, types, base).map(({ name, value }) => [name, value]));
}

describe("a sample", () => {
  it("is what the description shows, where that is of the type", () => {
    expect(sampleOf({ ...percent, examples: [500, 40] }, types, random)).toBe(40);
    expect(sampleOf({ ...percent, default: 25 }, types, random)).toBe(25);
  });

  it("is none of a format that nobody knows, but for what the description shows", () => {
    const numeric: TypeNode = { kind: "string", format: "numeric", minLength: 1, maxLength: 9 };
    const either: TypeNode = { kind: "union", mode: "any-of", members: [numeric, percent] };
    expect(sampleOf(numeric, types, random)).toBeUndefined();
    expect(sampleOf({ ...numeric, examples: ["12"] }, types, random)).toBe("12");
    expect(boundaries(numeric)).toEqual({});
    expect(Object.values(boundaries(either)).filter((value) => typeof value === "string")).toEqual([]);
    expect(typeof sampleOf({ ...numeric, format: "password" }, types, random)).toBe("string");
  });

  it.each([
    ["ISO8601DateTime", /^\d{4}-\d{2}-\d{2}T[\d:]{8}Z$/],
    ["LocalDate", /^\d{4}-\d{2}-\d{2}$/],
    ["GUID", /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/],
    ["EmailAddress", /^\w+@example\.com$/],
  ])("is of the format that a scalar named %s has", (format, form) => {
    expect(sampleOf({ kind: "string", format }, types, random)).toMatch(form);
  });

  it("has the members that are required in a request, and no others", () => {
    const sample = sampleOf(order, types, random);
    expect(Object.keys(sample as object)).toEqual(["ship"]);
  });

  it("is found where types are combined", () => {
    const combined: TypeNode = {
      kind: "intersection",
      members: [
        { kind: "record", members: [{ name: "kind", required: true, type: { kind: "string", minLength: 2 } }] },
        {
          kind: "union",
          mode: "one-of",
          members: ["cat", "dog"].map((kind) => ({
            kind: "record",
            members: [
              { name: "kind", required: true, type: { kind: "enumeration", values: [kind] } },
              { name: kind, required: true, type: percent },
            ],
          })),
        },
        { kind: "not", type: { kind: "record", members: [{ name: "cat", required: true, type: { kind: "any" } }] } },
      ],
    };
    expect(sampleOf(combined, types, random)).toEqual({ kind: "dog", dog: 1 });
  });

  it("ends where a type holds itself, and is none where nothing is of the type", () => {
    const recursive: NamedTypes = {
      Ship: {
        kind: "record",
        members: [
          { name: "boats", required: true, type: { kind: "list", element: { kind: "reference", target: "Ship" } } },
        ],
      },
      Endless: {
        kind: "record",
        members: [{ name: "next", required: true, type: { kind: "reference", target: "Endless" } }],
      },
    };
    expect(sampleOf({ kind: "reference", target: "Ship" }, recursive, random)).toBeDefined();
    expect(sampleOf({ kind: "reference", target: "Endless" }, recursive, random)).toBeUndefined();
    expect(sampleOf({ kind: "never" }, types, random)).toBeUndefined();
  });
});

describe("a text for a pattern", () => {
  it.each([
    "^[0-9a-f]{64}$",
    "^(?:cat|dog)s?$",
    "^\\d+(\\.\\d{1,8})?$",
    "^(\\w)\\1-[^a-z]$",
    "^\\p{Lu}\\p{Ll}+$",
    "^0x([1-9a-f]+[0-9a-f]*|0)$",
    "^[\\w.+-]+@[\\w-]+\\.[a-z]{2,}$",
    "^\\u{1F30D}.$",
    "[^\\s]",
    "^(?<year>\\d{4})-(0[1-9]|1[0-2])$",
  ])("is one that it matches: %s", (pattern) => {
    for (const stretch of [0, 0.3, 1]) {
      const text = patternText(pattern, { random, stretch, most: 12 });
      expect(isValueOf({ kind: "string", pattern }, text, {}, "request")).toBe(true);
    }
  });

  it("is none for what is no pattern", () => {
    expect(patternText("(", { random, stretch: 0, most: 1 })).toBeUndefined();
  });
});

describe("boundary values", () => {
  it("are the lowest and highest numbers, and those next to them", () => {
    expect(boundaries(percent)).toEqual({ minimum: 1, maximum: 100, "above-minimum": 2, "below-maximum": 99 });
    const fee: TypeNode = { kind: "number", integer: false, exclusiveMinimum: 0, maximum: 1, multipleOf: 0.01 };
    expect(boundaries(fee)).toMatchObject({ "above-exclusive-minimum": 0.01, maximum: 1 });
  });

  it("are each listed value, null where it is allowed, and each alternative", () => {
    const type: TypeNode = {
      kind: "union",
      mode: "any-of",
      members: [percent, { kind: "enumeration", values: ["all", "none"] }, { kind: "null" }],
    };
    expect(boundaries(type)).toMatchObject({
      "arm-1": 1,
      "arm-2": "all",
      null: null,
      "arm-1-maximum": 100,
      "arm-2-value-none": "none",
    });
  });

  it("are texts of the least and greatest length, and none that is longer than anybody has to take", () => {
    const found = boundaries({ kind: "string", minLength: 2, maxLength: 30 });
    expect([String(found["shortest"]).length, String(found["longest"]).length]).toEqual([2, 30]);
    const long = boundaries({ kind: "string", maxLength: 1_000_000 });
    expect(String(long["long"])).toHaveLength(4096);
    expect(Object.values(boundaries({ kind: "string" }))).toEqual([""]);
  });

  it("leave out and add each member that may be left out", () => {
    const found = boundaries(order);
    expect(Object.keys(found["fewest-members"] as object)).toEqual(["ship"]);
    expect(Object.keys(found["all-members"] as object)).toEqual(["ship", "crew"]);
    expect(found["crew-maximum"]).toMatchObject({ crew: 100 });
  });

  it("are lists with the fewest and most items", () => {
    const found = boundaries({ kind: "list", element: percent, minItems: 1, maxItems: 4, uniqueItems: true });
    expect(found["fewest-items"]).toHaveLength(1);
    expect(found["most-items"]).toHaveLength(4);
  });
});

describe("wrong values", () => {
  it("break each bound, and then the kind", () => {
    const found = invalidValuesOf(percent, types, 5);
    expect(found.slice(0, 3)).toEqual([
      { name: "below-minimum", value: 0, keyword: "minimum" },
      { name: "above-maximum", value: 101, keyword: "maximum" },
      { name: "fraction", value: 5.5, keyword: "type" },
    ]);
    expect(wrong(percent, 5)).toMatchObject({ "number-as-text": "5", null: null, text: "text", boolean: true });
  });

  it("are made from a value of the type, which loses one thing", () => {
    const found = wrong(order, { ship: "ABC-12", crew: 3 });
    expect(found).toMatchObject({
      "without-ship": { crew: 3 },
      "unexpected-member": { ship: "ABC-12", crew: 3, unexpectedMember: "text" },
      "ship-cut": { ship: "ABC-1", crew: 3 },
      "ship-other-case": { ship: "abc-12", crew: 3 },
      "crew-above-maximum": { ship: "ABC-12", crew: 101 },
      "crew-null": { ship: "ABC-12", crew: null },
    });
    expect(found["without-crew"]).toBeUndefined();
  });

  it("are no values of another alternative", () => {
    const type: TypeNode = { kind: "union", mode: "any-of", members: [percent, { kind: "string" }, { kind: "null" }] };
    const values = Object.values(wrong(type, 5));
    expect(values.filter((value) => typeof value === "string" || value === null)).toEqual([]);
    expect(values).toContain(101);
  });

  it("know the keyword and the place of what they break", () => {
    const type: TypeNode = {
      kind: "list",
      minItems: 1,
      maxItems: 2,
      uniqueItems: true,
      element: { ...percent, place: "8:3" },
      place: "7:1",
    };
    const found = new Map(invalidValuesOf(type, types, [5]).map((one) => [one.name, one]));
    expect(found.get("too-few-items")).toEqual({ name: "too-few-items", value: [], keyword: "minItems", place: "7:1" });
    expect(found.get("too-many-items")).toMatchObject({ keyword: "maxItems" });
    expect(found.get("equal-items")).toMatchObject({ value: [5, 5], keyword: "uniqueItems" });
    expect(found.get("item-above-maximum")).toMatchObject({ value: [101], keyword: "maximum", place: "8:3" });
  });
});

describe("a flat type", () => {
  it("has the narrower of two bounds, and the members of both objects", () => {
    const type: TypeNode = {
      kind: "intersection",
      members: [
        { kind: "record", members: [{ name: "a", required: false, type: percent }] },
        {
          kind: "record",
          members: [{ name: "a", required: true, type: { kind: "number", integer: false, maximum: 9 } }],
          additional: { kind: "never" },
        },
      ],
    };
    const flat = flatTypeOf(type, types);
    const [member] = flat.kind === "record" ? flat.members : [];
    expect(member?.required).toBe(true);
    expect(member && flatTypeOf(member.type, types)).toMatchObject({ integer: true, minimum: 1, maximum: 9 });
  });
});
