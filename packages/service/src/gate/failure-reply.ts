import type { ServiceError } from "@nodewright/runtime";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ServedInterface } from "../registry/registry.ts";

/** An answer as it goes out. */
export interface FailureBody {
  readonly contentType: string;
  readonly text: string;
}

/**
 * Answers with a failure that struck before a handler was asked: HTTP status of the error's code, and the body that
 * clients of the interface expect.
 */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  servedInterface: ServedInterface,
  error: ServiceError,
): FastifyReply {
  const body = renderFailure(servedInterface, error, request.headers.accept);
  if (error.code === "unauthenticated") reply.header("www-authenticate", 'Basic realm="nodewright", charset="UTF-8"');
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", error.retryAfterSeconds);
  return reply
    .code(error.httpStatus)
    .header("access-control-allow-origin", "*")
    .header("cache-control", "no-store")
    .header("content-type", body.contentType)
    .send(body.text);
}

/** The body of a failure: one line of text, a JSON-RPC envelope with both members, or GraphQL errors. */
export function renderFailure(
  servedInterface: ServedInterface,
  error: ServiceError,
  accept: string | undefined,
): FailureBody {
  switch (servedInterface) {
    case "rest":
      return prefersJson(accept) ? json({ error: { code: error.code, message: error.message } }) : text(error.message);
    case "rpc":
      return json({ result: null, error: rpcErrorObject(error), id: null });
    case "graphql":
      return json({ errors: [{ message: error.message, extensions: { code: error.graphqlCode, ...error.details } }] });
  }
}

/** Text is what clients of the index expect: JSON goes to those who name it and would not take anything else. */
function prefersJson(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  return accept.includes("application/json") && !accept.includes("*/*");
}

function rpcErrorObject(error: ServiceError): Readonly<Record<string, unknown>> {
  const object = { code: error.rpcCode, message: error.message };
  return error.details === undefined ? object : { ...object, data: error.details };
}

function json(value: unknown): FailureBody {
  return { contentType: "application/json; charset=utf-8", text: JSON.stringify(value) };
}

function text(line: string): FailureBody {
  return { contentType: "text/plain; charset=utf-8", text: line };
}
