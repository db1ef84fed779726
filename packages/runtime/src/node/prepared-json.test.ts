import fastify, { type FastifyInstance } from "fastify";
import { afterEach, describe, expect, it } from "vitest";
import { isPreparedJson, PreparedJson } from "../json/prepared-json.ts";
import type { ServiceError } from "../errors/service-error.ts";
import { restOperations } from "../testing/hand-made-operations.ts";
import type { RestOptions } from "./plugin-options.ts";
import { createRestPlugin, type RestHandlers } from "./rest-plugin.ts";

const txid = "ab".repeat(32);
const path = `/tx/${txid}`;
const text = `{"txid":"${txid}"}`;

const opened: FastifyInstance[] = [];

async function serve(own: RestHandlers<string>, changes: Partial<RestOptions<string>> = {}): Promise<FastifyInstance> {
  const app = fastify();
  opened.push(app);
  await app.register(createRestPlugin(restOperations, own, { context: () => "here", ...changes }));
  return app;
}

function answering(body: unknown): RestHandlers<string> {
  return { getTransaction: () => ({ headers: { cacheControl: "max-age=10" }, body }) };
}

async function* pieces(...parts: readonly (string | Uint8Array | Error)[]) {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield part;
  }
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map((app) => app.close()));
});

describe("prepared JSON", () => {
  it("is known for what it is, be it made by another copy of the module", () => {
    expect(Object.prototype.toString.call(new PreparedJson(text))).toBe("[object PreparedJson]");
    expect(isPreparedJson({ [Symbol.toStringTag]: "PreparedJson" })).toBe(true);
    for (const other of [{ [Symbol.toStringTag]: "" }, {}, null, text]) expect(isPreparedJson(other)).toBe(false);
  });

  it("is written late when it is requested, once", () => {
    let written = 0;
    const late = new PreparedJson(() => {
      written += 1;
      return `{"n":${written}}`;
    });
    expect(late.isWritten).toBe(false);
    expect([late.text, late.text, late.isWritten]).toEqual(['{"n":1}', '{"n":1}', true]);
    expect(new PreparedJson(text).isWritten).toBe(true);
  });

  it.each([
    ["as text", () => new PreparedJson(text)],
    ["as bytes", () => new PreparedJson(Buffer.from(text))],
    ["written late", () => new PreparedJson(() => Buffer.from(text))],
    ["in pieces", () => new PreparedJson(pieces(text.slice(0, 5), Buffer.from(text.slice(5))))],
  ])("is sent as it stands: %s", async (_name, prepare) => {
    for (const validateResponses of ["off", "throw"] as const) {
      const app = await serve(answering(prepare()), { validateResponses });
      const { statusCode, headers, body } = await app.inject(path);
      expect([statusCode, headers["content-type"], headers["cache-control"], body]).toEqual([
        200,
        "application/json",
        "max-age=10",
        text,
      ]);
    }
  });

  it.each([
    ["as text", () => new PreparedJson('{"txid":7}')],
    ["in pieces", () => new PreparedJson(pieces('{"txid"', ":7}"))],
    ["that is no JSON", () => new PreparedJson('{"txid":')],
  ])("is held against its type where answers are: %s", async (_name, prepare) => {
    const seen: unknown[] = [];
    const app = await serve(answering(prepare()), {
      validateResponses: "throw",
      onError: ({ code }: ServiceError) => seen.push(code),
    });
    expect((await app.inject(path)).statusCode).toBe(500);
    expect(seen).toEqual(["internal"]);
  });

  it("fails with a status when its first piece does, and is cut off when a later one does", async () => {
    const app = await serve(answering(new PreparedJson(pieces(new Error("disk")))), { validateResponses: "off" });
    expect((await app.inject(path)).statusCode).toBe(500);
    const late = await serve(answering(new PreparedJson(pieces("{", new Error("disk")))), { validateResponses: "off" });
    await expect(late.inject(path)).rejects.toThrow();
  });

  it("has no body where only the head is requested", async () => {
    const app = await serve(answering(new PreparedJson(pieces(text))), { validateResponses: "off" });
    const { statusCode, body } = await app.inject({ method: "HEAD", url: path });
    expect([statusCode, body]).toEqual([200, ""]);
  });

  it("is written late only where the caller does not hold the response", async () => {
    let written = 0;
    const late = (): PreparedJson<unknown> => new PreparedJson(() => `{"written":${++written}}`);
    const own = { getTransaction: () => ({ headers: { eTag: '"a"' }, body: late() }) };
    const app = await serve(own, {
      validateResponses: "off",
      matchingTag: ({ headers }, tag) => (headers["if-none-match"] === tag ? tag : undefined),
    });
    const held = await app.inject({ url: path, headers: { "if-none-match": '"a"' } });
    expect([held.statusCode, held.headers.etag, held.headers["content-type"], held.body, written]).toEqual([
      304,
      '"a"',
      undefined,
      "",
      0,
    ]);
    const other = await app.inject({ url: path, headers: { "if-none-match": '"b"' } });
    expect([other.statusCode, other.body, written]).toEqual([200, '{"written":1}', 1]);
  });

  it("is answered as a failure where its writing fails", async () => {
    const fails = (): string => {
      throw new Error("a file was changed");
    };
    const app = await serve(answering(new PreparedJson(fails)), { validateResponses: "off" });
    expect((await app.inject(path)).statusCode).toBe(500);
  });

  it("is refused where the document answers no JSON", async () => {
    const app = await serve({ getRaw: () => new PreparedJson("1") });
    expect((await app.inject("/raw")).statusCode).toBe(500);
  });

  it("is no other value", () => {
    for (const value of [undefined, null, "{}", {}, { text: "{}" }, new Map()])
      expect(isPreparedJson(value)).toBe(false);
  });
});
