// JSON Schema 2020-12, core, sections 8.2 and 9.1: targets of identifiers and references, and diagnostics for unresolved ones.
import { describe, expect, it } from "vitest";
import { documentName, type ReadingOfSchemas, readSchemas } from "./testing/read-schemas.ts";

const text = { type: "string" };

/** Returns each diagnostic of a document: pointer, code, message and hint. */
function saidOf(document: object, options: ReadingOfSchemas = {}): readonly string[] {
  return readSchemas(document, options).diagnostics.map(({ source, message }) => `${source.pointer} ${message}`);
}

/** Returns whether the schema of a document is a string schema and was read without diagnostics. */
function leadsToText(document: object, options: ReadingOfSchemas = {}): boolean {
  const { codes, accepts } = readSchemas(document, options);
  return codes.length === 0 && accepts("a") && !accepts(1);
}

describe("a reference that leads nowhere", () => {
  it.each<[unknown, string]>([
    ["#/nowhere", 'The reference "#/nowhere" leads nowhere: there is no "nowhere"'],
    ["#nowhere", `The reference "#nowhere" leads nowhere: there is no anchor "nowhere" in ${documentName}.`],
    ["#no%20where", `The reference "#no%20where" leads nowhere: there is no anchor "no where" in ${documentName}.`],
    ["#/%zz", 'The reference "#/%zz" leads nowhere: the fragment is not a JSON Pointer.'],
    [null, 'The reference "null" leads nowhere: it is not a string.'],
    [true, 'The reference "true" leads nowhere: it is not a string.'],
  ])("is reported with the reason: %j", ($ref, message) => {
    const said = saidOf({ schema: { $ref } });
    expect(said).toHaveLength(1);
    expect(said[0]).toContain(`/schema/$ref ${message}`);
  });

  it("names the resource in which an anchor is missing", () => {
    const said = saidOf({ schema: { $id: "https://own.example/a", $ref: "#nowhere" } });
    expect(said).toEqual([
      '/schema/$ref The reference "#nowhere" leads nowhere: there is no anchor "nowhere" in https://own.example/a.',
    ]);
  });

  it("names the identifier that it cannot be taken from", () => {
    expect(saidOf({ schema: { $id: "urn:own:a", $ref: "other" } })).toEqual([
      '/schema/$ref The reference "other" leads nowhere: it cannot be taken from urn:own:a.',
    ]);
  });

  it.each(["$dynamicRef", "$recursiveRef"])("is reported for %s as well", (keyword) => {
    expect(saidOf({ schema: { [keyword]: "#/nowhere" } })[0]).toContain(
      `/schema/${keyword} The reference "#/nowhere" leads nowhere`,
    );
  });

  it("is reported by its full spelling where it is on another machine", () => {
    expect(saidOf({ schema: { $ref: "https://elsewhere.example/a#/b" } })[0]).toContain(
      '"https://elsewhere.example/a#/b"',
    );
  });
});

describe("the root of a resource", () => {
  it.each(["", "#", documentName, `${documentName}#`])("is what %j leads to", ($ref) => {
    const { codes, accepts } = readSchemas({ schema: { $ref }, minProperties: 2, type: "object" });
    expect(codes.filter((code) => code !== "unknown-keyword")).toEqual([]);
    expect([accepts({ a: 1, b: 1 }), accepts({ a: 1 })]).toEqual([true, false]);
  });
});

