import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";

const keepsAlive: unique symbol = Symbol("keeps its connection alive once its body is read");

type WaitingResponse = ServerResponse & { [keepsAlive]?: boolean };

/**
 * Lets callers who wait for it (RFC 9110, section 10.1.1) send their bodies only when something is going to read them: who is refused
 * before that hears so at once, and the connection ends with it, because what comes next on it may or may not be that body.
 */
export function holdBackContinue(instance: FastifyInstance): void {
  instance.server.on("checkContinue", (request: IncomingMessage, response: WaitingResponse) => {
    response[keepsAlive] = response.shouldKeepAlive;
    response.shouldKeepAlive = false;
    instance.server.emit("request", request, response);
  });
}

/** Tells who waits that the body is wanted now. */
export function sendContinue(response: WaitingResponse): void {
  if (response[keepsAlive] === undefined) return;
  response.shouldKeepAlive = response[keepsAlive];
  response.writeContinue();
}
