import { writeLosslessJson } from "../json/lossless-json.ts";
import type { ServiceError } from "./service-error.ts";

/** A response that describes a failure, ready to be sent. */
export interface ErrorResponse {
  readonly status: number;
  /** Headers with lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An id of a JSON-RPC request as it is echoed. */
export type RpcId = string | number | bigint | null;

/** The error object of JSON-RPC 2.0, section 5.1. */
export interface RpcErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Returns the response of a REST failure: one line of text, or JSON for clients that list it and would accept nothing else. */
export function restErrorResponse(error: ServiceError, accept: string | undefined): ErrorResponse {
  const [type, body] = prefersJson(accept)
    ? ["application/json", JSON.stringify({ error: { code: error.code, message: error.message } })]
    : ["text/plain", oneLine(error.message)];
  return { status: error.httpStatus, headers: errorHeaders(error, type), body };
}

/**
 * Returns the response of a JSON-RPC failure that is the complete response: `result` stands next to `error` where the document's envelope
 * requires both.
 */
export function rpcErrorResponse(
  error: ServiceError,
  id: RpcId = null,
  members: "both" | "one" = "both",
): ErrorResponse {
  const envelope = {
    jsonrpc: "2.0",
    ...(members === "both" ? { result: null } : {}),
    error: rpcErrorObject(error),
    id,
  };
  return {
    status: error.rpcHttpStatus,
    headers: errorHeaders(error, "application/json"),
    body: writeLosslessJson(envelope),
  };
}

/** Returns the response to a GraphQL request that was not executed (GraphQL specification, section 7.1.2: no `data`). */
export function graphqlErrorResponse(
  error: ServiceError,
  mediaType: string = "application/json",
  status: number = error.httpStatus,
): ErrorResponse {
  const body = { errors: [{ message: error.message, extensions: graphqlExtensions(error) }] };
  return {
    status,
    headers: errorHeaders(error, `${mediaType}; charset=utf-8`),
    body: writeLosslessJson(body),
  };
}

/** Returns the error object of a JSON-RPC response (JSON-RPC 2.0, section 5.1). */
export function rpcErrorObject(error: ServiceError): RpcErrorObject {
  const object = { code: error.rpcCode, message: error.message };
  return error.details === undefined ? object : { ...object, data: error.details };
}

/** Returns the `extensions` of an error in a GraphQL response. */
export function graphqlExtensions(error: ServiceError): Readonly<Record<string, unknown>> {
  return { ...error.details, code: error.graphqlCode };
}

/** Returns whether an `Accept` lists JSON and not everything: browsers and Esplora's clients get text. */
export function prefersJson(accept: string | undefined): boolean {
  const types = accept ?? "*/*";
  return types.includes("application/json") && !types.includes("*/*");
}

function errorHeaders(error: ServiceError, contentType: string): Readonly<Record<string, string>> {
  return {
    "content-type": contentType,
    ...(error.code === "unauthenticated" ? { "www-authenticate": 'Basic realm="nodewright", charset="UTF-8"' } : {}),
    ...(error.retryAfterSeconds === undefined ? {} : { "retry-after": String(Math.ceil(error.retryAfterSeconds)) }),
  };
}

function oneLine(text: string): string {
  const lines = text.split(/[\r\n]/).map((line) => line.trim());
  return lines.filter((line) => line !== "").join(" ");
}
