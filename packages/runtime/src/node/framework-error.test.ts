import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../errors/service-error.ts";
import { sendFrameworkError, serviceErrorOfFramework } from "./framework-error.ts";

it("takes a caller who leaves while a response is sent for no failure of ours", async () => {
  const server = fastify();
  const reported = Promise.withResolvers<ServiceError>();
  server.setErrorHandler((error) => reported.resolve(serviceErrorOfFramework(error)));
  const asked = Promise.withResolvers<void>();
  server.post("/", (_request, reply) => {
    reply.send(new Readable({ read: () => asked.resolve() }));
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect((server.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}");
  await asked.promise;
  socket.destroy();
  expect(await reported.promise).toMatchObject({ code: "invalid_request", message: "The client disconnected" });
  await server.close();
});

describe("an error of Fastify", () => {
  const withStatus = (statusCode: unknown) => Object.assign(new Error("/path?apikey=SECRET"), { statusCode });

  it.each<[unknown, string, string]>([
    [withStatus(413), "too_large", "The request body is too large"],
    [withStatus(415), "unsupported_media_type", "The media type of the request is not supported"],
    [withStatus(400), "invalid_request", "The request can't be read"],
    [withStatus(499), "invalid_request", "The request can't be read"],
    [withStatus(399), "internal", "Internal error"],
    [withStatus(500), "internal", "Internal error"],
    [withStatus("400"), "internal", "Internal error"],
    [new Error("SECRET"), "internal", "Internal error"],
    [{ statusCode: 404 }, "invalid_request", "The request can't be read"],
    ["SECRET", "internal", "Internal error"],
    [null, "internal", "Internal error"],
    [{ code: "ERR_STREAM_PREMATURE_CLOSE" }, "internal", "Internal error"],
    [
      Object.assign(new Error("SECRET"), { code: "ERR_STREAM_PREMATURE_CLOSE" }),
      "invalid_request",
      "The client disconnected",
    ],
  ])("is told in our words: %o", (error, code, message) => {
    expect(serviceErrorOfFramework(error)).toMatchObject({ code, message });
  });

  it("is kept where it is ours", () => {
    const error = new ServiceError("not_found", "Not there");
    expect(serviceErrorOfFramework(error)).toBe(error);
  });

  it("about the URL is answered without it, as JSON where that is requested", async () => {
    const server = fastify({ frameworkErrors: sendFrameworkError });
    server.get("/:text", async () => "never");
    const response = await server.inject({ url: "/%zz?SECRET", headers: { accept: "text/plain" } });
    expect([response.statusCode, response.headers["content-type"], response.body]).toEqual([
      400,
      "text/plain",
      "The path holds a percent sign that escapes no character",
    ]);
    const asJson = await server.inject({ url: "/%zz", headers: { accept: "application/json" } });
    expect([asJson.headers["content-type"], asJson.json()]).toEqual([
      "application/json",
      { error: { code: "invalid_request", message: "The path holds a percent sign that escapes no character" } },
    ]);
    await server.close();
  });
});
