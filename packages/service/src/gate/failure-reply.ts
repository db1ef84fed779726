import {
  type ErrorAnswer,
  graphqlErrorAnswer,
  restErrorAnswer,
  rpcErrorAnswer,
  type ServiceError,
} from "@nodewright/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { crossOriginHeaders } from "../answer/cross-origin.ts";
import type { ServedInterface } from "../registry/registry.ts";

/** Sends a failure that occurred before a handler was called, in the form that clients of the interface expect. */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  servedInterface: ServedInterface,
  error: ServiceError,
): FastifyReply {
  const answer = failureAnswer(servedInterface, error, request.headers.accept);
  return (
    reply
      .code(error.httpStatus)
      .headers(answer.headers)
      .headers(crossOriginHeaders)
      .header("cache-control", "no-store")
      // Fastify would add a charset to JSON, and clients compare the complete value.
      .serializer(String)
      .send(answer.body)
  );
}

function failureAnswer(servedInterface: ServedInterface, error: ServiceError, accept: string | undefined): ErrorAnswer {
  switch (servedInterface) {
    case "rest":
      return restErrorAnswer(error, accept);
    case "rpc":
      return rpcErrorAnswer(error);
    case "graphql":
      return graphqlErrorAnswer(error);
  }
}
