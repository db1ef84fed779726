// OpenAPI 3.1, sections 4.8.18 (Callback Object), 4.8.20 (Link Object) and 4.8.21 (Header Object).
import { describe, expect, it } from "vitest";
import { noResponse, onePath, readText } from "./testing/read-text.ts";

const answer = (members: string): string => `responses: { "200": { description: "", ${members} } }`;

describe("a header", () => {
  it.each([
    ["a schema", "schema: { type: integer }", "number"],
    ["the only media type of its content", "content: { text/plain: { schema: { type: integer } } }", "number"],
    ["a media type without a schema", "content: { text/plain: {} }", "any"],
    ["no media type at all", "content: {}", "any"],
    [
      "a schema before its content",
      "schema: { type: boolean }, content: { a/b: { schema: { type: integer } } }",
      "boolean",
    ],
  ])("has the type of %s", async (_what, members, kind) => {
    const { operation } = await readText(onePath(answer(`headers: { X-Total: { ${members} } }`)));
    expect(operation.successes[0].headers).toMatchObject([
      { name: "X-Total", property: "xTotal", required: false, type: { kind } },
    ]);
  });

  it("may be one of the components of a media type in 3.2", async () => {
    const { operation } = await readText(
      `${onePath(answer('headers: { X-Total: { content: { a/b: { $ref: "#/components/mediaTypes/A" } } } }'))}
components: { mediaTypes: { A: { schema: { type: integer } } } }
`,
      { version: "3.2.0" },
    );
    expect(operation.successes[0].headers).toMatchObject([{ type: { kind: "number" } }]);
  });

  it("is none whose media type leads nowhere", async () => {
    const { operation, codes } = await readText(
      onePath(answer('headers: { X-Total: { content: { a/b: { $ref: "#/components/mediaTypes/A" } } } }')),
      { version: "3.2.0" },
    );
    expect(operation.successes[0].headers).toMatchObject([{ type: { kind: "any" } }]);
    expect(codes).toContain("source/unresolved-reference");
  });

  it("has documentation where there is some, and is ignored where it says the media type", async () => {
    const { operation } = await readText(
      onePath(
        answer(
          "headers: { content-type: { schema: {} }, X-Total: { schema: {}, description: A., required: true }, X-B: { schema: {}, deprecated: true }, x_total: { schema: {}, deprecated: false } }",
        ),
      ),
    );
    const [first, second, third, ...others] = operation.successes[0].headers;
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      name: "X-Total",
      property: "xTotal",
      required: true,
      documentation: { description: "A." },
    });
    expect(first?.documentation).not.toHaveProperty("deprecated");
    expect(second?.documentation).toEqual({ deprecated: true });
    expect(third).toMatchObject({ name: "x_total", property: "xTotal2" });
    expect(third).not.toHaveProperty("documentation");
  });

  it("may not be given both ways, nor lead to what is no header", async () => {
    const { diagnostics } = await readText(
      onePath(answer("headers: { X-Total: { schema: {}, content: { a/b: {} } }, X-B: { style: form, schema: {} } }")),
    );
    expect(diagnostics.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^A header/) as string,
      expect.stringMatching(/^A header/) as string,
    ]);
  });
});

describe("a callback", () => {
  const callback = '{ "{$request.body#/url}": { post: { responses: { "204": { description: "" } } } } }';
  const operation = (id: string, reference: string): string =>
    `{ operationId: ${id}, callbacks: { done: ${reference} }, ${noResponse} }`;

  it("that several operations share belongs to the first of them", async () => {
    const reference = '{ $ref: "#/components/callbacks/Done" }';
    const { model, codes } = await readText(`
paths:
  /a: { post: ${operation("a", reference)} }
  /b: { post: ${operation("b", reference)} }
components: { callbacks: { Done: ${callback} } }
`);
    expect(codes).toEqual([]);
    expect(model.incoming).toMatchObject([{ name: "aDone", origin: "POST a done", trigger: { operation: "a" } }]);
  });

  it("is left out with the operation, and kept where another has it as well", async () => {
    const text = `
paths:
  /a: { post: ${operation("a", callback)} }
  /b: { post: ${operation("b", callback)} }
`;
    const { model } = await readText(text, { readOptions: { operations: { a: { skip: true } } } });
    expect(model.incoming?.map(({ name }) => name)).toEqual(["bDone"]);
  });

  it("is called by the operation that requests it, or by its path", async () => {
    const { model } = await readText(`paths: { /a: { post: { callbacks: { done: ${callback} }, ${noResponse} } } }`);
    expect(model.incoming).toMatchObject([{ name: "postADone", trigger: { operation: "postA", name: "done" } }]);
  });

  it.each([
    "$url",
    "$method",
    "$statusCode",
    "$self",
    "$request.body",
    "$request.body#/a/b",
    "$response.body#/a",
    "$request.header.x-a",
    "$request.query.a",
    "$response.path.b",
    "https://a.example/{$request.body#/a}/b?c={$url}",
    "https://a.example/b",
    "x-own",
  ])("may be made to %s", async (expression) => {
    const named = callback.replace("{$request.body#/url}", expression);
    expect((await readText(`paths: { /a: { post: ${operation("a", named)} } }`)).codes).toEqual([]);
  });

  it.each([
    ["$urls", '"$urls" is none'],
    ["$request", '"$request" is none'],
    ["$request.cookie.a", '"$request.cookie.a" is none'],
    ["$request.header.a b", '"$request.header.a b" is none'],
    ["$request.query.", '"$request.query." is none'],
    ["x{$url}{url}", '"url" is none'],
    ["{}", '"" is none'],
    ["a$url}", "its braces do not match"],
    ["{$url}{", "its braces do not match"],
  ])("may not be made to %s", async (expression, problem) => {
    const named = callback.replace("{$request.body#/url}", expression);
    const { diagnostics } = await readText(`paths: { /a: { post: ${operation("a", named)} } }`);
    expect(diagnostics).toMatchObject([{ code: "openapi/wrong-callback-expression" }]);
    expect(diagnostics[0]?.message).toContain(`: ${problem}.`);
  });
});

