import type { Content } from "@nodewright/model";
import { describe, expect, it } from "vitest";
import { noResponse, onePath, readText } from "./testing/read-text.ts";

async function readBody(content: string, version?: string) {
  const read = await readText(
    onePath(`requestBody:\n  content:\n${content.trim().replaceAll(/^/gm, "    ")}\n${noResponse}`),
    version === undefined ? {} : { version },
  );
  return { ...read, contents: read.operation.body?.contents ?? [] };
}

async function readResponse(responses: string, method = "post", version?: string) {
  const text = onePath(`responses:\n${responses.trim().replaceAll(/^/gm, "  ")}`).replace("post:", `${method}:`);
  return readText(text, version === undefined ? {} : { version });
}

function facts({ form, type }: Content) {
  return [form, type.kind];
}

describe("a body", () => {
  it.each([
    ["application/json", "{ type: object }", "json", "record"],
    ["application/problem+json; charset=utf-8", "{ type: object }", "json", "record"],
    ["text/plain", "{ type: string }", "text", "string"],
    ["text/plain", "{ type: integer }", "text", "number"],
    ["text/csv", "{ type: array }", "text", "string"],
    ["application/vnd.github.diff", "{ type: string }", "text", "string"],
    ["application/vnd.example.v2", "{ type: object }", "json", "record"],
    ["application/xml", "{ type: object }", "text", "string"],
    ["application/octet-stream", "{ type: string, format: binary }", "binary", "bytes"],
    ["application/octet-stream", "{}", "binary", "bytes"],
    ["application/pdf", "{ type: string, format: binary }", "binary", "bytes"],
    ["image/*", "{}", "binary", "bytes"],
    ["image/svg+xml", "{ type: string }", "text", "string"],
    ["application/zip", "{ type: string, contentMediaType: application/zip }", "binary", "bytes"],
    ["application/base64", "{ type: string, contentEncoding: base64, contentMediaType: image/png }", "text", "string"],
    ['"*/*"', "{}", "binary", "bytes"],
    ['"*/*"', "{ type: string }", "text", "string"],
    ['"*/*"', "{ type: object }", "json", "record"],
    ["application/x-www-form-urlencoded", "{ type: object }", "form", "record"],
    ["multipart/form-data", "{ type: object }", "multipart", "record"],
    ["multipart/mixed", "{ type: object }", "multipart", "record"],
    ["text/event-stream", "{ type: object }", "event-stream", "record"],
    ["application/x-ndjson", "{ type: array, items: { type: object } }", "json-lines", "record"],
    ["application/jsonl", "{ type: object }", "json-lines", "record"],
    ["application/json-seq", "{ type: object }", "json-lines", "record"],
  ])("of %s with the schema %s is %s", async (mediaType, schema, form, kind) => {
    const { contents, diagnostics } = await readBody(`${mediaType}: { schema: ${schema} }`);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(contents.map(facts)).toEqual([[form, kind]]);
  });

  it("is reported once when its schema cannot be applied, and not where JSON is next to it", async () => {
    const { codes } = await readBody("application/xml: { schema: { type: object } }");
    expect(codes).toEqual(["openapi/opaque-content"]);
    const beside = await readBody(
      "application/json: { schema: { type: object } }\napplication/xml: { schema: { type: object } }",
    );
    expect(beside.codes).toEqual([]);
    expect(beside.contents.map(({ form }) => form)).toEqual(["json", "text"]);
  });

  it("may be anything where its schema is null, which is reported once", async () => {
    const { contents, diagnostics } = await readBody("application/json: { schema: }\napplication/a+json: { schema: }");
    expect(contents.map(({ type }) => type.kind)).toEqual(["any", "any"]);
    expect(diagnostics).toMatchObject([{ code: "openapi/null-schema", severity: "warning" }]);
  });

  it("is left out of requests with a method that has none, and told of only where it could hold something", async () => {
    const content = (schema: string) =>
      `requestBody: { content: { application/json: { schema: ${schema} } } }\n${noResponse}`;
    const empty = await readText(onePath(content("{ type: object, properties: {} }")).replace("post:", "get:"));
    expect([empty.operation.body, empty.codes]).toEqual([undefined, []]);
    const full = await readText(onePath(content("{ properties: { a: {} }, type: object }")).replace("post:", "get:"));
    expect([full.operation.body, full.codes]).toEqual([undefined, ["openapi/body-of-get"]]);
    const open = await readText(onePath(content("{ type: object }")).replace("post:", "get:"));
    expect([open.operation.body, open.codes]).toEqual([undefined, ["openapi/body-of-get"]]);
    const deleting = await readText(onePath(content("{ type: object }")).replace("post:", "delete:"));
    expect(deleting.operation.body?.contents).toHaveLength(1);
    const untyped = await readText(
      onePath(`requestBody: { content: { application/json: {} } }\n${noResponse}`).replace("post:", "get:"),
    );
    expect([untyped.operation.body, untyped.codes]).toEqual([undefined, []]);
  });
});

