// JSON Schema 2020-12, section 8.2: schemas with an identifier or an anchor, in all places where OpenAPI has schemas.
import { describe, expect, it } from "vitest";
import { noResponse, onePath, readText } from "./testing/read-text.ts";

const schemas = `components:
  schemas:
    Pet: { $anchor: pet, type: object, properties: { photo: { type: string, format: binary }, kind: { $ref: "#kind" } } }
    Kind: { $anchor: kind, type: string, default: cat }
    Chain: { $anchor: chain, $ref: "#pet" }
    Event: { $id: "https://example.com/event", type: object, properties: { event: {}, data: { $ref: "#/$defs/Data" } }, $defs: { Data: { type: integer } } }
`;

async function contentOf(mediaType: string, schema: string) {
  const { operation, codes } = await readText(
    `${onePath(`requestBody: { content: { ${mediaType}: { schema: { $ref: "${schema}" } } } }\n${noResponse}`)}${schemas}`,
  );
  return { content: operation.body?.contents[0], codes };
}

describe("a schema that is known by its anchor or identifier", () => {
  it.each([
    ["application/json", "#pet", "json", "reference"],
    ["application/vnd.example", "#pet", "json", "reference"],
    ["application/vnd.example", "#kind", "text", "reference"],
    ["application/vnd.example", "https://example.com/event", "json", "reference"],
    ["application/x-www-form-urlencoded", "#chain", "form", "reference"],
    ["text/event-stream", "https://example.com/event", "event-stream", "reference"],
    ["multipart/form-data", "#pet", "multipart", "record"],
    ["multipart/form-data", "#chain", "multipart", "record"],
  ])("says how a body of %s is written: %s", async (mediaType, schema, form, kind) => {
    const { content, codes } = await contentOf(mediaType, schema);
    expect(codes).toEqual([]);
    expect([content?.form, content?.type.kind]).toEqual([form, kind]);
  });

  it("has its files in a multipart body", async () => {
    const { content } = await contentOf("multipart/form-data", "#chain");
    expect(content?.type).toMatchObject({ members: [{ name: "photo", type: { kind: "bytes" } }, { name: "kind" }] });
  });

  it("gives a parameter its default and its example", async () => {
    const { operation, codes } = await readText(
      `${onePath(
        'parameters: [{ name: a, in: query, required: true, schema: { $ref: "#kind" } }]\nresponses: { "200": { description: "", content: { application/json: { examples: { b: { value: 1 } } } } } }',
      )}${schemas}`,
    );
    expect(codes).toEqual([]);
    expect(operation.parameters).toMatchObject([{ default: "cat", type: { kind: "reference", target: "Kind" } }]);
    expect(operation.examples).toMatchObject([{ input: { a: "cat" } }]);
  });

  it("is the same schema as one that is known by its pointer", async () => {
    const content = (mediaType: string, reference: string): string =>
      `${mediaType}: { schema: { $ref: "${reference}" } }`;
    const { operation } = await readText(
      `${onePath(
        `responses: { "200": { description: "", content: { ${content("application/json", "#pet")}, ${content("text/json", "#/components/schemas/Pet")} } } }`,
      )}${schemas}`,
    );
    expect(operation.successes).toHaveLength(1);
  });

  it.each(["application/json", "multipart/form-data", "application/vnd.example", "text/event-stream"])(
    "is reported once where there is none: %s",
    async (mediaType) => {
      expect((await contentOf(mediaType, "#none")).codes).toEqual(["source/unresolved-reference"]);
      expect((await contentOf(mediaType, "https://example.com/none")).codes).toEqual(["source/remote-reference"]);
    },
  );

  it.each(["application/json", "multipart/form-data", "application/vnd.example", "text/event-stream"])(
    "is reported once where it is only itself: %s",
    async (mediaType) => {
      const { codes } = await readText(
        `${onePath(`requestBody: { content: { ${mediaType}: { schema: { $ref: "#/components/schemas/A" } } } }\n${noResponse}`)}components: { schemas: { A: { $ref: "#/components/schemas/B" }, B: { $ref: "#/components/schemas/A" } } }\n`,
      );
      expect(new Set(codes)).toEqual(new Set(["json-schema/endless-reference"]));
    },
  );
});
