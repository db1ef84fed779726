// OpenAPI 3.1, section 4.8.1; parts that are left out, problems that are reported once, and errors found by the official schema.
import { createDiagnosticSink, createDocumentSet } from "@nodewright/source";
import { describe, expect, it } from "vitest";
import { readOpenApi } from "./read-openapi.ts";
import { noResponse, onePath, readText, type TextOptions } from "./testing/read-text.ts";

async function messagesOf(text: string, options?: TextOptions): Promise<readonly string[]> {
  const { diagnostics } = await readText(text, options);
  return diagnostics.map(({ message }) => message);
}

describe("a component that only an operation refers to that is left out", () => {
  const wrong = "{ type: strange }";
  const document = (operation: string, schemas: string, kept = ""): string => `
paths:
  /skipped: { post: { operationId: skipped, ${operation} ${noResponse} } }
  /kept: { post: { operationId: kept, ${kept} ${noResponse} } }
components: { schemas: { ${schemas} } }
`;
  const body = (schema: string): string => `requestBody: { content: { application/json: { schema: ${schema} } } },`;
  const skip: TextOptions = { readOptions: { operations: { skipped: { skip: true } } } };
  const reference = '{ $ref: "#/components/schemas/A" }';

  it.each<[string, string, string]>([
    ["a reference", reference, `A: ${wrong}`],
    ["a reference in a list", `{ anyOf: [true, ${reference}] }`, `A: ${wrong}`],
    ["a reference with escapes", '{ $ref: "#/components/schemas/%41" }', `A: ${wrong}`],
    [
      "a chain of references",
      '{ $ref: "#/components/schemas/B" }',
      `B: { type: object, properties: { a: ${reference} } }, A: ${wrong}`,
    ],
    [
      "a circle of references",
      reference,
      `A: { type: object, properties: { b: { $ref: "#/components/schemas/B" } } }, B: { type: object, properties: { a: ${reference}, c: ${wrong} } }`,
    ],
    [
      "a mapping by reference",
      '{ type: object, discriminator: { propertyName: a, mapping: { a: "#/components/schemas/A" } } }',
      `A: ${wrong}`,
    ],
    ["a mapping by name", "{ type: object, discriminator: { propertyName: a, mapping: { a: A } } }", `A: ${wrong}`],
  ])("is left out with its mistakes: %s", async (_what, schema, schemas) => {
    const { model, codes } = await readText(document(body(schema), schemas), skip);
    expect(codes).toEqual([]);
    expect(model.declarations.map(({ name }) => name)).not.toContain("A");
    expect((await readText(document(body(schema), schemas))).codes).toContain("json-schema/unknown-type");
  });

  it.each<[string, string]>([
    ["a reference", body(reference)],
    ["an operation that refers to another component", body('{ $ref: "#/components/schemas/B" }')],
    ["a mapping by name", body("{ type: object, discriminator: { propertyName: a, mapping: { a: A } } }")],
  ])("is kept where another operation leads to it as well: %s", async (_what, kept) => {
    const schemas = `A: ${wrong}, B: { type: object, properties: { a: ${reference} } }`;
    const { codes } = await readText(document(body(reference), schemas, kept), skip);
    expect(codes).toContain("json-schema/unknown-type");
  });

  it("is kept where an operation that is left out leads to the complete document", async () => {
    const { codes } = await readText(document(body('{ $ref: "#" }'), `A: ${wrong}`), skip);
    expect(codes).toContain("json-schema/unknown-type");
  });

  it("is not looked for where a member is only called as references are", async () => {
    const { codes } = await readText(document(body("{ example: { $ref: 5 } }"), ""), skip);
    expect(codes).toEqual([]);
  });

  it("is kept where nothing leads to it at all, and where another file may", async () => {
    expect((await readText(document("", `A: ${wrong}`), skip)).codes).toContain("json-schema/unknown-type");
    const files = { "other.json": '{ "type": "string" }' };
    const { codes } = await readText(document(body(reference), `A: ${wrong}`, body("{ $ref: other.json }")), {
      ...skip,
      files,
    });
    expect(codes).toContain("json-schema/unknown-type");
  });

  it("is any kind of component", async () => {
    const { codes, model } = await readText(
      `
paths:
  /skipped: { post: { operationId: skipped, parameters: [{ $ref: "#/components/parameters/A" }], responses: { "200": { $ref: "#/components/responses/A" } } } }
components:
  parameters: { A: { name: a, in: strange, schema: {} } }
  responses: { A: { description: "", content: { strange: {} }, links: { a: { $ref: "#/components/links/A" } } } }
  links: { A: {} }
`,
      skip,
    );
    expect([codes, model.operations]).toEqual([[], []]);
  });
});

