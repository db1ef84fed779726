import { describe, expect, it } from "vitest";
import { noResponse, readText } from "./testing/read-text.ts";

const schemes = `
components:
  securitySchemes:
    queryKey: { type: apiKey, in: query, name: key }
    headerKey: { type: apiKey, in: header, name: X-Key, description: A key. }
    cookieKey: { type: apiKey, in: cookie, name: session }
    basic: { type: http, scheme: Basic }
    bearer: { type: http, scheme: bearer, bearerFormat: JWT }
    digest: { type: http, scheme: Digest }
    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: /token, scopes: { read: Reads. } } } }
    openId: { type: openIdConnect, openIdConnectUrl: https://example.com/.well-known/openid-configuration }
    mutual: { type: mutualTLS }
`;

describe("security", () => {
  it("has schemes of every kind", async () => {
    const { model, codes } = await readText(`paths: {}\n${schemes}`);
    expect(codes).toEqual([]);
    expect(model.security).toEqual([
      { name: "queryKey", kind: "api-key", location: "query", parameter: "key" },
      { name: "headerKey", kind: "api-key", location: "header", parameter: "X-Key", description: "A key." },
      { name: "cookieKey", kind: "api-key", location: "cookie", parameter: "session" },
      { name: "basic", kind: "basic", location: "header", parameter: "Authorization" },
      { name: "bearer", kind: "bearer", location: "header", parameter: "Authorization" },
      { name: "digest", kind: "other-http", location: "header", parameter: "Authorization", scheme: "Digest" },
      { name: "oauth", kind: "bearer", location: "header", parameter: "Authorization" },
      { name: "openId", kind: "bearer", location: "header", parameter: "Authorization" },
      { name: "mutual", kind: "mutual-tls", location: "header", parameter: "" },
    ]);
  });

  it("is that of the operation, else that of the document", async () => {
    const { model } = await readText(`
security: [{ oauth: [read] }, {}]
paths:
  /a: { get: { operationId: a, ${noResponse} } }
  /b: { get: { operationId: b, security: [], ${noResponse} } }
  /c: { get: { operationId: c, security: [{ basic: [], mutual: [] }], ${noResponse} } }
${schemes}`);
    expect(model.operations.map(({ security }) => security)).toEqual([
      [[{ scheme: "oauth", scopes: ["read"] }], []],
      [[]],
      [
        [
          { scheme: "basic", scopes: [] },
          { scheme: "mutual", scopes: [] },
        ],
      ],
    ]);
    const { operation } = await readText(`paths: { /a: { get: { operationId: a, ${noResponse} } } }`);
    expect(operation).not.toHaveProperty("security");
  });
});

describe("servers", () => {
  it("are those of the document; others are reported once", async () => {
    const { model, diagnostics } = await readText(`
servers:
  - url: https://{region}.example.com:{port}/v1
    description: The API.
    variables:
      region: { default: eu, enum: [eu, us], description: Where. }
      port: { default: "443" }
paths:
  /a: { servers: [{ url: /other }], get: { operationId: a, servers: [{ url: /more }], ${noResponse} } }
`);
    expect(model.servers).toEqual([
      {
        url: "https://{region}.example.com:{port}/v1",
        description: "The API.",
        variables: [
          { name: "region", default: "eu", values: ["eu", "us"], description: "Where." },
          { name: "port", default: "443" },
        ],
      },
    ]);
    expect(diagnostics).toMatchObject([{ code: "openapi/servers-of-operations", severity: "warning" }]);
  });
});

