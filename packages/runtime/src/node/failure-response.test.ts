import fastify from "fastify";
import { expect, it } from "vitest";
import { HttpFailure, type HttpFailureOptions } from "../errors/http-failure.ts";
import { sendFailure } from "./failure-response.ts";

it.each<[HttpFailureOptions, string | undefined, string]>([
  [{}, undefined, ""],
  [{ body: new Uint8Array([0x61]) }, "application/octet-stream", "a"],
  [{ body: new Uint8Array([0x61]), contentType: "image/png" }, "image/png", "a"],
  [{ body: "a" }, "application/json", '"a"'],
  [{ body: "a", contentType: "text/html" }, "text/html", "a"],
  [{ body: { a: 5n }, contentType: "text/a" }, "text/a", '{"a":5}'],
  [{ body: null, headers: { "content-type": "x/y" }, contentType: "a/b+json" }, "a/b+json", "null"],
  [{ body: "a", contentType: "a/text" }, "a/text", '"a"'],
])("sends a failure as its handler makes it: %o", async (options, contentType, body) => {
  const app = fastify();
  app.get("/", (_request, reply) =>
    sendFailure(reply, new HttpFailure(418, { ...options, headers: { ...options.headers, x: "y" } })),
  );
  const response = await app.inject("/");

  expect([response.statusCode, response.headers["content-type"], response.headers["x"], response.body]).toEqual([
    418,
    contentType,
    "y",
    body,
  ]);
});