describe("an identifier", () => {
  it("that two schemas share is reported for the second, with the place of the first", () => {
    const document = {
      schema: true,
      $defs: { a: { $id: "x" }, b: { $id: "x" }, c: { $anchor: "y" }, d: { $anchor: "y" } },
    };
    const { diagnostics } = readSchemas(JSON.stringify(document, undefined, 1));
    expect(diagnostics.map(({ message, hint, source }) => [source.pointer, message, hint])).toEqual([
      [
        "/$defs/b/$id",
        'The identifier "x" is given to two schemas.',
        `The first is in ${documentName} on line 4; change one of the two.`,
      ],
      [
        "/$defs/d/$anchor",
        'The identifier "#y" is given to two schemas.',
        `The first is in ${documentName} on line 10; change one of the two.`,
      ],
    ]);
  });

  it("may be given again in another resource", () => {
    const named = (id: string) => ({ $id: id, $defs: { a: { $anchor: "y", ...text } } });
    expect(saidOf({ schema: true, $defs: { a: named("x"), b: named("z") } })).toEqual([]);
  });

  it("of draft 4 is reported where it stands", () => {
    const definitions = { a: { id: "x" }, b: { id: "x" } };
    expect(saidOf({ schema: true, definitions }, { dialect: "draft-04" })).toEqual([
      '/definitions/b/id The identifier "x" is given to two schemas.',
    ]);
  });

  it("is taken from the one around it, at any depth", () => {
    const inner = { $id: "c", ...text };
    const $defs = {
      outer: { $id: "https://own.example/a/b", $defs: { deep: { allOf: [{ properties: { x: inner } }] } } },
    };
    expect(leadsToText({ schema: { $ref: "https://own.example/a/c" }, $defs })).toBe(true);
  });

  it("is what references inside are taken from, also where nothing refers to the schema that has it", () => {
    const $defs = { b: { $id: "https://own.example/a/b", ...text } };
    const inner = { $id: "https://own.example/a/", $ref: "b" };
    const { accepts, codes } = readSchemas({ schema: { type: "object", properties: { x: inner } }, $defs });
    expect([codes, accepts({ x: "a" }), accepts({ x: 1 })]).toEqual([[], true, false]);
  });

  it("that is a relative one is taken from the file", () => {
    expect(leadsToText({ schema: { $ref: "b" }, $defs: { a: { $id: "b", ...text } } })).toBe(true);
    expect(leadsToText({ schema: { $ref: "https://api.example/b" }, $defs: { a: { $id: "b", ...text } } })).toBe(true);
  });

  it("may have an anchor as its fragment before 2019-09", () => {
    const definitions = { a: { $id: "https://own.example/a#b", ...text } };
    const document = { schema: { $ref: "https://own.example/a#b" }, definitions };
    expect(leadsToText(document, { dialect: "draft-07" })).toBe(true);
    expect(leadsToText({ schema: { $ref: "https://own.example/a#" }, definitions }, { dialect: "draft-07" })).toBe(
      true,
    );
  });

  it("next to a $ref has no effect where nothing next to one has", () => {
    const document = {
      schema: { $ref: "https://own.example/a" },
      definitions: { a: { $id: "https://own.example/a", $ref: "#/definitions/b" }, b: text },
    };
    expect(readSchemas(document, { dialect: "draft-07" }).codes).toEqual(["source/remote-reference"]);
  });

  it.each(["$id", "$anchor", "$dynamicAnchor"])("that is no text is none: %s", (keyword) => {
    const { codes } = readSchemas({ schema: text, $defs: { a: { [keyword]: 1 } } });
    expect(codes.filter((code) => code.includes("duplicate"))).toEqual([]);
  });

  it("does not make a resource in OpenAPI 3.0, which has none", () => {
    const components = { a: { $id: "https://own.example/a", ...text }, b: { id: "https://own.example/b", ...text } };
    for (const name of ["a", "b"]) {
      const document = { schema: { $ref: `https://own.example/${name}` }, components };
      expect(readSchemas(document, { dialect: "openapi-3.0" }).codes).toContain("source/remote-reference");
    }
  });

  it("is looked for in the documents that references lead to", () => {
    const others = {
      "https://api.example/other.json": { $defs: { a: { $id: "https://own.example/a", ...text }, b: true } },
    };
    const schema = { allOf: [{ $ref: "other.json#/$defs/b" }, { $ref: "https://own.example/a" }] };
    expect(leadsToText({ schema }, { others })).toBe(true);
  });
});

