import type { IncomingMessage, ServerResponse } from "node:http";
import { ServiceError } from "@nodewright/runtime";
import type { FastifyInstance, FastifyRequest } from "fastify";

const itsResponse: unique symbol = Symbol("response");

type WatchedRequest = IncomingMessage & { [itsResponse]?: ServerResponse };

/**
 * Watches the requests of `instance`, and returns a function that creates a signal for one of them: aborted when the client goes away
 * before the response is written, with a `ServiceError` that is never visible.
 *
 * It observes the response: a request closes as soon as its body is read, and a connection serves many of them. The listener is removed
 * with the response.
 */
export function watchCallers(instance: FastifyInstance): (request: FastifyRequest) => AbortSignal {
  instance.addHook("onRequest", (request, reply, done) => {
    // Stored on the request itself: a map of weak keys costs each garbage collection more than the response.
    (request.raw as WatchedRequest)[itsResponse] = reply.raw;
    done();
  });
  return (request) => {
    const response = (request.raw as WatchedRequest)[itsResponse];
    if (response === undefined) throw new Error("A request was not watched from its beginning");
    return signalOf(response);
  };
}

function signalOf(response: ServerResponse): AbortSignal {
  if (response.destroyed) return AbortSignal.abort(callerHasGone());
  const controller = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) controller.abort(callerHasGone());
  });
  return controller.signal;
}

function callerHasGone(): ServiceError {
  return new ServiceError("invalid_request", "The client disconnected before the response");
}
