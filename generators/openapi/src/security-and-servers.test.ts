import { describe, expect, it } from "vitest";
import { noAnswer, readText } from "./testing/read-text.ts";

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
  /a: { get: { operationId: a, ${noAnswer} } }
  /b: { get: { operationId: b, security: [], ${noAnswer} } }
  /c: { get: { operationId: c, security: [{ basic: [], mutual: [] }], ${noAnswer} } }
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
    const { operation } = await readText(`paths: { /a: { get: { operationId: a, ${noAnswer} } } }`);
    expect(operation).not.toHaveProperty("security");
  });
});

describe("servers", () => {
  it("are those of the document; others are told of once", async () => {
    const { model, diagnostics } = await readText(`
servers:
  - url: https://{region}.example.com:{port}/v1
    description: The API.
    variables:
      region: { default: eu, enum: [eu, us], description: Where. }
      port: { default: "443" }
paths:
  /a: { servers: [{ url: /other }], get: { operationId: a, servers: [{ url: /more }], ${noAnswer} } }
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
