import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certainlyMeetsMetaSchema } from "./meta-schema.ts";

const { default: validate } = createRequire(import.meta.url)(
  "@open-rpc/schema-utils-js/build/validate-open-rpc-document.js",
) as { readonly default: (document: unknown) => unknown };

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** A document that uses what the meta-schema knows. */
const whole = (version: string): Json => ({
  openrpc: version,
  info: {
    title: "Pets",
    version: "1",
    contact: { name: "A", email: "a@example.com", url: "https://example.com" },
    license: { name: "MIT" },
  },
  servers: [{ url: "https://example.com", name: "main", variables: { port: { default: "1", enum: ["1"] } } }],
  methods: [
    {
      name: "getPet",
      tags: [{ name: "pets" }],
      paramStructure: "by-name",
      params: [{ $ref: "#/components/contentDescriptors/Id" }],
      result: { name: "pet", schema: { $ref: "#/components/schemas/Pet" } },
      errors: [{ code: 1, message: "gone" }, { $ref: "#/components/errors/Broken" }],
      links: [{ name: "self", method: "getPet", params: { id: "$params.id" } }],
      examples: [{ name: "one", params: [{ name: "id", value: 1 }], result: { name: "pet", value: { id: 1 } } }],
      "x-own": { anything: [1] },
    },
    { $ref: "#/components/x" },
  ],
  components: {
    schemas: {
      Pet: {
        type: "object",
        required: ["id"],
        properties: {
          id: { type: ["integer", "null"], minimum: 0, enum: [1, 2] },
          name: { type: "string", pattern: "^a+$", minLength: 1 },
        },
        patternProperties: { "^x": true },
        dependencies: { id: ["name"] },
        items: [{ anyOf: [true, { const: 1 }] }],
      },
    },
    contentDescriptors: { Id: { name: "id", required: true, schema: { type: "integer" } } },
    errors: { Broken: { code: 2, message: "broken", data: {} } },
  },
  externalDocs: { url: "https://example.com" },
});

interface Place {
  readonly holder: { [key: string]: Json };
  readonly key: string;
}

function placesIn(value: Json): readonly Place[] {
  if (typeof value !== "object" || value === null) return [];
  const holder = value as { [key: string]: Json };
  return Object.entries(holder).flatMap(([key, member]) => [{ holder, key }, ...placesIn(member)]);
}

const put = fc.oneof(
  fc.constantFrom<Json>(
    "",
    "a b",
    "#",
    "a#b#c",
    "http://",
    "[",
    "\\Z",
    "null",
    -1,
    0.5,
    null,
    true,
    [],
    {},
    [1, 1],
    [{}, {}],
  ),
  fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Json>,
);

describe("the meta-schema, read as it stands", () => {
  it("is met by a whole document of each version, without a doubt", () => {
    const documents = ["1.0.0", "1.2.6", "1.3.2", "1.4.1"].map(whole);
    expect(documents.map(certainlyMeetsMetaSchema)).toEqual(documents.map(() => true));
  });

  it("is met for certain by no document that the validator refuses", () => {
    const changes = fc.array(fc.tuple(fc.nat(), put, fc.constantFrom("replace", "add", "remove")), {
      minLength: 1,
      maxLength: 2,
    });
    let accepted = 0;
    fc.assert(
      fc.property(fc.constantFrom("1.3.2", "1.4.1"), changes, (version, edits) => {
        const document = structuredClone(whole(version));
        for (const [at, value, kind] of edits) {
          const places = placesIn(document);
          const place = places[at % places.length];
          if (place === undefined) continue;
          if (kind === "replace") place.holder[place.key] = value;
          else if (kind === "remove" && !Array.isArray(place.holder)) delete place.holder[place.key];
          else if (!Array.isArray(place.holder)) place.holder["unknown"] = value;
        }
        if (!certainlyMeetsMetaSchema(document)) return;
        accepted += 1;
        expect(validate(structuredClone(document))).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  it("is not read for a document that extends it, nor for what is none", () => {
    const extended = { ...(whole("1.3.2") as object), "x-extensions": [] };
    expect([extended, null, [], { openrpc: 1 }].map(certainlyMeetsMetaSchema)).toEqual([false, false, false, false]);
  });
});