describe("a webhook", () => {
  const hook = `{ post: { ${noResponse} } }`;

  it("is unknown to 3.0, and an extension is none", async () => {
    const text = `paths: {}\nwebhooks: { new: ${hook}, x-own: ${hook} }\n`;
    expect((await readText(text)).model.incoming?.map(({ name }) => name)).toEqual(["new"]);
    expect((await readText(text, { version: "3.0.3" })).model).not.toHaveProperty("incoming");
  });

  it("has callbacks of its own", async () => {
    const { model } = await readText(
      `paths: {}\nwebhooks: { new: { post: { callbacks: { done: { $url: ${hook} } }, ${noResponse} } } }\n`,
    );
    expect(model.incoming?.map(({ name, trigger }) => [name, trigger.kind])).toEqual([
      ["new", "webhook"],
      ["postNewDone", "callback"],
    ]);
  });
});

describe("a link", () => {
  const target = `/b/{id}: { get: { operationId: b, parameters: [{ name: id, in: path, required: true, schema: {} }, { name: id, in: query, schema: {} }], ${noResponse} } }`;
  const linked = (link: string): string =>
    `paths:\n  /a: { get: { operationId: a, ${answer(`links: { next: ${link} }`)} } }\n  ${target}\n`;

  it.each([
    ["an operationId", "{ operationId: b }"],
    ["a reference to an operation", '{ operationRef: "#/paths/~1b~1{id}/get" }'],
  ])("leads to %s", async (_what, link) => {
    const { operation, codes } = await readText(linked(link));
    expect(codes).toEqual([]);
    expect(operation.links).toMatchObject([{ name: "next", operation: "b", inputs: {} }]);
    expect(operation.links[0]).not.toHaveProperty("description");
  });

  it("says which input each parameter stands for", async () => {
    const { operation, codes } = await readText(
      linked("{ operationId: b, description: On., parameters: { id: 1, query.id: 2, path.id: 3 }, requestBody: 4 }"),
    );
    expect(codes).toEqual([]);
    expect(operation.links).toMatchObject([{ description: "On.", inputs: { id: 3, idInQuery: 2 } }]);
    expect(operation.links[0]?.inputs).not.toHaveProperty("body");
  });

  it.each([
    ["nothing", "{}", "openapi/link-without-target", "leads nowhere"],
    ["two operations", '{ operationId: b, operationRef: "#/paths/~1b" }', "openapi/link-without-target", "has both"],
    [
      "what is no operation",
      '{ operationRef: "#/paths/~1a" }',
      "openapi/link-without-target",
      'refers to "#/paths/~1a", which is not an operation',
    ],
    ["nowhere", '{ operationRef: "#/paths/~1c" }', "source/unresolved-reference", "#/paths/~1c"],
    ["an unknown operation", "{ operationId: B }", "openapi/unknown-link-target", '(did you mean "b"?)'],
    ["a number", "{ operationId: 5 }", "openapi/unknown-link-target", '"5"'],
    [
      "a parameter that is not there",
      "{ operationId: b, parameters: { other: 1 } }",
      "openapi/unknown-link-parameter",
      "GET /b/{id}",
    ],
    [
      "a header that is not there",
      "{ operationId: b, parameters: { header.id: 1 } }",
      "openapi/unknown-link-parameter",
      "header.id",
    ],
    [
      "a reference that leads nowhere",
      '{ $ref: "#/components/links/a" }',
      "source/unresolved-reference",
      "components/links/a",
    ],
  ])("that leads to %s is reported", async (_what, link, code, part) => {
    const { diagnostics } = await readText(linked(link));
    const reported = diagnostics.filter((one) => one.code === code);
    expect(reported.map(({ message }) => message)).toEqual([expect.stringContaining(part) as string]);
  });

  it.each(["operationId: b", 'operationRef: "#/paths/~1b~1{id}/get"'])(
    "to an operation that is left out is none, and no mistake: %s",
    async (members) => {
      const { operation, codes } = await readText(linked(`{ ${members} }`), {
        readOptions: { operations: { b: { skip: true } } },
      });
      expect([operation.links, codes]).toEqual([[], []]);
    },
  );
});
