import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { addDocs } from "./add-docs.ts";

const endpoint = { nodeId: "ethereum-dev", url: "http://127.0.0.1:8645/ethereum-dev/graphql" };

describe("GraphiQL on a listener", () => {
  let listener: FastifyInstance;

  beforeEach(() => {
    listener = fastify();
    addDocs(listener, () => ({
      configuration: { endpoints: [endpoint] },
      allowedOrigins: ["http://127.0.0.1:8645"],
    }));
  });

  afterEach(() => listener.close());

  const ask = (url: string, headers: Readonly<Record<string, string>> = {}) => listener.inject({ url, headers });
  /** Returns the path of the script that the document loads. */
  const scriptPath = async () => `/${/src="(docs\/assets\/[^"]+)"/.exec((await ask("/docs")).body)?.[1]}`;

  it("is a document that runs, loads and asks nothing but what it has to", async () => {
    const { statusCode, headers, body } = await ask("/docs");
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
    });
    const policy = String(headers["content-security-policy"]).split("; ");
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("connect-src http://127.0.0.1:8645");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy.join()).not.toContain("unsafe");
    expect(body).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    expect(body).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|style=/);
    expect(body).toContain(endpoint.url);
  });

  it("hands out its script for ever, and says when the caller has it already", async () => {
    const path = await scriptPath();
    const { headers, rawPayload } = await ask(path);
    expect(headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-length": String(rawPayload.length),
    });
    const known = await ask(path, { "if-none-match": String(headers.etag) });
    expect([known.statusCode, known.body]).toEqual([304, ""]);
    expect(known.headers.etag).toBe(headers.etag);
    expect((await ask(path, { "if-none-match": '"another"' })).statusCode).toBe(200);
  });

  it("knows the document again, policy and all", async () => {
    const { headers } = await ask("/docs");
    const known = await ask("/docs", { "if-none-match": String(headers.etag) });
    expect(known.statusCode).toBe(304);
    expect(known.headers["content-security-policy"]).toBe(headers["content-security-policy"]);
  });

  it.each([
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ])("compresses with %s, under a tag of its own", async (coding, decompress) => {
    const path = await scriptPath();
    const [plain, coded] = [await ask(path), await ask(path, { "accept-encoding": coding })];
    expect(coded.headers).toMatchObject({ "content-encoding": coding, vary: "accept-encoding" });
    expect(coded.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    expect(decompress(coded.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(coded.headers.etag).not.toBe(plain.headers.etag);
    const known = await ask(path, { "accept-encoding": coding, "if-none-match": String(coded.headers.etag) });
    expect(known.statusCode).toBe(304);
  });

  it("answers HEAD as GET, without the body", async () => {
    for (const url of ["/docs", await scriptPath()]) {
      const got = await ask(url);
      const head = await listener.inject({ method: "HEAD", url });
      expect([head.statusCode, head.body]).toEqual([200, ""]);
      expect(head.headers.etag).toBe(got.headers.etag);
      expect(head.headers["content-length"]).toBe(got.headers["content-length"]);
    }
  });

  it.each([
    "/docs/assets/none.js",
    "/docs/assets/page.json",
    "/docs/assets/",
    "/docs/assets/..%2fpage.json",
    "/docs/assets/..%2f..%2f..%2fpackage.json",
    "/docs/assets/../../package.json",
    "/docs/assets/%2fetc%2fpasswd",
    "/docs/assets/page.js%00.css",
    "/docs/package.json",
  ])("has nothing at %s", async (url) => {
    const { statusCode, body } = await ask(url);
    expect(statusCode).toBe(404);
    expect(body).not.toContain("nodewright");
  });

  it("leads from /docs/ to /docs, below whatever a proxy has put before it", async () => {
    const { statusCode, headers } = await ask("/docs/");
    expect([statusCode, headers.location]).toEqual([308, "../docs"]);
  });

  it.each(["POST", "PUT", "PATCH", "DELETE"] as const)("is not to be changed by %s", async (method) => {
    for (const url of ["/docs", await scriptPath()]) {
      const { statusCode, headers } = await listener.inject({ method, url, payload: "x".repeat(10) });
      expect([statusCode, headers.allow]).toEqual([405, "GET, HEAD"]);
    }
  });
});
