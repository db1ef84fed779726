// JSON Schema 2020-12, core: identifiers, anchors, references, metaschemas.
import { describe, expect, it } from "vitest";
import { documentName, readSchemas } from "./testing/read-schemas.ts";

const text = { type: "string" };

describe("a reference", () => {
  it.each<[string, string]>([
    ["a pointer", "#/$defs/a"],
    ["a pointer with escapes", "#/$defs/b~1c%20%C3%A4"],
    ["an anchor", "#d"],
    ["an identifier of a schema inside", "inner"],
    ["an absolute identifier", "https://elsewhere.example/own"],
    ["a name", "urn:example:named"],
    ["a pointer in a schema with an identifier", "inner-folder/x#/$defs/deep"],
    ["an anchor in another document", "other.json#e"],
    ["a pointer in another document", "other.json#/$defs/e"],
  ])("finds %s", ($ref, wanted) => {
    const document = {
      schema: { $ref: wanted },
      $defs: {
        a: text,
        "b/c ä": text,
        c: { ...text, $anchor: "d" },
        e: { $id: "inner", ...text },
        f: { $id: "https://elsewhere.example/own", ...text },
        g: { $id: "urn:example:named", ...text },
        h: { $id: "inner-folder/x", $defs: { deep: text } },
      },
    };
    const others = { "https://api.example/other.json": { $defs: { e: { ...text, $anchor: "e" } } } };
    const { accepts, codes } = readSchemas(document, { others });
    expect(codes).toEqual([]);
    expect([$ref, accepts("a"), accepts(1)]).toEqual([$ref, true, false]);
  });

  it("is taken from the identifier around it", () => {
    const document = {
      schema: { $id: "https://a.example/b/", properties: { x: { $ref: "c" } } },
      $defs: { c: { $id: "https://a.example/b/c", ...text }, d: { $id: "c", type: "number" } },
    };
    const { accepts } = readSchemas(document);
    expect([accepts({ x: "a" }), accepts({ x: 1 })]).toEqual([true, false]);
  });

  it("is taken from what an OpenAPI document calls itself", () => {
    const document = {
      openapi: "3.2.0",
      $self: "https://self.example/api",
      schema: {
        type: "object",
        properties: { a: { $ref: "/api#/components/A" }, b: { $ref: "https://self.example/own" } },
      },
      components: { A: text },
      paths: { "/b": { get: { responses: { 200: { schema: { $id: "own", ...text } } } } } },
    };
    const { accepts, codes } = readSchemas(document);
    expect(codes).toEqual([]);
    expect([accepts({ a: "x", b: "x" }), accepts({ a: 1 }), accepts({ b: 1 })]).toEqual([true, false, false]);
  });

  it("does not take identifiers from what is no schema", () => {
    const document = {
      schema: { $ref: "named" },
      $defs: { a: { enum: [{ $id: "named" }], default: { $id: "named" } }, b: { "x-mine": { $id: "named" } } },
    };
    expect(readSchemas(document).codes).toEqual(["source/remote-reference"]);
  });

  it("leads to the official metaschemas, which are carried along", () => {
    const { accepts, codes } = readSchemas({ schema: { $ref: "https://json-schema.org/draft/2020-12/schema" } });
    expect(codes).toEqual([]);
    expect([accepts({ minLength: 1 }), accepts({ minLength: -1 }), accepts({ items: { type: 1 } })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("never leads to another machine", () => {
    const { diagnostics } = readSchemas({ schema: { $ref: "https://elsewhere.example/a.json" } });
    expect(diagnostics).toMatchObject([
      { code: "source/remote-reference", source: { file: documentName, pointer: "/schema/$ref" } },
    ]);
  });

  it.each([
    ["#/nowhere", 'there is no "nowhere"'],
    ["#nowhere", 'there is no anchor "nowhere"'],
    ["#/%zz", "the fragment is not a JSON Pointer"],
  ])("says why it leads nowhere: %s", ($ref, reason) => {
    const { diagnostics } = readSchemas({ schema: { $ref } });
    expect(diagnostics).toMatchObject([
      { code: "source/unresolved-reference", message: expect.stringContaining(reason) as string },
    ]);
  });

  it("stands with what is next to it, and alone in older dialects", () => {
    const document = { schema: { $ref: "#/$defs/a", minLength: 2 }, $defs: { a: text } };
    expect(readSchemas(document).accepts("a")).toBe(false);
    expect(readSchemas(document, { dialect: "draft-07" }).accepts("a")).toBe(true);
    const named = {
      schema: { $schema: "http://json-schema.org/draft-07/schema#", ...document.schema },
      $defs: document.$defs,
    };
    expect(readSchemas(named).accepts("a")).toBe(true);
  });
});

describe("identifiers", () => {
  it("that two schemas share are reported, with the place of the first", () => {
    const document = {
      schema: true,
      $defs: { a: { $id: "x" }, b: { $id: "x" }, c: { $anchor: "y" }, d: { $dynamicAnchor: "y" } },
    };
    const { diagnostics } = readSchemas(JSON.stringify(document, undefined, 1));
    expect(diagnostics).toMatchObject([
      { code: "json-schema/duplicate-id", source: { pointer: "/$defs/b/$id" } },
      { code: "json-schema/duplicate-id", source: { pointer: "/$defs/d/$dynamicAnchor" } },
    ]);
  });

  it("of draft 4 are called id, and those of draft 7 may be anchors", () => {
    const four = { schema: { $ref: "http://x.example/a" }, definitions: { a: { id: "http://x.example/a", ...text } } };
    expect(readSchemas(four, { dialect: "draft-04" }).accepts(1)).toBe(false);
    const seven = { schema: { $ref: "#a" }, definitions: { a: { $id: "#a", ...text } } };
    expect(readSchemas(seven, { dialect: "draft-07" }).accepts(1)).toBe(false);
  });
});

describe("a dynamic reference", () => {
  const list = {
    $id: "https://x.example/list",
    type: "array",
    items: { $dynamicRef: "#item" },
    $defs: { any: { $dynamicAnchor: "item" } },
  };
  const texts = {
    $id: "https://x.example/texts",
    $ref: "list",
    $defs: { item: { $dynamicAnchor: "item", ...text } },
  };
  const numbers = {
    $id: "https://x.example/numbers",
    $ref: "list",
    $defs: { item: { $dynamicAnchor: "item", type: "number" } },
  };

  it("leads to what the way here says, so that a schema is read once for each way", () => {
    const schema = {
      properties: { a: { $ref: "#/$defs/texts" }, b: { $ref: "#/$defs/numbers" }, c: { $ref: "#/$defs/list" } },
    };
    const { accepts, declarations } = readSchemas({ schema, $defs: { list, texts, numbers } });
    expect([accepts({ a: ["x"], b: [1], c: ["x", 1] }), accepts({ a: [1] }), accepts({ b: ["x"] })]).toEqual([
      true,
      false,
      false,
    ]);
    expect(declarations.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["Texts", "Numbers", "List", "ListInTexts", "ListInNumbers"]),
    );
  });

  it("is an ordinary one where nothing dynamic is under its name", () => {
    const plain = { ...list, $defs: { any: { $anchor: "item", type: "boolean" } } };
    const { accepts } = readSchemas({ schema: { $ref: "#/$defs/texts" }, $defs: { plain, texts } });
    expect([accepts([true]), accepts(["x"])]).toEqual([true, false]);
  });

  it("is spelled recursive in 2019-09", () => {
    const tree = {
      $id: "https://x.example/tree",
      $recursiveAnchor: true,
      type: "object",
      additionalProperties: { $recursiveRef: "#" },
    };
    const strict = { $id: "https://x.example/strict", $recursiveAnchor: true, $ref: "tree", maxProperties: 1 };
    const { accepts } = readSchemas(
      { schema: { $ref: "#/$defs/strict" }, $defs: { tree, strict } },
      { dialect: "2019-09" },
    );
    expect([accepts({ a: { b: {} } }), accepts({ a: { b: {}, c: {} } })]).toEqual([true, false]);
  });

  it("leaves schemas that lead to none as they are, whatever the way", () => {
    const leaf = { $id: "https://x.example/leaf", ...text };
    const withLeaf = (schema: object) => ({ ...schema, properties: { leaf: { $ref: "leaf" } } });
    const { declarations } = readSchemas({
      schema: { anyOf: [{ $ref: "#/$defs/texts" }, { $ref: "#/$defs/numbers" }] },
      $defs: { list, leaf, texts: withLeaf(texts), numbers: withLeaf(numbers) },
    });
    expect(declarations.filter(({ name }) => name.startsWith("Leaf")).map(({ name }) => name)).toEqual(["Leaf"]);
  });
});

describe("a metaschema of somebody's own", () => {
  const vocabulary = (name: string) => `https://json-schema.org/draft/2020-12/vocab/${name}`;
  const read = ($vocabulary: Readonly<Record<string, boolean>>, schema: object) =>
    readSchemas(
      { schema: { $schema: "https://own.example/meta", ...schema } },
      { others: { "https://own.example/meta": { $vocabulary } } },
    );

  it("without the validation vocabulary takes their effect from its keywords", () => {
    const { type } = read({ [vocabulary("core")]: true, [vocabulary("applicator")]: true }, { minimum: 5, not: false });
    expect(type).toMatchObject({ kind: "not" });
  });

  it("with the format-assertion vocabulary asserts formats", () => {
    const vocabularies = { [vocabulary("core")]: true, [vocabulary("format-assertion")]: false };
    expect(read(vocabularies, { format: "ipv4" }).type).toMatchObject({ format: "ipv4", assertsFormat: true });
  });

  it("may not require a vocabulary that is not known", () => {
    expect(read({ "https://own.example/vocab": true }, {}).codes).toEqual(["unknown-vocabulary"]);
    expect(read({ "https://own.example/vocab": false }, {}).codes).toEqual([]);
  });

  it("is reported once, however many schemas name it", () => {
    const own = { $schema: "https://own.example/meta" };
    expect(read({ "https://own.example/vocab": true }, { allOf: [own, own] }).codes).toEqual(["unknown-vocabulary"]);
  });
});