describe("a security scheme", () => {
  const reportedOf = async (members: string, version = "3.1.0") => {
    const { model, diagnostics } = await readText(`paths: {}\ncomponents: { securitySchemes: { a: ${members} } }\n`, {
      version,
    });
    return {
      schemes: model.security,
      reported: diagnostics.map(({ message, hint, source }) => [message, hint, source.pointer]),
    };
  };
  const place = "/components/securitySchemes/a";

  it.each<[string, string, string, string]>([
    [
      "{ type: apikey }",
      '"apikey" is not a type of security scheme (did you mean "apiKey"?).',
      "The types are apiKey, http, mutualTLS, oauth2, openIdConnect.",
      "/type",
    ],
    [
      "{ type: apiKey, name: a, in: body }",
      '"body" is not a location of API keys.',
      "API keys are located in query, header or cookie.",
      "/in",
    ],
    [
      "{ type: oauth2, flows: { implict: {} } }",
      '"implict" is not a flow of OAuth 2 (did you mean "implicit"?).',
      "The flows are implicit, password, clientCredentials, authorizationCode.",
      "/flows/implict",
    ],
  ])("is not %s", async (members, message, hint, pointer) => {
    const { reported } = await reportedOf(members);
    expect(reported).toEqual([[message, hint, `${place}${pointer}`]]);
  });

  it("has no other flows in 3.2 than those and that of devices", async () => {
    const { reported } = await reportedOf("{ type: oauth2, flows: { other: {}, x-own: {} } }", "3.2.0");
    expect(reported).toEqual([
      [
        '"other" is not a flow of OAuth 2.',
        "The flows are implicit, password, clientCredentials, authorizationCode, deviceAuthorization.",
        `${place}/flows/other`,
      ],
    ]);
  });

  it("has each URL of its flow reported that is missing", async () => {
    const { reported } = await reportedOf("{ type: oauth2, flows: { authorizationCode: { scopes: {} } } }");
    expect(reported).toEqual([
      ['The flow "authorizationCode" has no "authorizationUrl".', undefined, `${place}/flows/authorizationCode`],
      ['The flow "authorizationCode" has no "tokenUrl".', undefined, `${place}/flows/authorizationCode`],
    ]);
  });

  it.each([
    "{ type: apiKey, in: query }",
    "{ type: apiKey, name: a }",
    "{ type: apiKey, name: a, in: body }",
    "{ type: http }",
    "{ type: strange }",
    "{ name: a }",
    "text",
    '{ $ref: "#/components/securitySchemes/none" }',
  ])("is none where it cannot be met: %s", async (members) => {
    expect((await reportedOf(members)).schemes).toEqual([]);
  });

  it.each([
    ["BASIC", "basic"],
    ["Bearer", "bearer"],
    ["basics", "other-http"],
  ])("of HTTP is named in any letters' case: %s", async (scheme, kind) => {
    const { schemes } = await reportedOf(`{ type: http, scheme: ${scheme} }`);
    expect(schemes).toMatchObject([{ kind }]);
  });
});

describe("a security requirement", () => {
  const scheme = "components: { securitySchemes: { key: { type: apiKey, in: header, name: X-Key } } }\n";
  const readRequirement = (requirement: string, version = "3.1.0") =>
    readText(`paths: { /a: { get: { operationId: a, security: ${requirement}, ${noResponse} } } }\n${scheme}`, {
      version,
    });

  it("that names no scheme is kept, and reported at the name", async () => {
    const { operation, diagnostics } = await readRequirement("[{ keys: [] }, { key: [] }]");
    expect(operation.security).toEqual([[{ scheme: "keys", scopes: [] }], [{ scheme: "key", scopes: [] }]]);
    expect(diagnostics).toMatchObject([
      {
        message:
          'There is no security scheme "keys" (did you mean "key"?); an alternative that requires it cannot be met.',
        source: { pointer: "/paths/~1a/get/security/0/keys" },
      },
    ]);
  });

  it("keeps a name that is no reference as it is", async () => {
    const name = "a#b#/components/securitySchemes/key";
    const { operation } = await readRequirement(`[{ "${name}": [] }]`, "3.2.0");
    expect(operation.security).toEqual([[{ scheme: name, scopes: [] }]]);
  });

  it("has a list of scopes, which are texts", async () => {
    const { operation, diagnostics } = await readRequirement("[{ key: read }]");
    expect(operation.security).toEqual([[{ scheme: "key", scopes: [] }]]);
    expect(diagnostics).toMatchObject([{ message: '"key" takes a list of scopes, not a string.' }]);
    expect((await readRequirement("[{ key: [a, 5, b] }]")).operation.security).toEqual([
      [{ scheme: "key", scopes: ["a", "b"] }],
    ]);
  });

  it("is none where it is no list", async () => {
    const { operation, codes } = await readRequirement("{ key: [] }");
    expect(operation).not.toHaveProperty("security");
    expect(codes).toEqual(["document/wrong-member"]);
  });

  it("of the document is checked though no operation has it, and asks nothing of callbacks", async () => {
    const { diagnostics } = await readText("paths: {}\nsecurity: [{ none: [] }]\n");
    expect(diagnostics).toMatchObject([
      { message: 'There is no security scheme "none"; an alternative that requires it cannot be met.' },
    ]);
    const { model } = await readText(`security: [{ key: [] }]
webhooks: { a: { post: { ${noResponse} } }, b: { post: { security: [{ key: [] }], ${noResponse} } } }
${scheme}`);
    expect(model.incoming?.map(({ security }) => security)).toEqual([undefined, [[{ scheme: "key", scopes: [] }]]]);
  });
});

