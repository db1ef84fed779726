// OpenAPI 3.1, section 4.8.14; OpenAPI 3.2, sections 4.14.2 to 4.14.4: effect of a body's schema on its form.
import { describe, expect, it } from "vitest";
import { noResponse, onePath, readText, type TextOptions } from "./testing/read-text.ts";

async function contentOf(mediaType: string, members: string, rest = "", options: TextOptions = {}) {
  const { operation, codes } = await readText(
    `${onePath(`requestBody: { content: { "${mediaType}": { ${members} } } }\n${noResponse}`)}${rest}`,
    options,
  );
  return { content: operation.body?.contents[0], codes };
}

describe("a body whose media type leaves open how it is written", () => {
  const open = "application/vnd.example";

  it.each<[string, string]>([
    ["{}", "binary"],
    ["{ type: object }", "json"],
    ["{ type: array }", "json"],
    ["{ type: [array, 'null'] }", "json"],
    ["{ properties: {} }", "json"],
    ["{ items: {} }", "json"],
    ["{ type: integer }", "json"],
    ["{ type: number }", "json"],
    ["{ type: boolean }", "json"],
    ["{ type: [boolean, 'null'] }", "json"],
    ["{ type: string }", "text"],
    ["{ type: [string, 'null'] }", "text"],
    ["{ enum: [1, a] }", "text"],
    ["{ const: a }", "text"],
    ["{ enum: [1] }", "binary"],
    ["{ type: string, format: binary }", "binary"],
    ["{ type: string, format: date }", "text"],
    ["{ contentMediaType: image/png }", "binary"],
    ["{ type: string, contentMediaType: image/png }", "binary"],
    ["{ type: string, contentMediaType: text/html }", "text"],
    ["{ type: string, contentMediaType: image/png, contentEncoding: base64 }", "text"],
    ["{ allOf: [{}, { type: object }] }", "json"],
    ["{ anyOf: [{ type: string }, { type: object }] }", "text"],
    ["{ oneOf: [{ $ref: '#/components/schemas/A' }] }", "json"],
    ["{ $ref: '#/components/schemas/Circle' }", "json"],
    ["{ $ref: '#/components/schemas/Nowhere' }", "binary"],
  ])("is %s as its schema says: %s", async (schema, form) => {
    const rest =
      "components: { schemas: { A: { type: object }, Circle: { anyOf: [{ $ref: '#/components/schemas/Circle' }, { type: object }] } } }\n";
    const { content } = await contentOf(open, `schema: ${schema}`, rest);
    expect(content?.form).toBe(form);
  });

  it("is bytes where its schema says so, though its media type is a text", async () => {
    const { content } = await contentOf("text/plain", "schema: { format: binary }");
    expect([content?.form, content?.type.kind]).toEqual(["binary", "bytes"]);
  });

  it.each([
    [open, "binary", "bytes"],
    ["application/json", "json", "any"],
    ["text/plain", "text", "string"],
    ["image/png", "binary", "bytes"],
    ["multipart/form-data", "multipart", "any"],
    ["text/event-stream", "event-stream", "any"],
  ])("has no schema: %s", async (mediaType, form, kind) => {
    const { content, codes } = await contentOf(mediaType, "");
    expect([content?.form, content?.type.kind, codes]).toEqual([form, kind, []]);
  });
});

