import { describe, expect, it } from "vitest";
import { type NamedRange, outlineOf, shiftOutline } from "./document-outline.ts";
import { outlineText, rootOf } from "./testing/outline-text.ts";

const document = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  "x-team": "birds",
  servers: [{ url: "https://pets.example" }],
  tags: [{ name: "pets" }],
  security: [{ key: [] }],
  paths: { "/pets": { get: { responses: {} } }, "/owners": {} },
  webhooks: { added: {} },
  components: {
    schemas: { Pet: { type: "object" }, Owner: { $ref: "#/components/schemas/Pet" } },
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
    responses: {},
  },
};

/** Returns the values at ranges, by name. */
function valuesAt(text: string, ranges: readonly NamedRange[] | undefined): unknown {
  return Object.fromEntries((ranges ?? []).map(([name, start, end]) => [name, JSON.parse(text.slice(start, end))]));
}

describe("outlineOf", () => {
  it.each([
    ["on one line", JSON.stringify(document)],
    ["with indentation", JSON.stringify(document, null, 2)],
    ["after empty lines", `\n\t ${JSON.stringify(document)}`],
  ])("locates every path, every component and the other members of a document %s", (_what, text) => {
    const outline = outlineText(text);
    const { openapi, info, servers, tags, security, paths, components } = document;
    expect(valuesAt(text, outline.head)).toEqual({ openapi, info, servers, tags, security });
    expect(valuesAt(text, outline.paths)).toEqual(paths);
    expect(outline.components.map(([kind]) => kind)).toEqual(["schemas", "securitySchemes", "responses"]);
    for (const [kind, ranges] of outline.components)
      expect(valuesAt(text, ranges)).toEqual(components[kind as keyof typeof components]);
  });

  it("has neither paths nor components for a document without them", () => {
    expect(outlineText('{"openapi":"3.1.0"}')).toEqual({
      head: [["openapi", 11, 18]],
      paths: [],
      components: [],
    });
    expect(outlineText('{"paths":[1],"components":{"schemas":7}}')).toEqual({
      head: [],
      paths: [],
      components: [["schemas", []]],
    });
  });

  it.each([
    ["refers to another file", '{"a":{"$ref":"other.json"}}'],
    ["refers to a path", '{"a":{"$ref":"#/paths/~1pets"}}'],
    ["refers to all components", '{"a":{"$ref":"#/components"}}'],
    ["refers to another file after spaces", '{"a":{"$ref"  : \n "other.json#/components/"}}'],
    ["links by reference", '{"a":{"operationRef" : "#/components/x"}}'],
    ["has an $id", '{"a":{"$id":"a"}}'],
    ["has an $anchor", '{"a":{"$anchor":"a"}}'],
    ["has a $dynamicAnchor", '{"a":{"$dynamicAnchor":"a"}}'],
    ["has a $dynamicRef", '{"a":{"$dynamicRef":"#a"}}'],
    ["has a $recursiveAnchor", '{"a":{"$recursiveAnchor":true}}'],
    ["has a $recursiveRef", '{"a":{"$recursiveRef":"#"}}'],
    ["has a $schema", '{"a":{"$schema":"a"}}'],
    ["has a $self", '{"$self":"https://pets.example"}'],
    ["has a dialect", '{"jsonSchemaDialect":"a"}'],
    ["names draft 4, where id identifies", '{"a":"http://json-schema.org/draft-04/schema#"}'],
    ["escapes a dollar", '{"a":{"\\u0024ref":"other.json"}}'],
    ["escapes a slash", '{"a":{"$ref":"#/components/\\u002fa"}}'],
    ["escapes a slash with a capital", '{"a":{"$ref":"#/components/\\u002Fa"}}'],
    ["escapes a sharp", '{"a":{"$ref":"#/components/\\u0023a"}}'],
    ["escapes a capital", '{"a":{"$ref":"#/components/\\u0041"}}'],
    ["escapes a letter", '{"a":{"$ref":"#/components/schemas/\\u0070et"}}'],
    ["escapes a letter with capital digits", '{"a":{"$ref":"#/components/schemas/\\u006Fet"}}'],
  ])("has no outline of a document that %s", (_what, text) => {
    expect(outlineOf(rootOf(text))).toBeUndefined();
  });

  it.each([
    ["without braces", "openapi: 3.1.0\npaths:\n  /pets:\n"],
    ["with an object in braces", "openapi: 3.1.0\ninfo:\n  {title: a}\n"],
    ["with braces in a comment", "# {\nopenapi: 3.1.0\n"],
  ])("has no outline of a document in YAML %s", (_what, text) => {
    expect(outlineOf(rootOf(text, "api.yaml"))).toBeUndefined();
  });

  it.each([
    ["refers to components", '{"a":{"$ref" :  "#/components/schemas/Pet"}}'],
    ["speaks of references in prose", '{"a":"A $ref, an operationRef, an $id or so"}'],
    ["names a later draft in prose", '{"a":"http://json-schema.org/draft-07/schema#"}'],
    ["escapes control characters and other letters", '{"a":"\\u0000 \\u0020 \\u0022 \\u0030 \\u00e9 \\u0100 \\u2013"}'],
  ])("has an outline of a document that %s", (_what, text) => {
    expect(outlineText(text).head).toHaveLength(1);
  });
});

describe("shiftOutline", () => {
  it("gives the outline of the text in which a path item has grown or shrunk", () => {
    const before = outlineText(JSON.stringify(document));
    const [, , end = 0] = before.paths[0] ?? [];
    for (const item of [{ get: { responses: { 204: { description: "Done." } } } }, {}]) {
      const text = JSON.stringify({ ...document, paths: { ...document.paths, "/pets": item } });
      const delta = text.length - JSON.stringify(document).length;
      expect(shiftOutline(before, end, delta)).toEqual(outlineText(text));
    }
  });
});
