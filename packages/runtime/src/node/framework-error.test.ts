import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import fastify from "fastify";
import { expect, it } from "vitest";
import type { ServiceError } from "../service-error.ts";
import { serviceErrorOfFramework } from "./framework-error.ts";

it("takes a caller who leaves while an answer is sent for no failure of ours", async () => {
  const server = fastify();
  const told = Promise.withResolvers<ServiceError>();
  server.setErrorHandler((error) => told.resolve(serviceErrorOfFramework(error)));
  const asked = Promise.withResolvers<void>();
  server.post("/", (_request, reply) => {
    reply.send(new Readable({ read: () => asked.resolve() }));
  });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const socket = connect((server.server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nhost: here\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}");
  await asked.promise;
  socket.destroy();
  expect(await told.promise).toMatchObject({ code: "invalid_request", message: "The caller has gone" });
  await server.close();
});
