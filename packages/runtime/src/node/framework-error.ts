import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { type ErrorResponse, restErrorResponse } from "../errors/error-body.ts";
import { isServiceError, ServiceError } from "../errors/service-error.ts";

/** Sends a response unchanged: Fastify adds nothing to its headers. */
export function sendErrorResponse(reply: FastifyReply, response: ErrorResponse): FastifyReply {
  return reply.code(response.status).headers(response.headers).serializer(asItIs).send(response.body);
}

/** Returns text unchanged; a reply with a serializer of its own gets no `charset` from Fastify. */
export function asItIs(payload: unknown): string {
  return String(payload);
}

/** Converts an error of Fastify itself, with our message: its own may contain the URL, and the URL the key. */
export function serviceErrorOfFramework(error: unknown): ServiceError {
  if (isServiceError(error)) return error;
  if (isAbandonedResponse(error))
    return new ServiceError("invalid_request", "The client disconnected", { cause: error });
  const status = statusCodeOf(error);
  if (status === 413) return new ServiceError("too_large", "The request body is too large");
  if (status === 415)
    return new ServiceError("unsupported_media_type", "The media type of the request is not supported");
  if (status >= 400 && status < 500) return new ServiceError("invalid_request", "The request can't be read");
  return ServiceError.from(error);
}

/**
 * Responds to a URL that can't be decoded without quoting it: Fastify's `frameworkErrors` option. Required on each instance with a
 * generated server, because Fastify accepts it for complete instances only.
 */
export function sendFrameworkError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  const response = error.code === "FST_ERR_BAD_URL" ? badUrl : serviceErrorOfFramework(error);
  sendErrorResponse(reply, restErrorResponse(response, request.headers.accept));
}

const badUrl: ServiceError = new ServiceError(
  "invalid_request",
  "The path holds a percent sign that escapes no character",
);

/**
 * Returns whether the error is only the end of the stream of a response whose connection is closed, which Fastify reports; a stream that
 * fails reports its own failure.
 */
function isAbandonedResponse(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE";
}

function statusCodeOf(error: unknown): number {
  if (typeof error !== "object" || error === null || !("statusCode" in error)) return 500;
  return typeof error.statusCode === "number" ? error.statusCode : 500;
}