describe("a multipart body", () => {
  it.each([
    ["3.0.3", "{ type: string, format: binary }"],
    ["3.1.0", "{ type: string, contentMediaType: image/png }"],
    ["3.1.0", "{ contentMediaType: application/octet-stream }"],
    ["3.1.0", '{ $ref: "#/components/schemas/File" }'],
  ])("has files as bytes in version %s: %s", async (version, file) => {
    const { operation, codes } = await readText(
      `${onePath(`requestBody: { content: { multipart/form-data: { schema: { $ref: "#/components/schemas/Upload" } } } }\n${noResponse}`)}
components:
  schemas:
    File: { type: string, contentMediaType: application/octet-stream }
    Upload:
      allOf:
        - { $ref: "#/components/schemas/Named" }
        - { type: object, properties: { photo: ${file}, more: { type: array, items: ${file} } } }
    Named: { type: object, properties: { name: { type: string } } }
`,
      { version },
    );
    expect(codes).toEqual([]);
    expect(operation.body?.contents[0]?.type).toMatchObject({
      kind: "intersection",
      members: [
        { kind: "record", members: [{ name: "name", type: { kind: "string" } }] },
        {
          kind: "record",
          members: [
            { name: "photo", type: { kind: "bytes" } },
            { name: "more", type: { kind: "list", element: { kind: "bytes" } } },
          ],
        },
      ],
    });
  });

  it("without files refers to its declaration", async () => {
    const { operation } = await readText(
      `${onePath(`requestBody: { content: { multipart/form-data: { schema: { $ref: "#/components/schemas/Named" } } } }\n${noResponse}`)}
components: { schemas: { Named: { type: object, properties: { name: { type: string } } } } }
`,
    );
    expect(operation.body?.contents[0]?.type).toMatchObject({ kind: "reference", target: "Named" });
  });

  it("says how its properties are written", async () => {
    const { contents, codes } = await readBody(`
multipart/form-data:
  schema:
    type: object
    properties:
      photo: { type: string, contentMediaType: image/png }
      note: { type: string }
      tags: { type: array, items: { type: string } }
      address: { type: object }
  encoding:
    note: { contentType: text/markdown, headers: { X-Language: { required: true, schema: { type: string } } } }
    tags: { style: pipeDelimited, explode: false, allowReserved: true }
    photo: { contentType: "image/png, image/jpeg" }
`);
    expect(codes).toEqual([]);
    expect(contents[0]?.encoding).toMatchObject({
      photo: { contentType: "image/png, image/jpeg" },
      note: { contentType: "text/markdown", headers: [{ name: "X-Language", property: "xLanguage", required: true }] },
      tags: { style: "pipeDelimited", explode: false, allowReserved: true },
    });
  });

  it("takes a text for a file where its encoding names the type of a file", async () => {
    const { contents } = await readBody(`
multipart/form-data:
  schema: { type: object, properties: { photo: { type: string }, note: { type: string } } }
  encoding: { photo: { contentType: image/png }, note: { contentType: text/plain } }
`);
    expect(contents[0]?.type).toMatchObject({ members: [{ type: { kind: "bytes" } }, { type: { kind: "string" } }] });
  });
});

describe("a stream", () => {
  it("of events has the type of their data, as contentSchema spells it", async () => {
    const { operation, codes } = await readResponse(
      `
"200":
  description: Events.
  content:
    text/event-stream:
      itemSchema:
        type: object
        properties:
          event: { type: string }
          data: { type: string, contentMediaType: application/json, contentSchema: { type: object, properties: { a: {} } } }
`,
      "get",
      "3.2.0",
    );
    expect(codes).toEqual([]);
    expect(operation.successes[0].content).toMatchObject({
      form: "event-stream",
      type: { kind: "record", members: [{ name: "a" }] },
    });
  });

  const readEvents = async (itemSchema: string) => {
    const { operation } = await readResponse(
      `"200": { description: Events., content: { text/event-stream: { itemSchema: ${itemSchema} } } }`,
      "get",
      "3.2.0",
    );
    return operation.successes[0].content?.type;
  };
  const event = (name: string, data: string) =>
    `{ properties: { event: { const: ${name} }, data: { type: string, ${data} } } }`;

  it("of several events has the types of the data of all", async () => {
    const json = (type: string) => `contentMediaType: application/json, contentSchema: { type: ${type} }`;
    const twoKinds = `oneOf: [${event("add", json("number"))}, { allOf: [${event("drop", json("boolean"))}] }]`;
    const members = [{ kind: "number" }, { kind: "boolean" }];
    expect(await readEvents(`{ ${twoKinds} }`)).toMatchObject({ kind: "union", members });
    const around = "properties: { event: { type: string }, data: { type: string }, id: { type: string } }";
    expect(await readEvents(`{ ${around}, ${twoKinds} }`)).toMatchObject({ kind: "union", members });
  });

  it("of events with text among others has texts", async () => {
    const mixed = `oneOf: [${event("add", "contentSchema: { type: number }")}, ${event("say", "maxLength: 5")}]`;
    expect(await readEvents(`{ ${mixed} }`)).toMatchObject({ members: [{ kind: "string" }, { kind: "string" }] });
  });

  it("of events with data of no type among others is not read as JSON", async () => {
    const untyped = "{ properties: { event: { const: say }, data: { description: Anything. } } }";
    const mixed = `oneOf: [${event("add", "contentSchema: { type: number }")}, ${untyped}]`;
    expect(await readEvents(`{ ${mixed} }`)).toMatchObject({ members: [{ kind: "string" }, { kind: "any" }] });
  });

  it("of what is no event in each alternative has that itself", async () => {
    const other = "{ type: object, properties: { data: {}, total: {} } }";
    expect(await readEvents(`{ oneOf: [${event("add", "maxLength: 5")}, ${other}] }`)).toMatchObject({
      mode: "one-of",
      members: [{ kind: "record" }, { kind: "record" }],
    });
  });

  it("of lines has the type of an item", async () => {
    const { operation } = await readResponse(
      '"200": { description: Lines., content: { application/jsonl: { itemSchema: { type: integer } } } }',
      "get",
      "3.2.0",
    );
    expect(operation.successes[0].content).toMatchObject({ form: "json-lines", type: { kind: "number" } });
  });
});