describe("the information of a document", () => {
  const modelOf = async (text: string) => {
    const sink = createDiagnosticSink();
    const documents = createDocumentSet("/", sink);
    documents.register("api.json", text);
    const model = await readOpenApi({ file: "api.json", name: "test", documents, sink });
    return { model, messages: sink.diagnostics.map(({ message }) => message) };
  };

  it.each([
    ["it is missing", '{ "openapi": "3.1.0", "paths": {} }'],
    ["it is a text", '{ "openapi": "3.1.0", "paths": {}, "info": "Pets" }'],
    ["it is empty", '{ "openapi": "3.1.0", "paths": {}, "info": {} }'],
  ])("is empty where %s, which is reported", async (_what, text) => {
    const { model, messages } = await modelOf(text);
    expect([model?.title, model?.version]).toEqual(["", ""]);
    expect(messages).not.toEqual([]);
  });

  it.each([
    ["{}", 'it has no "openapi"'],
    ["[]", "it is not an object"],
    ['{ "swagger": "2.0" }', "it is Swagger 2.0"],
    ['{ "openapi": 3.1 }', 'its "openapi" is a number, not a text'],
    ['{ "openapi": null }', 'its "openapi" is null, not a text'],
  ])("is not looked for in %s", async (text, problem) => {
    expect(await modelOf(text)).toEqual({
      model: undefined,
      messages: [`This is not an OpenAPI document: ${problem}.`],
    });
  });

  it.each(["3.0.0", "3.1.1", "3.2.10", "3.1.0-rc1"])("is read of version %s", async (version) => {
    const { model } = await modelOf(
      `{ "openapi": "${version}", "paths": {}, "info": { "title": "A", "version": "b" } }`,
    );
    expect(model).toMatchObject({ title: "A", version: "b" });
  });

  it.each(["3.3.0", "3.1", "3.1.x", "4.0.0", "13.1.0", "3.1.0.1", "3.1.0-", "3.1.x3.1.0", "2.0"])(
    "is not read of version %s",
    async (version) => {
      const { model, messages } = await modelOf(`{ "openapi": "${version}" }`);
      expect(model).toBeUndefined();
      expect(messages).toEqual([expect.stringContaining(version) as string]);
    },
  );

  it("has a description where there is one", async () => {
    const { model } = await readText("paths: {}\n");
    expect(model).toMatchObject({
      title: "Test",
      version: "1.2.3",
      operations: [],
      declarations: [],
      security: [],
      documents: [],
    });
    for (const name of ["description", "incoming", "servers"]) expect(model).not.toHaveProperty(name);
  });
});

describe("what a document does again and again", () => {
  const operation = (method: string, path: string): string =>
    `  ${path}: { ${method}: { operationId: "${method}${path}", requestBody: { content: { application/json: { schema: { type: object } } } }, ${noResponse} } }\n`;

  it("is said once, with the number of other places", async () => {
    const bodyOf = (...operations: readonly string[]): string => `paths:\n${operations.join("")}`;
    const get = (path: string): string => operation("get", path);
    expect(await messagesOf(bodyOf(get("/a")))).toEqual([expect.not.stringContaining("other place") as string]);
    expect(await messagesOf(bodyOf(get("/a"), get("/b")))).toEqual([
      expect.stringContaining("(here and at 1 other place)") as string,
    ]);
    expect(await messagesOf(bodyOf(get("/a"), get("/b"), get("/c")))).toEqual([
      expect.stringContaining("(here and at 2 other places)") as string,
    ]);
  });

  it("is said for each method that has no body, and not for others", async () => {
    const methods = ["get", "head", "trace", "get", "delete", "options", "put", "post", "patch"];
    const text = `paths:\n${methods.map((method, index) => operation(method, `/a${index}`)).join("")}`;
    const { codes, diagnostics, model } = await readText(text);
    expect(codes).toEqual(["openapi/body-of-get", "openapi/body-of-get", "openapi/body-of-get"]);
    for (const [index, method] of ["GET", "HEAD", "TRACE"].entries())
      expect(diagnostics[index]?.message).toContain(method);
    expect(model.operations.filter(({ body }) => body !== undefined).map(({ binding }) => binding)).toMatchObject(
      ["DELETE", "OPTIONS", "PUT", "POST", "PATCH"].map((method) => ({ method })),
    );
  });
});

