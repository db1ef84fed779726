// OpenAPI 3.1, sections 4.8.8 (Paths Object), 4.8.9 (Path Item Object) and 4.8.10 (Operation Object).
import { describe, expect, it } from "vitest";
import { noResponse, onePath, readText } from "./testing/read-text.ts";

const json = "application/json: { schema: { type: object } }";
const csv = "text/csv: { schema: { type: string } }";

async function propertiesOf(members: string): Promise<readonly string[]> {
  const names = ["accept", "contentType", "body"];
  const parameters = names.map((name) => `{ name: ${name}, in: query, schema: {} }`);
  const { operation } = await readText(onePath(`parameters: [${parameters.join()}]\n${members}`));
  return operation.parameters.map(({ property }) => property);
}

describe("the inputs of an operation that are no parameters", () => {
  it.each([
    ["the body, whether there is one or not", noResponse, ["accept", "contentType", "bodyInQuery"]],
    [
      "the media type of a body that has several",
      `requestBody: { content: { ${json}, ${csv} } }\n${noResponse}`,
      ["accept", "contentTypeInQuery", "bodyInQuery"],
    ],
    [
      "no media type of a body that has one",
      `requestBody: { content: { ${json} } }\n${noResponse}`,
      ["accept", "contentType", "bodyInQuery"],
    ],
    [
      "the media type of a response that has several",
      `responses: { "200": { description: "", content: { ${json}, ${csv} } } }`,
      ["acceptInQuery", "contentType", "bodyInQuery"],
    ],
    [
      "no media type where each status has one",
      `responses: { "200": { description: "", content: { ${json} } }, "201": { description: "", content: { ${csv} } } }`,
      ["accept", "contentType", "bodyInQuery"],
    ],
  ])("are %s", async (_what, members, expected) => {
    expect(await propertiesOf(members)).toEqual(expected);
  });
});

describe("the documentation of an operation", () => {
  it.each([
    ["its own", "summary: A, description: B", "summary: C, description: D", { summary: "A", description: "B" }],
    ["that of its path", "x-own: 1", "summary: C, description: D", { summary: "C", description: "D" }],
    ["some of each", "summary: A", "description: D", { summary: "A", description: "D" }],
    ["none", "x-own: 1", "x-own: 1", {}],
    ["that it is deprecated", "deprecated: true", "x-own: 1", { deprecated: true }],
    ["not that it is in use", "deprecated: false", "x-own: 1", {}],
  ])("is %s", async (_what, own, shared, documentation) => {
    const { operation } = await readText(
      `paths: { /a: { ${shared}, get: { operationId: a, ${own}, ${noResponse} } } }\n`,
    );
    expect(operation.documentation).toEqual(documentation);
  });

  it("is next to its tags", async () => {
    const { operation } = await readText(onePath(`tags: [a, b]\n${noResponse}`));
    expect(operation.tags).toEqual(["a", "b"]);
    expect((await readText(onePath(noResponse))).operation.tags).toEqual([]);
    expect((await readText(onePath(`tags: [a, 5]\n${noResponse}`))).operation.tags).toEqual(["a"]);
  });
});

describe("servers of single paths and operations", () => {
  const servers = "servers: [{ url: / }]";

  it.each<[string, string, string]>([
    ["a path", `paths: { /a: { ${servers}, get: { operationId: a, ${noResponse} } } }`, "/paths/~1a/servers"],
    ["an operation", `paths: { /a: { get: { operationId: a, ${servers}, ${noResponse} } } }`, "/paths/~1a/get/servers"],
    ["a webhook", `webhooks: { a: { ${servers}, post: { ${noResponse} } } }`, "/webhooks/a/servers"],
    [
      "a callback",
      `paths: { /a: { get: { operationId: a, callbacks: { b: { $url: { ${servers}, post: { ${noResponse} } } } }, ${noResponse} } } }`,
      "/paths/~1a/get/callbacks/b/$url/servers",
    ],
  ])("are noted: of %s", async (_what, text, pointer) => {
    const { diagnostics } = await readText(`${text}\n`);
    expect(diagnostics.map(({ message, source }) => [message, source.pointer])).toEqual([
      ["Servers of single paths and operations are not read: clients take a URL.", pointer],
    ]);
    expect((await readText(`${text.replace("[{ url: / }]", "[]")}\n`)).codes).toEqual([]);
  });

  it("are counted", async () => {
    const item = `{ ${servers}, get: { ${servers}, operationId: a, ${noResponse} } }`;
    const { diagnostics } = await readText(`paths: { /a: ${item} }\n`);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "Servers of single paths and operations are not read (here and at 1 other place): clients take a URL.",
    ]);
  });
});