describe("the responses of an operation", () => {
  it("are one success for each status and media type, JSON first", async () => {
    const { operation, codes } = await readResponse(`
"201": { description: Created., content: { text/plain: { schema: { type: string } }, application/json: { schema: { type: object } } } }
"200": { description: Found., content: { application/pdf: {} } }
"303": { description: Elsewhere., headers: { Location: { schema: { type: string } } } }
2XX: { description: Another success. }
`);
    expect(codes).toEqual([]);
    expect(operation.successes.map(({ status, content }) => [status, content?.mediaType])).toEqual([
      [201, "application/json"],
      [201, "text/plain"],
      [200, "application/pdf"],
      ["2XX", undefined],
    ]);
    expect(operation.failures.map(({ name, status }) => [name, status])).toEqual([["SeeOther", 303]]);
  });

  it("succeed by sending callers elsewhere where nothing else is a success", async () => {
    const { operation } = await readResponse('"302": { description: Elsewhere. }\n"404": { description: Nowhere. }');
    expect(operation.successes.map(({ status }) => status)).toEqual([302]);
    expect(operation.failures.map(({ status }) => status)).toEqual([404]);
  });

  it("are the same response under two names once", async () => {
    const { operation } = await readResponse(`
"200":
  description: As frameworks write it.
  content:
    text/plain: { schema: { type: object, properties: { a: { type: string } } } }
    application/json: { schema: { type: object, properties: { a: { type: string } } } }
    text/json: { schema: { type: object, properties: { a: { type: string } } } }
`);
    expect(operation.successes.map(({ content }) => content?.mediaType)).toEqual(["application/json"]);
  });

  it("have no body where HTTP has none", async () => {
    const content = "content: { application/json: { schema: { type: object } } }";
    const { operation } = await readResponse(`
"204": { description: Done., ${content} }
"304": { description: Not changed., ${content} }
`);
    expect(operation.successes.map((success) => success.content)).toEqual([undefined]);
    expect(operation.failures.map(({ contents }) => contents)).toEqual([[]]);
    const head = await readResponse(`"200": { description: Only headers., ${content} }`, "head");
    expect(head.operation.successes.map((success) => success.content)).toEqual([undefined]);
  });

  it("are successes and failures where only default is described", async () => {
    const { operation, codes } = await readResponse(
      "default: { description: Anything., content: { application/json: { schema: { type: object } } } }",
    );
    expect(codes).toEqual([]);
    expect(operation.successes).toMatchObject([{ status: "2XX", content: { form: "json" } }]);
    expect(operation.failures).toMatchObject([{ status: "default", name: "Unexpected" }]);
  });

  it("name classes of failures and leave out what only announces a response", async () => {
    const { operation } = await readResponse(`
"102": { description: Wait. }
"200": { description: Done. }
"404": { description: None. }
4XX: { description: Your mistake. }
5XX: { description: Our mistake. }
`);
    expect(operation.successes.map(({ status }) => status)).toEqual([200]);
    expect(operation.failures.map(({ name, status }) => [name, status])).toEqual([
      ["NotFound", 404],
      ["ClientError", "4XX"],
      ["ServerError", "5XX"],
    ]);
  });

  it("are reported once where no success is described", async () => {
    const { operation, codes } = await readResponse('"410": { description: Gone. }');
    expect(codes).toEqual(["openapi/no-success"]);
    expect(operation.successes).toMatchObject([{ status: "2XX" }]);
  });
});
