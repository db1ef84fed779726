import type { IncomingMessage, ServerResponse } from "node:http";
import { ServiceError } from "@nodewright/runtime";
import type { FastifyInstance, FastifyRequest } from "fastify";

const itsResponse: unique symbol = Symbol("response");

type WatchedRequest = IncomingMessage & { [itsResponse]?: ServerResponse };

/**
 * Watches the requests of `instance`, and gives a function that makes a signal for one of them: aborted when the caller goes away
 * before the answer is written, with a `ServiceError` that nobody will see.
 *
 * It is the response that tells: a request closes as soon as its body is read, and a connection serves many of them. The listener
 * goes with the response.
 */
export function watchCallers(instance: FastifyInstance): (request: FastifyRequest) => AbortSignal {
  instance.addHook("onRequest", (request, reply, done) => {
    // On the request itself: a map of weak keys costs each collection of garbage more than the answer.
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
  return new ServiceError("invalid_request", "The caller has gone before the answer");
}
