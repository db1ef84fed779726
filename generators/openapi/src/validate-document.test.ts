// https://spec.openapis.org/: errors that only the official schemas of OpenAPI documents find.
import { describe, expect, it } from "vitest";
import { noResponse, onePath, readText } from "./testing/read-text.ts";

async function violationsOf(text: string, version: string): Promise<readonly string[]> {
  const { diagnostics } = await readText(text, { version });
  return diagnostics
    .filter(({ code }) => code === "openapi/schema-violation")
    .map(({ message, source }) => `${source.pointer} ${message}`);
}

const versions = ["3.0.3", "3.1.0", "3.2.0"];
const component = (kind: string, members: string): string =>
  `paths: {}\ncomponents: { ${kind}: { a: { ${members} } } }\n`;

describe("the official schema of each version", () => {
  it.each<[string, string]>([
    ["a component with a name of other signs", "paths: {}\ncomponents: { schemas: { a b: { type: string } } }\n"],
    [
      "a reference to a component",
      'paths: {}\ncomponents: { parameters: { a: { $ref: "#/components/parameters/b" }, b: { name: b, in: query, schema: {} } } }\n',
    ],
    ["a parameter of one media type", component("parameters", "name: a, in: query, content: { a/b: { schema: {} } }")],
    ["a header of one media type", component("headers", "content: { a/b: { schema: {} } }")],
    ["a schema of anything", component("schemas", "title: a, x-own: 1, properties: { a: { anyOf: [{}] } }")],
    ["responses of their own", onePath("responses: { default: { description: A. } }")],
    [
      "a response with everything",
      component("responses", "description: A., headers: {}, content: { a/b: {} }, links: {}, x-own: 1"),
    ],
    ["a scheme of HTTP", component("securitySchemes", "type: http, scheme: other")],
    ["a scheme of a bearer", component("securitySchemes", "type: http, scheme: bearer, bearerFormat: a")],
    ["a key", component("securitySchemes", "type: apiKey, in: query, name: a")],
    [
      "OAuth",
      component(
        "securitySchemes",
        "type: oauth2, flows: { implicit: { authorizationUrl: https://a.example, scopes: {} } }",
      ),
    ],
    ["OpenID", component("securitySchemes", "type: openIdConnect, openIdConnectUrl: https://a.example")],
    ["the same tag or server twice", `${onePath(`tags: [a, a]\n${noResponse}`)}servers: [{ url: / }, { url: / }]\n`],
    ["a URL that is none", "paths: {}\nexternalDocs: { url: a b }\n"],
    ["an address that is none", "paths: {}\nservers: [{ url: a b }]\n"],
  ])("finds nothing in %s", async (_what, text) => {
    for (const version of versions) expect([version, await violationsOf(text, version)]).toEqual([version, []]);
  });

  it.each<[string, string, string, readonly string[]]>([
    [
      "an unknown member",
      onePath(`sumary: a\n${noResponse}`),
      "/paths/~1pets/post/sumary",
      ['"sumary" has no meaning here (did you mean "summary"?).'],
    ],
    ["a member of the wrong type", onePath(`tags: a\n${noResponse}`), "/paths/~1pets/post/tags", []],
    [
      "an unknown member of a tag",
      "paths: {}\ntags: [{ name: a, nam: b }]\n",
      "/tags/0/nam",
      ['"nam" has no meaning here (did you mean "name"?).'],
    ],
    ["a tag without a name", "paths: {}\ntags: [{}]\n", "/tags/0", ['This has no "name", which it has to have.']],
    [
      "a licence that is a list",
      "paths: {}\nexternalDocs: []\n",
      "/externalDocs",
      ["This has to be an object, not an array."],
    ],
    [
      "other documentation without a URL",
      "paths: {}\nexternalDocs: {}\n",
      "/externalDocs",
      ['This has no "url", which it has to have.'],
    ],
    ["an extension that is none", "paths: {}\nextra: 1\n", "/extra", ['"extra" has no meaning here.']],
    [
      "an unknown kind of component",
      "paths: {}\ncomponents: { schema: {} }\n",
      "/components/schema",
      ['"schema" has no meaning here (did you mean "schemas"?).'],
    ],
    [
      "an unknown member of a component",
      component("examples", "value: 1, sumary: a"),
      "/components/examples/a/sumary",
      ['"sumary" has no meaning here (did you mean "summary"?).'],
    ],
    [
      "a component that is a text",
      "paths: {}\ncomponents: { examples: { a: b } }\n",
      "/components/examples/a",
      ["This has to be an object, not a string."],
    ],
  ])("finds %s, and that alone", async (_what, text, pointer, messages) => {
    for (const version of versions)
      expect([version, await violationsOf(text, version)]).toEqual([
        version,
        messages.map((one) => `${pointer} ${one}`),
      ]);
  });

  it.each<[string, string, string, string, string]>([
    [
      "one value of several",
      "3.1.0",
      onePath(`requestBody: { content: { a/b: { encoding: { c: { style: simple } } } } }\n${noResponse}`),
      "/paths/~1pets/post/requestBody/content/a~1b/encoding/c/style",
      'This has to be one of "form", "spaceDelimited", "pipeDelimited", "deepObject".',
    ],
    [
      "one value alone",
      "3.1.0",
      component("parameters", "in: path, required: false, schema: {}"),
      "/components/parameters/a/required",
      "This has to be true.",
    ],
    [
      "a name of certain characters",
      "3.2.0",
      component("responses", 'description: A., headers: { "a b": { schema: {} } }'),
      "/components/responses/a/headers/a b",
      '"a b" is not an allowed name here.',
    ],
    ["a member at least", "3.1.0", onePath("responses: {}"), "/paths/~1pets/post/responses", "This may not be empty."],
    [
      "a pattern",
      "3.1.0",
      component("parameters", "name: '{a}', in: path, required: true, schema: {}"),
      "/components/parameters/a/name",
      "This does not match the pattern ^[^{}]+$.",
    ],
    [
      "one of two members",
      "3.1.0",
      component("examples", "value: 1, externalValue: a"),
      "/components/examples/a",
      'Only one of "value" and "externalValue" may stand here.',
    ],
    ["no such member", "3.1.0", "paths: {}\nlicense: { name: a }\n", "/license", '"license" has no meaning here.'],
  ])("says what belongs there: %s", async (_what, version, text, pointer, message) => {
    expect(await violationsOf(text, version)).toEqual([`${pointer} ${message}`]);
  });

  it("takes any value for the parameter of a link", async () => {
    const link = "operationId: a, parameters: { a: 1, b: [2], c: { d: 3 } }";
    for (const version of versions) expect(await violationsOf(component("links", link), version)).toEqual([]);
  });

  it("finds what is wrong at a place, whatever is wrong at that place of another document", async () => {
    const text = onePath(`sumary: a\nparameters: [{ $ref: "other.yaml#/paths/~1pets/post/sumary" }]\n${noResponse}`);
    const files = { "other.yaml": "paths: { /pets: { post: { sumary: { in: query, schema: {} } } } }\n" };
    const { diagnostics } = await readText(text, { files });
    expect(diagnostics.map(({ code, source }) => `${code} ${source.file} ${source.pointer}`).toSorted()).toEqual([
      "document/missing-member other.yaml /paths/~1pets/post/sumary",
      "openapi/schema-violation api.yaml /paths/~1pets/post/sumary",
    ]);
  });

  it("finds nothing in what is left out", async () => {
    const text = onePath(`sumary: a\n${noResponse}`);
    const { codes } = await readText(text, { readOptions: { operations: { addPet: { skip: true } } } });
    expect(codes).toEqual([]);
  });
});