describe("a server", () => {
  const read = (server: string, version = "3.1.0") => readText(`paths: {}\nservers: [${server}]\n`, { version });

  it.each([
    ["{ url: / }", { url: "/", variables: [] }],
    ["{ url: /, description: A. }", { url: "/", variables: [], description: "A." }],
    ["{ url: /, variables: {} }", { url: "/", variables: [] }],
  ])("is what is said of it: %s", async (server, expected) => {
    const { model } = await read(server);
    expect(model.servers).toEqual([expected]);
  });

  it("has a name in 3.2", async () => {
    expect((await read("{ url: /, name: A }", "3.2.0")).model.servers).toEqual([
      { url: "/", variables: [], name: "A" },
    ]);
  });

  it("without a URL is none", async () => {
    expect((await read("{ description: A. }, { url: / }")).model.servers).toHaveLength(1);
    expect((await read("{ description: A. }")).model).not.toHaveProperty("servers");
  });

  it("has every hole of its URL described, each reported once and where it stands", async () => {
    const { diagnostics } = await read('{ url: "https://{a}.example/{b}/{b}", variables: { a: {} } }');
    const [hole, ...others] = diagnostics.filter(({ code }) => code === "openapi/undescribed-server-variable");
    expect(others).toEqual([]);
    expect(hole).toMatchObject({
      message: 'The URL contains the variable "b", which the server does not declare.',
      hint: 'Describe it under "variables", with a default.',
      source: { pointer: "/servers/0/url", column: 39 },
    });
    expect((hole?.source.end ?? 0) - (hole?.source.start ?? 0)).toBe(3);
  });

  it.each([
    ["{ default: b }", { name: "a", default: "b" }, []],
    ["{ default: b, enum: [b, c] }", { name: "a", default: "b", values: ["b", "c"] }, []],
    ["{ default: b, enum: [] }", { name: "a", default: "b", values: [] }, []],
    ["{ default: b, enum: [b, 5] }", { name: "a", default: "b", values: ["b"] }, ["/servers/0/variables/a/enum/1"]],
    [
      "{ default: d, enum: [b, c] }",
      { name: "a", default: "d", values: ["b", "c"] },
      ["/servers/0/variables/a/default"],
    ],
    ["{ default: b, description: A. }", { name: "a", default: "b", description: "A." }, []],
    ["{ enum: [b] }", undefined, ["/servers/0/variables/a"]],
  ])("has the variable %s", async (variable, expected, reported) => {
    const { model, diagnostics } = await read(`{ url: "/{a}", variables: { a: ${variable} } }`);
    expect(model.servers?.[0]?.variables).toEqual(expected === undefined ? [] : [expected]);
    const ours = diagnostics.filter(({ code }) => code !== "openapi/schema-violation");
    expect(ours.map(({ source }) => source.pointer)).toEqual(reported);
  });
});