describe("the files of a multipart body", () => {
  const multipart = (schema: string, rest = "", encoding = "{}") =>
    contentOf("multipart/form-data", `schema: ${schema}, encoding: ${encoding}`, rest);
  const fieldsOf = async (...parameters: Parameters<typeof multipart>) => {
    const { content } = await multipart(...parameters);
    const type = content?.type;
    return type?.kind === "record" ? type.members.map((field) => [field.name, field.type.kind]) : type?.kind;
  };
  const file = "{ type: string, format: binary }";

  it("are properties of bytes, alone or in lists, with what is said of them", async () => {
    const { content } = await multipart(
      `{ type: object, properties: { a: { type: string, format: binary, description: A. }, b: { type: array, maxItems: 2, items: ${file} }, c: { type: string } } }`,
    );
    expect(content?.type).toMatchObject({
      members: [
        { name: "a", type: { kind: "bytes", documentation: { description: "A." } } },
        { name: "b", type: { kind: "list", maxItems: 2, element: { kind: "bytes" } } },
        { name: "c", type: { kind: "string" } },
      ],
    });
  });

  it.each([
    ["an alternative", `{ anyOf: [{ type: 'null' }, ${file}] }`, "bytes"],
    ["one of several", `{ oneOf: [${file}, { type: string }] }`, "bytes"],
    ["a part", `{ allOf: [${file}] }`, "bytes"],
    ["a list of lists", `{ type: array, items: { type: array, items: ${file} } }`, "list"],
    ["a reference", "{ $ref: '#/components/schemas/File' }", "bytes"],
    ["a text", "{ type: string }", "string"],
    ["nothing", "{ $ref: '#/components/schemas/Nowhere' }", "any"],
  ])("may be %s", async (_what, property, kind) => {
    const rest = `components: { schemas: { File: ${file} } }\n`;
    const { content } = await multipart(`{ type: object, properties: { a: ${property}, z: ${file} } }`, rest);
    const fields = content?.type.kind === "record" ? content.type.members : [];
    if (kind !== "any") expect(fields[0]?.type.kind).toBe(kind);
    expect(fields.at(-1)?.type.kind).toBe("bytes");
  });

  it.each([
    ["{ type: string }", "image/png", "bytes"],
    ["{}", "image/png", "bytes"],
    ["{ type: string }", "text/plain, image/png", "bytes"],
    ["{ type: string }", "text/plain", "string"],
    ["{ type: string, contentEncoding: base64 }", "image/png", "string"],
    ["{ type: object }", "image/png", "record"],
    ["{ type: string }", "application/json", "string"],
  ])("may be named by the encoding: %s of %s", async (property, contentType, kind) => {
    const fields = await fieldsOf(
      `{ type: object, properties: { a: ${property} } }`,
      "",
      `{ a: { contentType: "${contentType}" } }`,
    );
    expect(fields).toEqual([["a", kind]]);
  });

  it("are found in schemas that refer to themselves and to each other", async () => {
    const rest = `components:
  schemas:
    A: { allOf: [{ $ref: '#/components/schemas/B' }, { type: object, properties: { a: ${file} } }] }
    B: { type: object, properties: { b: ${file}, self: { $ref: '#/components/schemas/B' } }, anyOf: [{ $ref: '#/components/schemas/C' }] }
    C: { type: object, properties: { c: ${file} }, unevaluatedProperties: false }
`;
    const { content } = await multipart("{ $ref: '#/components/schemas/A' }", rest);
    const kinds: string[] = [];
    JSON.stringify(content?.type, (_name, member: { name?: string; type?: { kind: string } }) => {
      if (member?.name !== undefined && member.type !== undefined) kinds.push(`${member.name} ${member.type.kind}`);
      return member;
    });
    expect(kinds.toSorted()).toEqual(["a bytes", "b bytes", "c bytes", "self reference"]);
  });

  it("do not end the reading of schemas that are defined as themselves", async () => {
    const rest = `components: { schemas: { A: { allOf: [{ $ref: '#/components/schemas/A' }], type: object, properties: { a: ${file} } } } }\n`;
    const { content } = await multipart("{ $ref: '#/components/schemas/A' }", rest);
    expect(JSON.stringify(content?.type)).toContain('"kind":"bytes"');
  });

  it("may stand next to a reference, and not in 3.0", async () => {
    const schema = `{ $ref: '#/components/schemas/A', properties: { a: ${file} } }`;
    const rest = "components: { schemas: { A: { type: object, properties: { b: { type: string } } } } }\n";
    const { codes } = await contentOf("multipart/form-data", `schema: ${schema}, encoding: { a: {} }`, rest);
    expect(codes).not.toContain("openapi/unknown-encoding");
    const old = await contentOf("multipart/form-data", `schema: ${schema}, encoding: { a: {} }`, rest, {
      version: "3.0.3",
    });
    expect(old.codes).toContain("openapi/unknown-encoding");
  });

  it("say their media type themselves, where no encoding does", async () => {
    const image = "{ type: string, contentMediaType: image/png }";
    const schema = `{ type: object, properties: { a: ${image}, b: { type: array, items: ${image} }, c: ${image}, d: { type: string, contentMediaType: text/html } } }`;
    const { content } = await multipart(schema, "", "{ c: { contentType: image/jpeg, style: form, explode: true } }");
    expect(content?.encoding).toEqual({
      a: { contentType: "image/png" },
      b: { contentType: "image/png" },
      c: { contentType: "image/jpeg", style: "form", explode: true },
    });
    expect((await multipart("{ type: object, properties: { a: { type: string } } }")).content).not.toHaveProperty(
      "encoding",
    );
  });
});