describe("names of operations that clash", () => {
  it("are reported with the operation that has the name", async () => {
    const paths = (...ids: readonly string[]): string =>
      `paths:\n${ids.map((id, index) => `  /a${index}: { get: { operationId: ${id}, ${noResponse} } }\n`).join("")}`;
    const [message, ...others] = await messagesOf(paths("get-pet", "getPet", "other"));
    expect(others).toEqual([]);
    for (const part of ["GET /a0", "GET /a1", "getPet2"]) expect(message).toContain(part);
    const three = await messagesOf(paths("get-pet", "get_pet", "get.pet"));
    expect(three).toHaveLength(2);
    expect(three.every((one) => one.includes("GET /a0"))).toBe(true);
    expect(await messagesOf(paths("a", "a2", "A"))).toHaveLength(1);
  });

  it.each([
    ["GET /a-b", "getAB"],
    ["GET /a/{b}", "getAByB"],
    ["GET /{a}/{b}", "getByAByB"],
    ["DELETE /", "delete"],
  ])("are made of %s: %s", async (origin, name) => {
    const [method = "", path = ""] = origin.split(" ");
    const { model } = await readText(`paths: { "${path}": { ${method.toLowerCase()}: { ${noResponse} } } }\n`);
    expect(model.operations.map((one) => one.name)).toEqual([name]);
  });

  it.each([
    ["all pets;", "allPets"],
    ["$all_1", "$all_1"],
    ["größe", "größe"],
    ["1st", "_1st"],
  ])("may be chosen: %s", async (chosen, name) => {
    const { model } = await readText(onePath(noResponse), {
      readOptions: { operations: { addPet: { name: chosen } } },
    });
    expect(model.operations.map((one) => one.name)).toEqual([name]);
  });
});

describe("security", () => {
  const scheme = "components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }\n";

  it("may name a scheme by reference in 3.2", async () => {
    const paths = (name: string): string => `${onePath(`security: [{ "${name}": [] }]\n${noResponse}`)}${scheme}`;
    for (const name of ["#/components/securitySchemes/key", "api.yaml#/components/securitySchemes/key", "key"]) {
      const { operation, codes } = await readText(paths(name), { version: "3.2.0" });
      expect([name, codes, operation.security]).toEqual([name, [], [[{ scheme: "key", scopes: [] }]]]);
    }
    for (const [name, version] of [
      ["#/components/securitySchemes/key", "3.1.0"],
      ["a#b#/components/securitySchemes/key", "3.2.0"],
      ["#/components/schemes/key", "3.2.0"],
    ] as const)
      expect((await readText(paths(name), { version })).codes).toContain("openapi/unknown-security-scheme");
  });

  it("has the URLs of each flow", async () => {
    const flows = (flow: string, urls: string): string =>
      `paths: {}\ncomponents: { securitySchemes: { a: { type: oauth2, flows: { ${flow}: { ${urls} scopes: {} } } } } }\n`;
    const needed = {
      implicit: ["authorizationUrl"],
      password: ["tokenUrl"],
      clientCredentials: ["tokenUrl"],
      authorizationCode: ["authorizationUrl", "tokenUrl"],
      deviceAuthorization: ["deviceAuthorizationUrl", "tokenUrl"],
    };
    for (const [flow, names] of Object.entries(needed)) {
      const version = "3.2.0";
      const reported = async (urls: readonly string[]): Promise<readonly string[]> => {
        const { codes } = await readText(flows(flow, urls.map((url) => `${url}: https://a.example,`).join(" ")), {
          version,
        });
        return codes.filter((code) => code === "openapi/missing-flow-url");
      };
      expect(await reported(names)).toEqual([]);
      for (const name of names) expect(await reported(names.filter((one) => one !== name))).toHaveLength(1);
    }
    expect((await readText(flows("deviceAuthorization", ""))).codes).toContain("openapi/unknown-flow");
    expect((await readText(flows("x-own", ""))).codes).toEqual([]);
  });
});

describe("responses", () => {
  it("that fail are named by their status", async () => {
    const statuses = {
      300: "MultipleChoices",
      400: "BadRequest",
      418: "Status418",
      422: "UnprocessableContent",
      504: "GatewayTimeout",
      599: "Status599",
      "3XX": "Redirection",
      "4XX": "ClientError",
      "5XX": "ServerError",
      default: "Unexpected",
    };
    const responses = Object.keys(statuses).map((status) => `"${status}": { description: "" }`);
    const { operation } = await readText(onePath(`responses: { "200": { description: "" }, ${responses.join()} }`));
    expect(Object.fromEntries(operation.failures.map(({ status, name }) => [status, name]))).toEqual(statuses);
  });

  it.each(["600", "20", "2000", "2xx", "6XX", "ok", "0200"])("may not have the status %s", async (status) => {
    const { codes } = await readText(
      onePath(`responses: { "200": { description: "" }, "${status}": { description: "" } }`),
    );
    expect(codes).toContain("openapi/wrong-status");
  });
});

