import { describe, expect, it } from "vitest";
import { noResponse, onePath, readText } from "./testing/read-text.ts";

async function readParameters(parameters: string, version = "3.1.0") {
  const { operation, codes } = await readText(
    onePath(`parameters:\n${parameters.trim().replaceAll(/^/gm, "  ")}\n${noResponse}`),
    { version },
  );
  return { parameters: operation.parameters, codes };
}

describe("a parameter", () => {
  it("whose schema is a reference that leads nowhere has no default", async () => {
    const { codes } = await readParameters('- { name: a, in: query, schema: { $ref: "#/components/schemas/None" } }');
    expect(codes).toEqual(["source/unresolved-reference"]);
  });

  it.each([
    ["query", "form", true],
    ["query", "spaceDelimited", false],
    ["query", "pipeDelimited", false],
    ["query", "deepObject", false],
    ["header", "simple", false],
    ["cookie", "form", true],
  ])("in %s may have the style %s, which explodes by default: %s", async (location, style, explode) => {
    const { parameters, codes } = await readParameters(
      `- { name: a, in: ${location}, style: ${style}, schema: { type: object } }`,
    );
    expect(codes).toEqual([]);
    expect(parameters).toMatchObject([{ location, style, explode }]);
  });

  it.each(["simple", "label", "matrix"])("in a path may have the style %s", async (style) => {
    const { model, codes } = await readText(`
paths:
  /pets/{a}:
    get:
      operationId: getPet
      parameters: [{ name: a, in: path, required: true, style: ${style}, explode: true, schema: { type: array } }]
      ${noResponse}
`);
    expect(codes).toEqual([]);
    expect(model.operations[0]?.parameters).toMatchObject([{ style, explode: true }]);
  });

  it("may be a complete document", async () => {
    const { parameters } = await readParameters(
      "- { name: filter, in: query, content: { application/json: { schema: { type: object } } } }",
    );
    expect(parameters).toMatchObject([{ mediaType: "application/json", type: { kind: "record" } }]);
  });

  it("may hold reserved characters, be empty, deprecated, and have a default behind a reference", async () => {
    const { parameters } = await readParameters(`
- { name: a, in: query, allowReserved: true, deprecated: true, description: Text, schema: { type: string, default: x } }
- { name: b, in: query, allowEmptyValue: true, schema: { type: boolean } }
`);
    expect(parameters).toMatchObject([
      { allowReserved: true, default: "x", documentation: { deprecated: true, description: "Text" } },
      { type: { kind: "union", members: [{ kind: "boolean" }, { kind: "enumeration", values: [""] }] } },
    ]);
    const { model } = await readText(
      `${onePath(`parameters: [{ name: a, in: query, schema: { $ref: "#/components/schemas/Size" } }]\n${noResponse}`)}
components: { schemas: { Size: { type: integer, default: 25 } } }
`,
    );
    expect(model.operations[0]?.parameters[0]).toMatchObject({ type: { kind: "reference" }, default: 25 });
  });

  it("has a name of its own, whatever is next to it", async () => {
    const { model, codes } = await readText(`
paths:
  /pets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getPet
      parameters:
        - { name: id, in: query, schema: { type: string } }
        - { name: X-Foo, in: header, schema: { type: string } }
        - { name: x_foo, in: header, schema: { type: string } }
        - { name: x_foo, in: query, schema: { type: string } }
        - { name: "limit[gte]", in: query, schema: { type: integer } }
        - { name: größe, in: query, schema: { type: string } }
        - { name: body, in: query, schema: { type: string } }
        - { name: 2fa, in: cookie, schema: { type: string } }
      ${noResponse}
`);
    expect(codes).toEqual([]);
    expect(model.operations[0]?.parameters.map(({ name, property }) => [name, property])).toEqual([
      ["id", "id"],
      ["id", "idInQuery"],
      ["X-Foo", "xFoo"],
      ["x_foo", "xFooInHeader"],
      ["x_foo", "xFooInQuery"],
      ["limit[gte]", "limitGte"],
      ["größe", "größe"],
      ["body", "bodyInQuery"],
      ["2fa", "_2fa"],
    ]);
  });

  it("is ignored where other parts of the document describe the header", async () => {
    const { parameters, codes } = await readParameters(`
- { name: Accept, in: header, schema: { type: string } }
- { name: content-type, in: header, schema: { type: string } }
- { name: Authorization, in: header, schema: { type: string } }
`);
    expect([parameters, codes]).toEqual([[], []]);
  });

  it("may be a cookie without escapes or a complete query string in 3.2", async () => {
    const { parameters, codes } = await readParameters(
      `
- { name: session, in: cookie, style: cookie, schema: { type: string } }
- { name: query, in: querystring, content: { application/x-www-form-urlencoded: { schema: { type: object } } } }
`,
      "3.2.0",
    );
    expect(codes).toEqual([]);
    expect(parameters).toMatchObject([
      { location: "cookie", style: "form", allowReserved: true },
      { location: "query", style: "form", explode: true, type: { kind: "record" } },
    ]);
    expect(parameters[1]).not.toHaveProperty("mediaType");
  });
});