describe("a path", () => {
  const pathOf = (path: string): string => `paths: { "${path}": { get: { operationId: a, ${noResponse} } } }\n`;

  it.each([
    ["/a?b", "?", 13],
    ["/a#b", "#", 13],
    ["/a{b}?", "?", 16],
  ])("that no server matches is left out with its operations: %s", async (path, character, column) => {
    const { model, diagnostics } = await readText(pathOf(path));
    expect(model.operations).toEqual([]);
    expect(diagnostics).toMatchObject([
      {
        code: "openapi/unsupported-path",
        message: `The path "${path}" holds "${character}", which no server matches in a path.`,
        source: { line: 3, column },
      },
    ]);
  });

  it("is not reported where its operation is left out", async () => {
    for (const name of ["a", "GET /a?b"]) {
      const { model, codes } = await readText(pathOf("/a?b"), {
        readOptions: { operations: { [name]: { skip: true } } },
      });
      expect([model.operations, codes]).toEqual([[], []]);
    }
  });

  it("is an error no longer where what is not supported is left out", async () => {
    const { diagnostics } = await readText(pathOf("/a?b"), { readOptions: { skipUnsupported: true } });
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["openapi/unsupported-path", "warning"],
    ]);
  });

  it.each<[string, readonly string[]]>([
    ["a", ['The path "a" does not begin with "/".']],
    ["/{}", ['The path "/{}" has a path parameter without a name.']],
    ["/{a", ['The path "/{a" has a "{" without its counterpart.']],
    ["/a}", ['The path "/a}" has a "}" without its counterpart.']],
    ["/{a}/{b}/{a}", ['The path "/{a}/{b}/{a}" has the path parameter "a" twice.']],
  ])("may not be written %s", async (path, messages) => {
    const { diagnostics } = await readText(pathOf(path));
    const reported = diagnostics.filter(({ code }) => code !== "openapi/undescribed-path-parameter");
    expect(reported.map(({ message }) => message)).toEqual(messages);
    expect(new Set(reported.map(({ source }) => `${source.line}:${source.column}`))).toEqual(new Set(["3:10"]));
  });

  it("may hold a sign of a query within the name of a hole", async () => {
    const { codes } = await readText(pathOf("/a/{b?}"));
    expect(codes).toEqual(["openapi/undescribed-path-parameter"]);
  });

  it("has its holes found where they are written, and where they are written with escapes, as a whole", async () => {
    const columnsOf = async (path: string): Promise<readonly (readonly number[])[]> => {
      const { diagnostics } = await readText(pathOf(path));
      return diagnostics.map(({ source: { column, start, end } }) => [column, end - start]);
    };
    expect(await columnsOf("/a/{b}/{long}")).toEqual([
      [14, 3],
      [18, 6],
    ]);
    expect(await columnsOf(String.raw`/\u0061/{b}`)).toEqual([[10, String.raw`"/\u0061/{b}"`.length]]);
  });

  it("that matches the same requests as another is reported with the first of them", async () => {
    const item = (id: string, method = "get"): string =>
      `{ ${method}: { operationId: ${id}, parameters: [{ name: ${id}, in: path, required: true, schema: {} }], ${noResponse} } }`;
    const { diagnostics } = await readText(
      `paths: { "/p/{a}": ${item("a")}, "/p/{b}": ${item("b")}, "/p/{c}": ${item("c", "put")}, "/p/{d}": ${item("d")} }\n`,
    );
    expect(diagnostics.map(({ message, source }) => [message, source.pointer])).toEqual([
      ["GET /p/{b} matches the same requests as GET /p/{a}.", "/paths/~1p~1{b}"],
      ["GET /p/{d} matches the same requests as GET /p/{a}.", "/paths/~1p~1{d}"],
    ]);
  });

  it("may be an extension", async () => {
    const { model, codes } = await readText(`paths: { x-own: { get: { operationId: a, ${noResponse} } } }\n`);
    expect([model.operations, codes]).toEqual([[], []]);
  });
});

