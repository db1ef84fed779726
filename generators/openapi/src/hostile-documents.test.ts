import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { noResponse, readText } from "./testing/read-text.ts";

const document = {
  servers: [{ url: "https://{a}.example.com", variables: { a: { default: "b" } } }],
  tags: [{ name: "pets" }],
  security: [{ key: [] }],
  paths: {
    "/pets/{id}": {
      parameters: [{ $ref: "#/components/parameters/Id" }],
      post: {
        operationId: "addPet",
        tags: ["pets"],
        parameters: [
          { name: "a", in: "query", style: "deepObject", schema: { type: "object" }, examples: { one: { value: {} } } },
        ],
        requestBody: {
          content: {
            "multipart/form-data": {
              schema: { type: "object", properties: { file: { type: "string", format: "binary" } } },
              encoding: { file: { contentType: "image/png", headers: { "X-A": { schema: {} } } } },
            },
          },
        },
        callbacks: { sold: { "{$request.body#/url}": { post: { responses: { "204": { description: "Done." } } } } } },
        responses: {
          "200": { $ref: "#/components/responses/Pet" },
          default: { description: "Else.", links: { next: { operationId: "addPet", parameters: { "path.id": "a" } } } },
        },
      },
    },
  },
  components: {
    parameters: { Id: { name: "id", in: "path", required: true, schema: { type: "string" } } },
    responses: {
      Pet: { description: "A pet.", content: { "application/json": { schema: { type: "object" }, example: {} } } },
    },
    securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } },
  },
};

type Holder = Record<string, unknown>;

/** Returns every member of a value with the object or array that contains it. */
function membersOf(value: unknown): readonly (readonly [holder: Holder, name: string])[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [[value as Holder, name] as const, ...membersOf(member)]);
}

/** Values that people and programs write where others are expected. */
const wrongValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    { $ref: "#/components/responses/Pet" },
    { $ref: "#/components" },
    { $ref: "#" },
    { $ref: 5 },
    "__proto__",
    "constructor",
    "toString",
  ),
);
const change = fc.record({ at: fc.nat(), value: wrongValue, isRemoval: fc.boolean() });

describe("a document with anything anywhere", () => {
  it("is read or told of, and never breaks the reader", async () => {
    const version = fc.constantFrom("3.0.3", "3.1.0", "3.2.0");
    await fc.assert(
      fc.asyncProperty(version, fc.array(change, { minLength: 1, maxLength: 4 }), async (one, changes) => {
        const changed = structuredClone(document);
        for (const { at, value, isRemoval } of changes) {
          const members = membersOf(changed);
          const [holder, name] = members[at % members.length] ?? [{}, ""];
          if (isRemoval && !Array.isArray(holder)) delete holder[name];
          else holder[name] = structuredClone(value);
        }
        const text = Object.entries(changed).map(([name, member]) => `${name}: ${JSON.stringify(member)}\n`);
        const { diagnostics, model } = await readText(text.join(""), { version: one });
        expect(diagnostics.every(({ source }) => source.line >= 1 && source.column >= 1)).toBe(true);
        const names = model.operations.map(({ name }) => name);
        expect(new Set(names).size).toBe(names.length);
      }),
      { numRuns: 150 },
    );
  });

  it("with ten thousand operations of one habit is told of it once", async () => {
    const paths = Array.from({ length: 10_000 }, (_, index) => `  /a${index}: { get: { ${noResponse} } }`);
    const { model, codes } = await readText(`paths:\n${paths.join("\n")}\n`);
    expect(model.operations).toHaveLength(10_000);
    expect(codes).toEqual(["openapi/missing-operation-id"]);
  });
});
