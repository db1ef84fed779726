import {
  type ErrorResponse,
  graphqlErrorResponse,
  restErrorResponse,
  rpcErrorResponse,
  type ServiceError,
} from "@nodewright/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import { crossOriginHeaders } from "../response/cross-origin.ts";
import type { ServedInterface } from "../registry/registry.ts";

/** Sends a failure that occurred before a handler was called, in the form that clients of the interface expect. */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  servedInterface: ServedInterface,
  error: ServiceError,
): FastifyReply {
  const response = failureResponse(servedInterface, error, request.headers.accept);
  return (
    reply
      .code(error.httpStatus)
      .headers(response.headers)
      .headers(crossOriginHeaders)
      .header("cache-control", "no-store")
      // Fastify would add a charset to JSON, and clients compare the complete value.
      .serializer(String)
      .send(response.body)
  );
}

function failureResponse(
  servedInterface: ServedInterface,
  error: ServiceError,
  accept: string | undefined,
): ErrorResponse {
  switch (servedInterface) {
    case "rest":
      return restErrorResponse(error, accept);
    case "rpc":
      return rpcErrorResponse(error);
    case "graphql":
      return graphqlErrorResponse(error);
  }
}