describe("a path item", () => {
  const operation = (id: string): string => `{ operationId: ${id}, ${noResponse} }`;

  it("has the operations of its own before those that it refers to, through any number of references", async () => {
    const { model, codes } = await readText(`
paths: { /a: { $ref: "#/components/pathItems/A", get: ${operation("own")} } }
components:
  pathItems:
    A: { $ref: "#/components/pathItems/B", get: ${operation("hidden")}, put: ${operation("second")} }
    B: { put: ${operation("hidden2")}, post: ${operation("third")}, summary: Far. }
`);
    expect(codes).toEqual([]);
    expect(model.operations.map(({ name, documentation }) => [name, documentation?.summary])).toEqual([
      ["own", "Far."],
      ["second", "Far."],
      ["third", "Far."],
    ]);
  });

  it("that refers nowhere has no operations", async () => {
    const { model, codes } = await readText(
      `paths: { /a: { $ref: "#/components/pathItems/A", get: ${operation("own")} } }\n`,
    );
    expect(model.operations).toEqual([]);
    expect(codes).toEqual(["source/unresolved-reference"]);
  });

  it.each<[string, readonly string[]]>([
    ["3.0.3", ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]],
    ["3.1.0", ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE"]],
    ["3.2.0", ["GET", "PUT", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH", "TRACE", "QUERY"]],
  ])("of %s has operations of %s", async (version, methods) => {
    const names = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query", "link"];
    const item = names.map((name) => `${name}: ${operation(name)}`).join();
    const { model } = await readText(`paths: { /a: { ${item} } }\n`, { version });
    expect(model.operations.map(({ origin, binding }) => [origin, binding])).toEqual(
      methods.map((method) => [`${method} /a`, { kind: "http", method, path: "/a" }]),
    );
  });

  it("has no operation that is no object", async () => {
    for (const text of [
      "paths: { /a: { get: text, parameters: [] } }\n",
      "webhooks: { a: { get: text, summary: A } }\n",
    ]) {
      const { model, codes } = await readText(text);
      expect([model.operations, model.incoming, codes]).toEqual([[], undefined, ["openapi/schema-violation"]]);
    }
  });

  it("of a webhook has no operations but those of its methods", async () => {
    const { model, codes } = await readText(
      `webhooks: { a: { summary: A., x-own: { operationId: own }, additionalOperations: {}, query: {}, parameters: [{ name: X-B, in: header, schema: {} }], post: { ${noResponse} } } }\n`,
    );
    expect(new Set(codes)).toEqual(new Set(["openapi/schema-violation"]));
    expect(model.incoming).toMatchObject([
      { name: "a", origin: "POST a", documentation: { summary: "A." }, parameters: [{ name: "X-B" }] },
    ]);
  });

  it("of 3.2 has other methods, which are not supported", async () => {
    const text = `paths: { /a: { additionalOperations: { COPY: ${operation("copy")}, MOVE: { ${noResponse} } } } }\n`;
    const reportedOf = async (operations: Readonly<Record<string, { readonly skip: boolean }>>) => {
      const { diagnostics } = await readText(text, { version: "3.2.0", readOptions: { operations } });
      return diagnostics.map(({ message, source }) => [message, source.pointer]);
    };
    const copy = ["Requests with the method COPY are not supported.", "/paths/~1a/additionalOperations/COPY"];
    const move = ["Requests with the method MOVE are not supported.", "/paths/~1a/additionalOperations/MOVE"];
    expect(await reportedOf({})).toEqual([copy, move]);
    expect(await reportedOf({ copy: { skip: true } })).toEqual([move]);
    expect(await reportedOf({ "MOVE /a": { skip: true } })).toEqual([copy]);
    expect(await reportedOf({ copy: { skip: false } })).toEqual([copy, move]);
    expect((await readText(text)).codes).toEqual(["openapi/schema-violation"]);
  });
});

describe("an operation without an operationId", () => {
  const text = `paths:
  /a: { get: { responses: { "200": { description: "", links: { b: { operationId: getC }, c: { operationRef: "#/paths/~1b/get" } } } } } }
  /b: { get: { ${noResponse} } }
  /c: { get: { operationId: getB, ${noResponse} } }
`;

  it("is known by no name to links, and not to configurations either", async () => {
    const { operation, model, diagnostics } = await readText(text, {
      readOptions: { operations: { undefined: { skip: true } } },
    });
    expect(model.operations.map(({ name }) => name)).toEqual(["getA", "getB2", "getB"]);
    expect(operation.links).toMatchObject([{ name: "c", operation: "getB2" }]);
    const [, unknown] = diagnostics;
    expect(unknown).toMatchObject({
      message: 'The link "b" leads to an operation "getC" that does not exist (did you mean "getB"?).',
      source: { pointer: "/paths/~1a/get/responses/200/links/b/operationId" },
    });
  });

  it("may be left out by its method and path, and links to it with it", async () => {
    const { operation, codes } = await readText(text.replace("operationId: getC", "operationId: getB"), {
      readOptions: { operations: { "GET /b": { skip: true } } },
    });
    expect(operation.links).toMatchObject([{ name: "b", operation: "getB" }]);
    expect(codes).toEqual(["openapi/missing-operation-id"]);
  });

  it("that has a number for one is reported for that alone", async () => {
    const { operation, codes } = await readText(`paths: { /a: { get: { operationId: 5, ${noResponse} } } }\n`);
    expect([operation.name, codes]).toEqual(["getA", ["document/wrong-member"]]);
  });
});

describe("an operationId that several operations have", () => {
  it("belongs to the first, and the others are reported at theirs", async () => {
    const item = (path: string, links = ""): string =>
      `  ${path}: { get: { operationId: a, responses: { "200": { description: "", ${links} } } } }\n`;
    const { model, diagnostics } = await readText(
      `paths:\n${item("/a", "links: { b: { operationId: a } }")}${item("/b")}${item("/c")}`,
    );
    expect(model.operations.map(({ name }) => name)).toEqual(["a", "a2", "a3"]);
    expect(model.operations[0]?.links).toMatchObject([{ operation: "a" }]);
    expect(diagnostics.map(({ message, source }) => [message, source.pointer])).toEqual([
      ['Operation id "a" is already used by GET /a.', "/paths/~1b/get/operationId"],
      ['Operation id "a" is already used by GET /a.', "/paths/~1c/get/operationId"],
    ]);
  });

  it("is that of one operation where paths share a path item, which has two names", async () => {
    const { model, diagnostics } = await readText(`
paths: { /a: { $ref: "#/components/pathItems/A" }, /b: { $ref: "#/components/pathItems/A" } }
components: { pathItems: { A: { get: { operationId: a, ${noResponse} } } } }
`);
    expect(model.operations.map(({ name, origin }) => [name, origin])).toEqual([
      ["a", "GET /a"],
      ["a2", "GET /b"],
    ]);
    expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ["openapi/operation-name-clash", "The name a is already that of GET /a; GET /b is called a2."],
    ]);
  });
});