describe("an item of a stream", () => {
  const itemOf = async (mediaType: string, members: string): Promise<string | undefined> => {
    const { content } = await contentOf(
      mediaType,
      members,
      "components: { schemas: { List: { type: array, items: { type: boolean } }, Text: { type: string }, Spelled: { type: string, contentSchema: { type: boolean } } } }\n",
      { version: "3.2.0" },
    );
    return content?.type.kind;
  };
  const lines = "application/jsonl";
  const events = "text/event-stream";
  const event = (data: string): string => `{ type: object, properties: { event: { type: string }, data: ${data} } }`;

  it.each<[string, string, string, string]>([
    ["the item schema", lines, "itemSchema: { type: integer }", "number"],
    ["an item schema that is a list", lines, "itemSchema: { type: array }", "list"],
    ["the items of a list", lines, "schema: { type: array, items: { type: integer } }", "number"],
    ["the items of a list by reference", lines, "schema: { $ref: '#/components/schemas/List' }", "boolean"],
    ["a list of anything", lines, "schema: { type: array }", "list"],
    ["a schema that is no list", lines, "schema: { items: { type: integer }, type: object }", "record"],
    [
      "what looks like an event among lines",
      lines,
      `itemSchema: ${event("{ type: string, contentSchema: { type: boolean } }")}`,
      "record",
    ],
    ["the text of an event", events, `itemSchema: ${event("{ type: string }")}`, "string"],
    ["the text of an event without a type", events, `itemSchema: ${event("{ minLength: 1 }")}`, "string"],
    [
      "the JSON of an event",
      events,
      `itemSchema: ${event("{ type: string, contentSchema: { type: boolean } }")}`,
      "boolean",
    ],
    [
      "the JSON of an event without a type",
      events,
      `itemSchema: ${event("{ contentSchema: { type: boolean } }")}`,
      "boolean",
    ],
    [
      "the JSON of an event by reference",
      events,
      `itemSchema: ${event("{ $ref: '#/components/schemas/Spelled' }")}`,
      "boolean",
    ],
    [
      "the text of an event by reference",
      events,
      `itemSchema: ${event("{ $ref: '#/components/schemas/Text' }")}`,
      "reference",
    ],
    ["the value of an event", events, `itemSchema: ${event("{ type: integer }")}`, "number"],
    [
      "an object with data alone",
      events,
      "itemSchema: { type: object, properties: { data: { type: integer } } }",
      "record",
    ],
    [
      "an object with data and more",
      events,
      "itemSchema: { type: object, properties: { data: { type: integer }, event: {}, more: {} } }",
      "record",
    ],
    ["an object without data", events, "itemSchema: { type: object, properties: { event: {}, id: {} } }", "record"],
    [
      "an event with all of its fields",
      events,
      "itemSchema: { type: object, properties: { data: { type: boolean }, event: {}, id: {}, retry: {}, comment: {} } }",
      "boolean",
    ],
    [
      "an event in parts",
      events,
      "itemSchema: { allOf: [{ properties: { event: {} } }, { properties: { data: { type: boolean } } }] }",
      "boolean",
    ],
    ["the event of a list", events, `schema: { type: array, items: ${event("{ type: boolean }")} }`, "boolean"],
  ])("is %s", async (_what, mediaType, members, kind) => {
    expect(await itemOf(mediaType, members)).toBe(kind);
  });

  it.each([
    "type: integer",
    "$ref: '#/components/schemas/List'",
    "contentSchema: { type: integer }",
    "const: 1",
    "enum: [1]",
  ])("takes the data that says most: %s", async (members) => {
    const around = (data: string, inner: string): string =>
      `itemSchema: { properties: { event: {}, data: ${data} }, allOf: [{ properties: { data: ${inner} } }] }`;
    const alone = await itemOf(events, around(`{ ${members} }`, "{ description: A. }"));
    expect(await itemOf(events, around("{ description: A. }", `{ ${members} }`))).toBe(alone);
  });

  it("is not looked for without an end", async () => {
    const deep = (depth: number): string =>
      depth === 0 ? event("{ type: boolean }") : `{ allOf: [${deep(depth - 1)}] }`;
    expect(await itemOf(events, `itemSchema: ${deep(8)}`)).toBe("boolean");
    expect(await itemOf(events, `itemSchema: ${deep(9)}`)).toBe("record");
    const wide = `oneOf: [${Array.from({ length: 1001 }, () => event("{ type: boolean }")).join()}]`;
    expect(await itemOf(events, `itemSchema: { ${wide} }`)).toBe("union");
  });
});
