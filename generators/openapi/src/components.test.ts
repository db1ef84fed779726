// OpenAPI 3.1, sections 4.8.1 (tags) and 4.8.7 (Components Object).
import { describe, expect, it } from "vitest";
import { noResponse, onePath, readText, type TextOptions } from "./testing/read-text.ts";

/** Returns the diagnostics of a document with one component that nothing refers to. */
async function reportedOf(kind: string, members: string, options: TextOptions = {}): Promise<readonly string[]> {
  const { diagnostics } = await readText(`paths: {}\ncomponents: { ${kind}: { A: ${members} } }\n`, options);
  return diagnostics.map(({ code, source }) => `${code} ${source.pointer}`);
}

describe("a component that nothing refers to", () => {
  const wrong = "{ type: strange }";
  const operation = `{ post: { operationId: a, requestBody: { content: { strange: {} } }, ${noResponse} } }`;

  it.each<[string, string, string]>([
    ["schemas", wrong, "json-schema/unknown-type /components/schemas/A/type"],
    [
      "parameters",
      `{ name: a, in: query, schema: ${wrong} }`,
      "json-schema/unknown-type /components/parameters/A/schema/type",
    ],
    [
      "requestBodies",
      "{ content: { strange: {} } }",
      "openapi/wrong-media-type /components/requestBodies/A/content/strange",
    ],
    [
      "responses",
      '{ description: "", content: { strange: {} } }',
      "openapi/wrong-media-type /components/responses/A/content/strange",
    ],
    ["headers", `{ schema: ${wrong} }`, "json-schema/unknown-type /components/headers/A/schema/type"],
    ["headers", "{ schema: {}, style: form }", "openapi/unknown-style /components/headers/A/style"],
    ["examples", "{ value: 1, x-live: 5 }", "mark/wrong-value /components/examples/A/x-live"],
    ["links", "{}", "openapi/link-without-target /components/links/A"],
    ["links", '{ operationId: a, operationRef: "#/paths" }', "openapi/link-without-target /components/links/A"],
    [
      "callbacks",
      '{ $ref: "#/components/callbacks/None" }',
      "source/unresolved-reference /components/callbacks/A/$ref",
    ],
    [
      "pathItems",
      '{ $ref: "#/components/pathItems/None" }',
      "source/unresolved-reference /components/pathItems/A/$ref",
    ],
    ["securitySchemes", "{ type: strange }", "openapi/unknown-scheme-type /components/securitySchemes/A/type"],
  ])("of %s is checked: %s", async (kind, members, reported) => {
    expect(await reportedOf(kind, members)).toEqual([reported]);
  });

  it.each([
    ["requestBodies", "{ content: { application/json: {} } }"],
    ["links", "{ operationId: a }"],
    ["links", '{ operationRef: "#/paths" }'],
    ["callbacks", `{ $url: ${operation.replace("strange", "application/json")} }`],
    ["pathItems", operation.replace("strange", "application/json")],
    ["examples", "{ value: 1 }"],
  ])("of %s may be right", async (kind, members) => {
    expect(await reportedOf(kind, members)).toEqual([]);
  });

  it.each(["requestBodies", "links", "callbacks", "parameters", "headers"])(
    "of %s that refers to what is no object is reported once",
    async (kind) => {
      const reported = await reportedOf(kind, '{ $ref: "#/info/title" }');
      expect(reported).toEqual([`openapi/wrong-target /components/${kind}/A/$ref`]);
    },
  );

  it.each(["requestBodies", "links", "callbacks"])("of %s that is a text is reported by the schema", async (kind) => {
    expect(await reportedOf(kind, "text")).toEqual([`openapi/schema-violation /components/${kind}/A`]);
  });

  it("of a link that only an operation has that is left out is not checked", async () => {
    const text = `${onePath(
      'responses: { "200": { description: "", links: { a: { $ref: "#/components/links/A" } } } }',
    )}components: { links: { A: {}, B: {} } }\n`;
    const { diagnostics } = await readText(text, { readOptions: { operations: { addPet: { skip: true } } } });
    expect(diagnostics.map(({ message }) => message)).toEqual(['The link "B" leads nowhere.']);
  });

  it.each(["a b", "a/b", "ä", "a:b"])("is noted for its name by habit: %s", async (name) => {
    const { diagnostics } = await readText(
      `paths: {}\ncomponents: { schemas: { a.b-c_1: {}, "${name}": {} }, parameters: { "(": { name: a, in: query, schema: {} } } }\n`,
    );
    expect(diagnostics).toMatchObject([{ code: "openapi/component-name" }]);
    expect(diagnostics[0]?.message).toContain(`unlike "${name}" (here and at 1 other place).`);
    expect(diagnostics[0]?.source.pointer).toBe(`/components/schemas/${name.replaceAll("/", "~1")}`);
  });
});

describe("the tags of a document", () => {
  it("are described once each", async () => {
    const { diagnostics } = await readText("paths: {}\ntags: [{ name: a }, { name: b }, { name: a }, { name: a }]\n");
    expect(diagnostics.map(({ message, source }) => [message, source.pointer])).toEqual([
      ['The tag "a" is described twice.', "/tags/2/name"],
      ['The tag "a" is described twice.', "/tags/3/name"],
    ]);
  });

  it("may not be called by a number", async () => {
    const { codes } = await readText("paths: {}\ntags: [{ name: 1 }, { name: 1 }]\n");
    expect(codes).not.toContain("openapi/duplicate-tag");
  });
});

describe("what goes with an operation that is left out", () => {
  const skip: TextOptions = { readOptions: { operations: { addPet: { skip: true } } } };
  const body = (schema: string): string => `requestBody: { content: { application/json: ${schema} } }\n${noResponse}`;

  it.each([
    ["an example", "{ example: { a: A } }"],
    ["the values of a schema", "{ schema: { enum: [{ a: A }] } }"],
    ["a text that looks like a reference", '{ example: { a: "#/components/schemas/A" } }'],
    ["a mapping that is none", "{ example: { mapping: A } }"],
    ["a mapping of lists", "{ example: { mapping: { a: [A], b: { c: A }, d: 5 } } }"],
  ])("is no schema that has the name of a text in %s", async (_what, content) => {
    const { codes } = await readText(
      `${onePath(body(content))}components: { schemas: { A: { type: strange } } }\n`,
      skip,
    );
    expect(codes).toEqual(["json-schema/unknown-type"]);
  });

  it("does not belong to another document, wherever it is in it", async () => {
    const item = `{ post: { operationId: addPet, requestBody: { content: { application/json: { schema: { $ref: "#/components/pathItems/B" } } } }, ${noResponse} } }`;
    const { codes } = await readText(
      `paths: { /a: { $ref: "other.yaml#/components/pathItems/A" } }
components: { pathItems: { A: { post: { operationId: other, sumary: a, ${noResponse} } } } }
`,
      { ...skip, files: { "other.yaml": `components: { pathItems: { A: ${item}, B: {} } }` } },
    );
    expect(codes).toEqual(["openapi/schema-violation"]);
  });

  it("is no schema of another document that stands where the operation does in its own", async () => {
    const text = `paths:
  /a: { post: { operationId: addPet, ${noResponse} } }
  /b: { post: { operationId: other, ${body('{ schema: { $ref: "other.yaml#/paths/~1a/post/Pet" } }').replace("\n", ", ")} } }
`;
    const { model } = await readText(text, {
      ...skip,
      files: { "other.yaml": "paths: { /a: { post: { Pet: { type: object } } } }" },
    });
    expect(model.declarations.map(({ name }) => name)).toEqual(["Pet"]);
  });
});
