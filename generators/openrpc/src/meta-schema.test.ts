import { createRequire } from "node:module";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { certainlyMeetsMetaSchema } from "./meta-schema.ts";

const { default: validate } = createRequire(import.meta.url)(
  "@open-rpc/schema-utils-js/build/validate-open-rpc-document.js",
) as { readonly default: (document: unknown) => unknown };

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Returns a document that uses all parts of the meta-schema. */
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

/** Returns the same document with extensions that it defines itself. */
const extended = (version: string): Json => {
  const document = whole(version) as { methods: Json[]; [name: string]: Json };
  const [method, ...others] = document.methods as [{ [name: string]: Json }, ...Json[]];
  return {
    ...document,
    "x-extensions": [
      {
        openrpcExtension: "0.0.0-development",
        name: "x-provoked-by",
        version: "1.0.0",
        summary: "Requests that fail so.",
        description: "Each has a name.",
        restricted: ["errorObject"],
        schema: {
          type: "array",
          items: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string" }, params: { type: "array" } },
          },
        },
      },
      {
        openrpcExtension: "0.0.0-development",
        name: "x-served-by",
        version: "1.0.0",
        required: false,
        restricted: ["methodObject", "examplePairingObject"],
        schema: { title: "Who", description: "Serves.", type: "string", enum: ["index", "node"] },
        externalDocumentation: { url: "https://example.com" },
      },
    ],
    methods: [
      {
        ...method,
        errors: [{ code: 1, message: "gone", "x-provoked-by": [{ name: "none", params: [0] }] }],
        examples: [{ name: "two", params: [], result: { name: "pet", value: {} }, "x-served-by": "node" }],
        "x-served-by": "index",
      },
      ...others,
    ],
  };
};

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
  it("is met by a complete document of each version, without a doubt", () => {
    const versions = ["1.0.0", "1.2.6", "1.3.2", "1.4.1"];
    const documents = [...versions.map(whole), ...versions.map(extended)];
    expect(documents.map(certainlyMeetsMetaSchema)).toEqual(documents.map(() => true));
  });

  it("is met for certain by no document that the validator refuses", () => {
    const changes = fc.array(fc.tuple(fc.nat(), put, fc.constantFrom("replace", "add", "remove")), {
      minLength: 1,
      maxLength: 2,
    });
    let accepted = 0;
    fc.assert(
      fc.property(
        fc.constantFrom(whole, extended),
        fc.constantFrom("1.3.2", "1.4.1"),
        changes,
        (make, version, edits) => {
          const document = structuredClone(make(version));
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
        },
      ),
      { numRuns: 300 },
    );
    expect(accepted).toBeGreaterThan(50);
  });

  it("is met for certain, with any one value replaced, only where the validator takes that", () => {
    const values: readonly Json[] = [null, "a b", "", 0.5, -1, true, {}, [{}], [1, 1]];
    const document = whole("1.3.2");
    const verdicts = { met: 0, other: 0 };
    for (const { holder, key } of placesIn(document)) {
      const { [key]: original = null } = holder;
      for (const value of values) {
        holder[key] = value;
        const isMet = certainlyMeetsMetaSchema(document);
        verdicts[isMet ? "met" : "other"] += 1;
        if (isMet) expect([key, value, validate(structuredClone(document))]).toEqual([key, value, true]);
      }
      holder[key] = original;
    }
    expect(verdicts.met).toBeGreaterThan(50);
    expect(verdicts.other).toBeGreaterThan(150);
  });

  const schemaDocument = (schema: Json): Json => ({
    openrpc: "1.3.2",
    info: { title: "a", version: "1" },
    methods: [],
    components: { schemas: { A: schema } },
  });

  it.each<[string, Json]>([
    ["a boolean", true],
    ["every type", { type: ["null", "boolean", "object", "array", "number", "string", "integer"] }],
    ["a step", { multipleOf: 0.5 }],
    ["counts", { minLength: 0, maxItems: 3 }],
    ["a pattern", { pattern: "^[a-z]+\\z$" }],
    ["a reference with a fragment", { $ref: "#/components/schemas/B" }],
    ["a reference to a file", { $ref: "parts/a~b-c.json#/a:b" }],
    ["an identifier", { $id: "https://a.example/b-c/d.json" }],
    ["names that all objects have", { properties: { constructor: {}, toString: true } }],
    ["required names", { required: ["a", "b"] }],
    ["alternatives", { anyOf: [{}], oneOf: [true], allOf: [{}] }],
    ["members of schemas or names", { dependencies: { a: ["b"], c: {} } }],
    ["first items", { items: [{}, true] }],
    ["listed values", { enum: [1, "a", null] }],
    ["annotations", { title: "a", description: "b", default: { a: 1 }, examples: [1] }],
    ["members of nobody", { "x-own": { a: 1 }, another: 1 }],
  ])("is met by a schema with %s", (_what, schema) => {
    expect(certainlyMeetsMetaSchema(schemaDocument(schema))).toBe(true);
    expect(validate(structuredClone(schemaDocument(schema)))).toBe(true);
  });

  it.each<[string, Json]>([
    ["a number for it", 1],
    ["an unknown type", { type: "file" }],
    ["a type twice", { type: ["string", "string"] }],
    ["no types", { type: [] }],
    ["no step", { multipleOf: 0 }],
    ["a negative count", { minLength: -1 }],
    ["a count that is no integer", { maxItems: 0.5 }],
    ["a text for a count", { maxLength: "1" }],
    ["a broken pattern", { pattern: "[" }],
    ["a pattern of another language", { pattern: "a\\Z" }],
    ["a broken pattern among its members", { patternProperties: { "[": true } }],
    ["a broken schema among its members", { properties: { a: { type: 1 } } }],
    ["a broken schema among others", { patternProperties: { a: { type: 1 } } }],
    ["a broken schema for the rest", { additionalProperties: { type: 1 } }],
    ["a broken schema among the first items", { items: [{ type: 1 }] }],
    ["a broken alternative", { anyOf: [{ type: 1 }] }],
    ["no alternatives", { oneOf: [] }],
    ["a name twice", { required: ["a", "a"] }],
    ["a name that is no text", { required: [1] }],
    ["a title that is no text", { title: 1 }],
    ["a flag that is a text", { uniqueItems: "true" }],
    ["a reference with spaces", { $ref: "a b" }],
    ["members that are a list", { properties: [] }],
    ["dependencies of numbers", { dependencies: { a: 1 } }],
  ])("is not met for certain by a schema with %s", (_what, schema) => {
    expect(certainlyMeetsMetaSchema(schemaDocument(schema))).toBe(false);
  });

  it.each([
    "http://a.example",
    "https://a.example:80/b/c.d~e-f",
    "https://a.example/#",
    "https://a.example#b/c:d.e~f-g",
  ])("is met for certain by documentation at %s", (url) => {
    const document = { ...(whole("1.3.2") as object), externalDocs: { url } };
    expect([certainlyMeetsMetaSchema(document), validate(structuredClone(document))]).toEqual([true, true]);
  });

  it.each([
    "",
    "https://",
    "ftp://a.example",
    "httpss://a.example",
    "x https://a.example",
    "https://a.example b",
    "https://a.example#b#c",
    "https://a.example#b c",
    "https://a.example?b",
  ])("is left to the validator where documentation is at %s", (url) => {
    expect(certainlyMeetsMetaSchema({ ...(whole("1.3.2") as object), externalDocs: { url } })).toBe(false);
  });

  it.each(["", "#", "#/a/b", "a.json", "./a/b-c.json#/d~1e", "#a:b", "https://a.example/b#/c"])(
    "is met for certain by a reference to %s",
    ($ref) => {
      expect(certainlyMeetsMetaSchema(schemaDocument({ $ref }))).toBe(true);
      expect(validate(schemaDocument({ $ref }))).toBe(true);
    },
  );

  it.each(["a b", "a#b#c", "a#b c", "%41", "a?b", " #a"])("is left to the validator by a reference to %s", ($ref) => {
    expect(certainlyMeetsMetaSchema(schemaDocument({ $ref }))).toBe(false);
  });

  it.each<[string, Json]>([
    ["a number of steps", { multipleOf: 0.01 }],
    ["a count of nothing", { minItems: 0, maxProperties: 0 }],
    ["a limit below zero", { minimum: -1, exclusiveMaximum: -0.5 }],
    ["one character", { title: "a", description: "" }],
    ["values that differ", { enum: [1, "1", true, null] }],
    ["names that are patterns", { patternProperties: { "^a(b|c)+$": {}, "": false } }],
    ["names that are schemas", { propertyNames: { pattern: "a" }, definitions: { $ref: true } }],
    ["a condition", { if: {}, else: false, not: { type: "null" } }],
    ["one schema for items", { items: { items: [true], additionalItems: false, contains: {} } }],
  ])("is met for certain by %s", (_what, schema) => {
    expect(validate(schemaDocument(schema))).toBe(true);
    expect(certainlyMeetsMetaSchema(schemaDocument(schema))).toBe(true);
  });

  it.each<[string, Json]>([
    ["equal values", { enum: [1, 1] }],
    ["no values", { enum: [] }],
    ["no first items", { items: [] }],
    ["equal objects", { enum: [{}, {}] }],
    ["equal lists", { enum: [[1], [1]] }],
    ["a step of nothing", { multipleOf: 0 }],
    ["a step that is a text", { multipleOf: "1" }],
    ["half a count", { minProperties: 1.5 }],
    ["a count that is null", { maxItems: null }],
    ["a flag that is a number", { uniqueItems: 1 }],
    ["a flag that is a text", { readOnly: "no" }],
    ["a name that is no pattern", { patternProperties: { "(": true } }],
    ["a list of names that are none", { required: "a" }],
    ["a dependency of one name twice", { dependencies: { a: ["b", "b"] } }],
    ["a condition that is none", { if: 1 }],
    ["definitions that are a list", { definitions: [] }],
    ["definitions that are none", { definitions: { a: 1 } }],
    ["a comment that is a number", { $comment: 1 }],
    ["examples that are none", { examples: {} }],
    ["a format that is a number", { format: 1 }],
    ["a type of a type", { type: { type: "string" } }],
    ["types that are none", { type: ["string", "text"] }],
  ])("is not met for certain by %s", (_what, schema) => {
    expect(certainlyMeetsMetaSchema(schemaDocument(schema))).toBe(false);
  });

  it.each<[string, (document: { [name: string]: Json }) => void]>([
    ["whose title is empty", (one) => Object.assign(one, { info: { title: 1, version: "1" } })],
    ["with a method whose name is empty", (one) => Object.assign(one, { methods: [{ name: "", params: [] }] })],
    [
      "with a server whose name is empty",
      (one) => Object.assign(one, { servers: [{ url: "http://a.example", name: 5 }] }),
    ],
    ["with a method of another member", (one) => Object.assign(one, { methods: [{ name: "a", params: [], own: 1 }] })],
    ["with a reference beside others", (one) => Object.assign(one, { methods: [{ $ref: "#/a", name: "b" }] })],
    ["with a reference that is a number", (one) => Object.assign(one, { methods: [{ $ref: 1 }] })],
    [
      "with a parameter without a schema",
      (one) => Object.assign(one, { methods: [{ name: "a", params: [{ name: "b" }] }] }),
    ],
    [
      "with half an error code",
      (one) => Object.assign(one, { components: { errors: { a: { code: 1.5, message: "b" } } } }),
    ],
    ["with components that are a list", (one) => Object.assign(one, { components: [] })],
    ["with a schema with other signs in its name", (one) => Object.assign(one, { components: { schemas: { a: 1 } } })],
    ["without information", (one) => delete one["info"]],
    ["without methods", (one) => delete one["methods"]],
    ["without a version", (one) => delete one["openrpc"]],
    ["of an unknown version", (one) => Object.assign(one, { openrpc: "2.0.0" })],
    ["with an unknown member", (one) => Object.assign(one, { unknown: 1 })],
    ["with methods that are none", (one) => Object.assign(one, { methods: {} })],
    ["with a server without a URL", (one) => Object.assign(one, { servers: [{ name: "a" }] })],
    ["with a URL that may be none", (one) => Object.assign(one, { servers: [{ url: 1 }] })],
    ["with other documentation at no URL", (one) => Object.assign(one, { externalDocs: { url: "a b" } })],
    ["with a method without a name", (one) => Object.assign(one, { methods: [{ params: [] }] })],
    [
      "with an unknown structure",
      (one) => Object.assign(one, { methods: [{ name: "a", params: [], paramStructure: "b" }] }),
    ],
    [
      "with an error without a code",
      (one) => Object.assign(one, { methods: [{ name: "a", params: [], errors: [{ message: "b" }] }] }),
    ],
    [
      "with an error code that is a text",
      (one) => Object.assign(one, { components: { errors: { a: { code: "1", message: "b" } } } }),
    ],
  ])("is not met for certain by a document %s", (_what, change) => {
    for (const version of ["1.3.2", "1.4.1"]) {
      const document = structuredClone(whole(version)) as { [name: string]: Json };
      change(document);
      expect(certainlyMeetsMetaSchema(document)).toBe(false);
    }
  });

  it("is not met for certain by members that are not as announced, nor by ones announced for other objects", () => {
    const document = extended("1.3.2") as Readonly<Record<string, Json>>;
    const text = JSON.stringify(document);
    const changed = [
      text.replace('"x-served-by":"node"', '"x-served-by":"peer"'),
      text.replace('[{"name":"none","params":[0]}]', '[{"params":[0]}]'),
      text.replace('"restricted":["errorObject"]', '"restricted":["tagObject"]'),
    ];
    expect(changed).not.toContain(text);
    expect(changed.map((each) => certainlyMeetsMetaSchema(JSON.parse(each)))).toEqual([false, false, false]);
    expect(changed.map((each) => validate(JSON.parse(each)) === true)).toEqual([false, false, false]);
  });

  it("leaves announcements that a validator refuses, or that only it reads, to the validator", () => {
    const { "x-extensions": extensions, ...document } = extended("1.3.2") as {
      "x-extensions": { [name: string]: Json }[];
    };
    const [extension = {}] = extensions;
    const changes: readonly { [name: string]: Json }[] = [
      { restricted: ["nothing"] },
      { restricted: ["errorObject", "errorObject"] },
      { name: "own" },
      { version: 1 },
      { schema: true },
      { schema: { type: "array", maxItems: 3 } },
      { schema: { $ref: "#/definitions/JSONSchema" } },
      { schema: { items: { format: "none" } } },
      { schema: { properties: { name: { pattern: "[" } } } },
      { schema: { properties: { first: { type: "string" }, name: { maxLength: 5 } } } },
      { schema: { properties: { name: { maxLength: 5 }, last: { type: "string" } } } },
      { schema: { items: { items: { maxItems: 5 } } } },
      { schema: { title: "a", additionalProperties: false } },
      { restricted: [], name: 5 },
    ];
    const { restricted: _, ...unrestricted } = extension;
    const documents = [unrestricted, ...changes.map((change) => ({ ...extension, ...change }))].map((each) => ({
      ...document,
      "x-extensions": [each],
    }));
    expect(documents.map(certainlyMeetsMetaSchema)).toEqual(documents.map(() => false));
    // Two extensions of the same name, for the same objects.
    expect(certainlyMeetsMetaSchema({ ...document, "x-extensions": [extension, extension] })).toBe(false);
  });

  it("is not read for what is no document", () => {
    for (const document of [null, [], "1.3.2", 1, { openrpc: 1 }, { openrpc: null }, {}])
      expect([document, certainlyMeetsMetaSchema(document)]).toEqual([document, false]);
  });

  it.each(["1.3.2", "1.4.1"])("of version %s is met by announcements of every plain keyword", (version) => {
    const { "x-extensions": extensions, ...document } = extended(version) as { "x-extensions": Json[] };
    const own = {
      openrpcExtension: "0.0.0-development",
      name: "x-own",
      version: "1.0.0",
      restricted: ["tagObject"],
      schema: {
        title: "Own",
        description: "Our own.",
        type: "array",
        items: {
          type: "object",
          required: ["a"],
          properties: { a: { enum: ["b"] }, c: { items: { type: "string" } } },
        },
      },
    };
    const withOwn = (tag: Json, announced: Json = own): Json =>
      ({
        ...document,
        "x-extensions": [...extensions, announced],
        methods: [{ name: "a", params: [], result: { name: "r", schema: true }, tags: [{ name: "t", "x-own": tag }] }],
      }) as unknown as Json;
    expect(certainlyMeetsMetaSchema(withOwn([{ a: "b", c: ["d"] }]))).toBe(true);
    expect(validate(structuredClone(withOwn([{ a: "b", c: ["d"] }])))).toBe(true);
    for (const tag of [{}, [{}], [{ a: "c" }], [{ a: "b", c: [1] }], [1]])
      expect([tag, certainlyMeetsMetaSchema(withOwn(tag as Json))]).toEqual([tag, false]);
    const unrestricted = withOwn(1, { ...own, restricted: [] });
    expect([certainlyMeetsMetaSchema(unrestricted), validate(structuredClone(unrestricted))]).toEqual([true, true]);
  });
});