describe("the names of requests that the API makes", () => {
  it("say nothing of clashes that no operationId makes", async () => {
    const { model, codes } = await readText(`
paths: { /a: { get: { operationId: done, ${noResponse} } } }
webhooks: { done: { post: { ${noResponse} } }, Done: { post: { operationId: DONE, ${noResponse} } } }
`);
    expect(model.incoming?.map(({ name }) => name)).toEqual(["done2", "done3"]);
    expect(codes).toEqual(["openapi/operation-name-clash"]);
  });

  it("name the method where a webhook has several", async () => {
    const { model } = await readText(`webhooks: { pet sold: { post: { ${noResponse} }, put: { ${noResponse} } } }\n`);
    expect(model.incoming?.map(({ name, origin }) => [name, origin])).toEqual([
      ["petSoldPost", "POST pet sold"],
      ["petSoldPut", "PUT pet sold"],
    ]);
  });
});

describe("what is not supported", () => {
  const parts = "{ content: { multipart/mixed: { schema: { type: array }, itemEncoding: {} } } }";
  const callback = `callbacks: { done: { $url: { post: { ${noResponse} } } } }`;
  const readSkipping = (text: string) => readText(text, { version: "3.2.0", readOptions: { skipUnsupported: true } });

  it("leaves out every operation that refers to it, with its callbacks and links to it", async () => {
    const { model, diagnostics } = await readSkipping(`
paths:
  /a: { post: { operationId: a, requestBody: { $ref: "#/components/requestBodies/Parts" }, ${callback}, ${noResponse} } }
  /b: { post: { operationId: b, requestBody: { $ref: "#/components/requestBodies/Parts" }, ${noResponse} } }
  /c: { post: { operationId: c, responses: { "200": { description: "", links: { a: { operationId: a } } } } } }
components: { requestBodies: { Parts: ${parts} } }
`);
    expect(model.operations.map(({ name, links }) => [name, links])).toEqual([["c", []]]);
    expect(model).not.toHaveProperty("incoming");
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
      ["openapi/unsupported-parts", "warning"],
    ]);
  });

  it("leaves out a webhook, and no callback that others request", async () => {
    const { model } = await readSkipping(`
paths: { /a: { post: { operationId: a, ${callback}, ${noResponse} } } }
webhooks: { sold: { post: { requestBody: ${parts}, ${noResponse} } } }
`);
    expect(model.operations.map(({ name }) => name)).toEqual(["a"]);
    expect(model.incoming?.map(({ name }) => name)).toEqual(["aDone"]);
  });
});
