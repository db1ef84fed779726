import { describe, expect, it } from "vitest";
import { noResponse, readText } from "./testing/read-text.ts";

const components = `
components:
  parameters:
    Limit: { name: limit, in: query, description: Theirs., schema: { type: integer } }
    a/b~c d: { $ref: "#/components/parameters/Limit" }
  requestBodies: { Pet: { description: Theirs., content: { application/json: { schema: { type: object } } } } }
  headers: { Total: { description: Theirs., schema: { type: integer } } }
  examples: { One: { value: { a: 1 } } }
  responses:
    Pets:
      description: Theirs.
      headers: { X-Total: { $ref: "#/components/headers/Total" } }
      content: { application/json: { schema: { type: object }, examples: { one: { $ref: "#/components/examples/One" } } } }
      links: { again: { $ref: "#/components/links/Again" } }
  links: { Again: { operationRef: "#/components/pathItems/Pets/post", parameters: { query.limit: $response.body#/a }, requestBody: 1 } }
  callbacks:
    Sold: { "{$request.body#/url}": { $ref: "#/components/pathItems/Sold" } }
  pathItems:
    Sold: { post: { responses: { "204": { description: Done. } } } }
    Pets:
      summary: Shared.
      post:
        operationId: addPet
        parameters: [{ $ref: "#/components/parameters/a~1b~0c%20d", description: Ours. }]
        requestBody: { $ref: "#/components/requestBodies/Pet", description: Ours. }
        callbacks: { sold: { $ref: "#/components/callbacks/Sold" } }
        responses: { "200": { $ref: "#/components/responses/Pets", description: Ours. } }
  securitySchemes: { key: { $ref: "#/components/securitySchemes/other" }, other: { type: apiKey, in: query, name: k } }
`;

describe("references", () => {
  it("lead to every kind of component, and what is next to them counts", async () => {
    const { model, operation, codes } = await readText(`
paths: { /pets: { $ref: "#/components/pathItems/Pets", summary: Nearer. } }
${components}`);
    expect(codes).toEqual(["openapi/component-name"]);
    expect(operation).toMatchObject({
      documentation: { summary: "Nearer." },
      parameters: [{ name: "limit", documentation: { description: "Ours." } }],
      body: { documentation: { description: "Ours." } },
      successes: [
        {
          status: 200,
          description: "Ours.",
          headers: [{ name: "X-Total", documentation: { description: "Theirs." } }],
        },
      ],
      links: [{ name: "again", operation: "addPet", inputs: { limit: "$response.body#/a", body: 1 } }],
    });
    expect(operation.examples).toMatchObject([{ name: "one", outcome: { value: { a: 1 } } }]);
    expect(model.security).toMatchObject([{ name: "key" }, { name: "other", parameter: "k" }]);
    expect(model.incoming).toMatchObject([{ trigger: { kind: "callback", operation: "addPet" } }]);
  });

  it("stand alone in 3.0", async () => {
    const { operation, codes } = await readText(
      `
paths:
  /pets:
    post:
      operationId: addPet
      parameters: [{ $ref: "#/components/parameters/Limit", description: Ours. }]
      ${noResponse}
components: { parameters: { Limit: { name: limit, in: query, description: Theirs., schema: { type: integer } } } }
`,
      { version: "3.0.3" },
    );
    expect(codes).toEqual([]);
    expect(operation.parameters[0]?.documentation).toEqual({ description: "Theirs." });
  });

  it("lead through other files, each seen from its own place", async () => {
    const { operation, codes } = await readText('paths: { /pets: { $ref: "paths/pets%20all.yaml#/pets" } }', {
      files: {
        "paths/pets all.yaml":
          'pets: { post: { operationId: addPet, responses: { "200": { $ref: "../parts/answers.yaml" } } } }',
        "parts/answers.yaml":
          'description: Pets.\ncontent: { application/json: { schema: { $ref: "pet.json#/definitions/Pet" } } }',
        "parts/pet.json":
          '{ "definitions": { "Pet": { "type": "object", "properties": { "name": { "$ref": "#/definitions/Name" } } }, "Name": { "type": "string" } } }',
      },
    });
    expect(codes).toEqual([]);
    expect(operation.successes[0].content?.type).toMatchObject({ kind: "reference", target: "Pet" });
  });

  it("lead to the document by what it calls itself", async () => {
    const { operation, codes } = await readText(
      `
$self: https://example.com/apis/pets
paths:
  /pets:
    post:
      operationId: addPet
      parameters:
        - { $ref: "https://example.com/apis/pets#/components/parameters/Limit" }
        - { $ref: "pets#/components/parameters/Page" }
      ${noResponse}
components:
  parameters:
    Limit: { name: limit, in: query, schema: { type: integer } }
    Page: { name: page, in: query, schema: { type: integer } }
`,
      { version: "3.2.0" },
    );
    expect(codes).toEqual([]);
    expect(operation.parameters.map(({ name }) => name)).toEqual(["limit", "page"]);
  });

  it("stand alone in the dialect that a document names for its schemas", async () => {
    const text = (dialect: string): string => `
jsonSchemaDialect: ${dialect}
paths: {}
components: { schemas: { A: { $ref: "#/components/schemas/B", type: object }, B: { type: object } } }
`;
    const old = await readText(text("http://json-schema.org/draft-07/schema#"));
    expect(old.model.declarations[0]?.type.kind).toBe("reference");
    const modern = await readText(text("https://spec.openapis.org/oas/3.1/dialect/base"));
    expect(modern.model.declarations[0]?.type.kind).toBe("intersection");
    expect((await readText(text("https://example.com/dialect"))).codes).toEqual(["openapi/unknown-dialect"]);
  });

  it("may stand under a media type in 3.2", async () => {
    const { operation, codes } = await readText(
      `
paths:
  /pets:
    post:
      operationId: addPet
      requestBody: { content: { application/json: { $ref: "#/components/mediaTypes/Pet" } } }
      ${noResponse}
components: { mediaTypes: { Pet: { schema: { type: object } } } }
`,
      { version: "3.2.0" },
    );
    expect(codes).toEqual([]);
    expect(operation.body?.contents[0]?.type.kind).toBe("record");
  });
});