describe("a document that describes an API", () => {
  const identified = { $id: "https://own.example/a", ...text };
  const schema = { $ref: "https://own.example/a" };

  it.each<[string, object]>([
    ["a schema of a media type", { paths: { "/a": { get: [{ content: { json: { schema: identified } } }] } } }],
    ["the schema of each item of a sequence", { paths: { "/a": { itemSchema: identified } } }],
    ["a schema within a schema", { paths: { "/a": { schema: { items: identified } } } }],
    ["a component", { more: { schemas: { a: identified } } }],
    ["a schema within a component", { more: { schemas: { a: { not: identified } } } }],
  ])("has identifiers in %s", (_what, parts) => {
    for (const name of ["openapi", "openrpc", "swagger"])
      expect([name, leadsToText({ [name]: "3.1.0", schema, ...parts })]).toEqual([name, true]);
  });

  it.each(["example", "examples", "default", "value"])("has none in the values under %s", (name) => {
    const document = { openapi: "3.1.0", schema, paths: { "/a": { [name]: { schema: identified } } } };
    expect(readSchemas(document).codes).toEqual(["source/remote-reference"]);
  });

  it("has none outside of schemas, and a document that is a schema has", () => {
    const $defs = { a: identified };
    expect(readSchemas({ openapi: "3.1.0", schema, $defs }).codes).toEqual(["source/remote-reference"]);
    expect(readSchemas({ schema, $defs }).codes).toEqual([]);
  });

  it("may call itself what references are taken from, a fragment left out", () => {
    const document = { schema: { $ref: "/b#/components/A" }, components: { A: text } };
    expect(leadsToText({ openapi: "3.2.0", $self: "https://self.example/b#c", ...document })).toBe(true);
    expect(leadsToText({ openapi: "3.2.0", $self: "/b", ...document })).toBe(true);
    // Documents other than OpenAPI have no `$self`.
    expect(readSchemas({ $self: "https://self.example/b", ...document }).codes).toContain("source/remote-reference");
  });
});

describe("a schema that names its dialect", () => {
  const draft7 = "http://json-schema.org/draft-07/schema#";

  it("is read in it, with all that is in it", () => {
    const items = { items: [text], additionalItems: false };
    const old = { type: "array", prefixItems: [{ type: "number" }] };
    const { accepts } = readSchemas({
      schema: {
        $schema: draft7,
        anyOf: [
          { type: "array", ...items },
          { not: true, ...old },
        ],
      },
    });
    expect([accepts(["a"]), accepts([1]), accepts(["a", "b"])]).toEqual([true, false, false]);
    const { accepts: takes } = readSchemas({ schema: { $schema: draft7, type: "object", properties: { a: old } } });
    expect(takes({ a: ["x"] })).toBe(true);
  });

  it("does not matter to others", () => {
    const old = { type: "array", prefixItems: [{ type: "number" }] };
    const { accepts } = readSchemas({
      schema: { properties: { a: { $schema: draft7, ...old }, b: old }, type: "object" },
    });
    expect([accepts({ a: ["x"] }), accepts({ b: ["x"] })]).toEqual([true, false]);
  });

  it("may do so for a document", () => {
    const document = { $schema: draft7, schema: { $ref: "#/definitions/a", minLength: 5 }, definitions: { a: text } };
    expect(leadsToText(document)).toBe(true);
    expect(leadsToText({ ...document, $schema: "https://json-schema.org/draft/2020-12/schema" })).toBe(false);
  });

  it("has the identifiers of that dialect", () => {
    const $defs = { a: { $schema: "http://json-schema.org/draft-04/schema#", id: "https://own.example/a", ...text } };
    expect(leadsToText({ schema: { $ref: "https://own.example/a" }, $defs })).toBe(true);
  });

  it("is ignored in OpenAPI 3.0, which knows no others", () => {
    const document = { schema: { $schema: draft7, type: "string", nullable: true } };
    expect(readSchemas(document, { dialect: "openapi-3.0" }).accepts(null)).toBe(true);
  });

  it("is read as what is around it where nobody knows the dialect", () => {
    const document = {
      schema: { $schema: "https://own.example/nowhere", $ref: "#/definitions/a", minLength: 5 },
      definitions: { a: text },
    };
    expect(readSchemas(document, { dialect: "draft-07" }).accepts("a")).toBe(true);
    expect(readSchemas(document).accepts("a")).toBe(false);
  });

  it("may name a metaschema that is in the same document, of which problems are reported once for each", () => {
    const $vocabulary = { "https://own.example/vocab": true };
    const document = {
      schema: {
        properties: { a: { $schema: "https://own.example/meta" }, b: { $schema: "https://own.example/meta#" } },
        type: "object",
      },
      $defs: { meta: { $id: "https://own.example/meta", $vocabulary } },
    };
    const said = saidOf(document);
    expect(said.every((one) => one.includes('requires the vocabulary "https://own.example/vocab"'))).toBe(true);
    expect(said).toHaveLength(2);
  });

  it("may name an official metaschema of a vocabulary", () => {
    const $schema = "https://json-schema.org/draft/2020-12/meta/applicator";
    expect(readSchemas({ schema: { $schema, type: "string" } }).type).toMatchObject({ kind: "any" });
  });
});

