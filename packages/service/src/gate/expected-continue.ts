import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

const keepsAlive: unique symbol = Symbol("keeps its connection alive once its body is read");

type WaitingResponse = ServerResponse & { [keepsAlive]?: boolean };

/**
 * Makes clients that wait for it (RFC 9110, section 10.1.1) send their bodies only when they will be read: a client that is rejected before
 * gets the response at once, and the connection ends with it, because the next bytes on it may or may not be that body.
 */
export function holdBackContinue(instance: FastifyInstance): void {
  instance.server.on("checkContinue", (request: IncomingMessage, response: WaitingResponse) => {
    response[keepsAlive] = response.shouldKeepAlive;
    response.shouldKeepAlive = false;
    instance.server.emit("request", request, response);
  });
}

/** Requests the body from a waiting client. */
export function sendContinue(response: WaitingResponse): void {
  if (response[keepsAlive] === undefined) return;
  response.shouldKeepAlive = response[keepsAlive];
  response.writeContinue();
}