describe("a parameter that is a document", () => {
  it.each([
    ["none", "{}"],
    ["2", "{ a/b: {}, c/d: {} }"],
    ["3", "{ a/b: {}, c/d: {}, e/f: {} }"],
  ])("has one media type, not %s", async (count, content) => {
    const messages = await messagesOf(
      onePath(`parameters: [{ name: filter, in: query, content: ${content} }]\n${noResponse}`),
    );
    expect(messages.some((message) => message.includes("filter") && message.includes(count))).toBe(true);
  });
});

describe("a member that is missing", () => {
  const scheme = (members: string): string => `paths: {}\ncomponents: { securitySchemes: { a: { ${members} } } }\n`;
  const parameter = (members: string): string => onePath(`parameters: [{ ${members} }]\n${noResponse}`);

  it.each<[string, string, string, string]>([
    ["paths", "tags: []\n", 'The document has no "paths".', 'It may have "webhooks" or "components" instead.'],
    [
      "the name of a parameter",
      parameter("in: query, schema: {}"),
      'A parameter has no "name".',
      "It is what callers send.",
    ],
    [
      "the place of a parameter",
      parameter("name: a, schema: {}"),
      'A parameter has no "in".',
      "It is the location of the parameter: path, query, header or cookie.",
    ],
    [
      "the schema of a parameter",
      parameter("name: a, in: query"),
      'The parameter "a" has no "schema".',
      "It describes the values of the parameter.",
    ],
    [
      "the URL of a server",
      "paths: {}\nservers: [{ description: a }]\n",
      'A server has no "url".',
      "It is where the API is served.",
    ],
    [
      "the default of a variable",
      "paths: {}\nservers: [{ url: 'https://{a}', variables: { a: {} } }]\n",
      'The variable "a" has no "default".',
      "It is used when no other value is given.",
    ],
    [
      "the type of a scheme",
      scheme("name: a"),
      'The security scheme "a" has no "type".',
      "It must be one of apiKey, http, mutualTLS, oauth2, openIdConnect.",
    ],
    [
      "the name of a key",
      scheme("type: apiKey, in: query"),
      'The security scheme "a" has no "name".',
      "It is what callers send the key as.",
    ],
    [
      "the place of a key",
      scheme("type: apiKey, name: a"),
      'The security scheme "a" has no "in".',
      "It is the location of the key.",
    ],
    [
      "the scheme of HTTP",
      scheme("type: http"),
      'The security scheme "a" has no "scheme".',
      "It is a word such as basic or bearer.",
    ],
    [
      "the URL of OpenID",
      scheme("type: openIdConnect"),
      'The security scheme "a" has no "openIdConnectUrl".',
      "It is where the provider is described.",
    ],
    ["flows", scheme("type: oauth2"), 'The security scheme "a" has no "flows".', "They say how a token is obtained."],
    [
      "scopes",
      scheme("type: oauth2, flows: { implicit: { authorizationUrl: https://a.example } }"),
      'The flow "implicit" has no "scopes".',
      "It may be empty.",
    ],
  ])("is reported with the reason for it: %s", async (_what, text, message, hint) => {
    const { diagnostics } = await readText(text);
    expect(diagnostics.map((one) => [one.message, one.hint ?? ""])).toEqual([
      [message, expect.stringContaining(hint) as string],
    ]);
  });

  it("may be paths, where 3.1 has something else to describe", async () => {
    for (const [text, version, codes] of [
      ["webhooks: {}\n", "3.1.0", []],
      ["components: {}\n", "3.1.0", []],
      ["components: {}\n", "3.0.3", ["document/missing-member"]],
    ] as const)
      expect((await readText(text, { version })).codes).toHaveLength(codes.length);
    const { diagnostics } = await readText("tags: []\n", { version: "3.0.3" });
    expect(diagnostics.map(({ hint = "" }) => hint)).toEqual([expect.stringContaining("It may be empty.") as string]);
  });

  it.each([
    ["3.1.0", "path, query, header or cookie"],
    ["3.2.0", "path, query, header, cookie or querystring"],
  ])("may be one of several places in %s", async (version, places) => {
    const { diagnostics } = await readText(parameter("name: a, in: nowhere, schema: {}"), { version });
    expect(diagnostics.map(({ message, hint }) => `${message} ${hint}`).join()).toContain(places);
  });
});