describe("a dynamic anchor", () => {
  it("may share its name with an anchor of the same schema", () => {
    expect(saidOf({ schema: { $anchor: "a", $dynamicAnchor: "a", ...text } })).toEqual([]);
  });

  it("is an anchor as well", () => {
    expect(leadsToText({ schema: { $ref: "#a" }, $defs: { a: { $dynamicAnchor: "a", ...text } } })).toBe(true);
  });

  it("that is recursive is one only where it says true", () => {
    const tree = (isRecursive: boolean) => ({
      $id: "https://own.example/tree",
      $recursiveAnchor: isRecursive,
      type: "object",
      additionalProperties: { $recursiveRef: "#" },
    });
    const strict = { $id: "https://own.example/strict", $recursiveAnchor: true, $ref: "tree", maxProperties: 1 };
    const accepts = (isRecursive: boolean): boolean =>
      readSchemas(
        { schema: { $ref: "#/$defs/strict" }, $defs: { tree: tree(isRecursive), strict } },
        { dialect: "2019-09" },
      ).accepts({ a: { b: {}, c: {} } });
    expect([accepts(true), accepts(false)]).toEqual([false, true]);
  });

  it("is not looked for by a pointer", () => {
    const list = (reference: string) => ({
      $id: "https://own.example/list",
      type: "array",
      items: { $dynamicRef: reference },
      $defs: { item: { $dynamicAnchor: "item" } },
    });
    const texts = {
      $id: "https://own.example/texts",
      $ref: "list",
      $defs: { item: { $dynamicAnchor: "item", ...text } },
    };
    const accepts = (reference: string): boolean =>
      readSchemas({ schema: { $ref: "#/$defs/texts" }, $defs: { texts, list: list(reference) } }).accepts([1]);
    expect([accepts("#item"), accepts("#/$defs/item")]).toEqual([false, true]);
  });
});

describe("a document that calls itself otherwise than its file", () => {
  const other = { $id: "https://own.example/other", $defs: { A: { $anchor: "a", type: "string" } } };

  it.each(["other.json#a", "https://own.example/other#a", "other.json#/$defs/A"])(
    "is found by its file as well as by its identifier, with its anchors: %s",
    ($ref) => {
      const others = { "https://api.example/other.json": other };
      // Referenced twice: the first reference reads the document, the second finds it in the cache.
      const schema = { anyOf: [{ $ref: "other.json" }, { type: "array", items: { $ref } }, { $ref }] };
      const { codes, declarations } = readSchemas({ schema }, { others });
      expect(codes).toEqual([]);
      expect(declarations.map(({ type }) => type.kind)).toContain("string");
    },
  );
});
