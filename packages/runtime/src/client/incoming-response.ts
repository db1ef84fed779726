import { essenceOf, findContent } from "../operations/media-type.ts";
import type { ContentFacts, HttpCall, SuccessFacts } from "../operations/operation.ts";
import { decodeBody } from "../wire/body.ts";
import { isWireError } from "../wire/wire-error.ts";
import { findJson } from "./read-response.ts";
import { InvalidResponseError } from "./client-errors.ts";
import type { TransportResponse } from "./client-options.ts";
import { patternsOf } from "./status-pattern.ts";

/**
 * Returns the document's success for this status and media type; `undefined` where that is a failure or is not described. A status precedes
 * its class, both precede `default` (OpenAPI 3.1, section 4.8.16).
 */
export function findSuccess(
  { successes, failures }: HttpCall,
  status: number,
  contentType: string | undefined,
): SuccessFacts | undefined {
  for (const pattern of patternsOf(status)) {
    const found = successes.filter((success) => success.status === pattern);
    if (found.length > 0) return withType(found, contentType);
    if (failures.some((failure) => failure.status === pattern)) return undefined;
  }
  return undefined;
}

/** Returns the wire value of a complete response. Throws `InvalidResponseError`. */
export function readWireResponse(
  operation: HttpCall,
  content: ContentFacts | undefined,
  response: TransportResponse,
): unknown {
  if (content === undefined) return undefined;
  const keepsLongIntegers = operation.output.decode !== undefined;
  if (content.form === "json") {
    const value = findJson(response, keepsLongIntegers);
    if (value === undefined) throw new InvalidResponseError(operation.name, "the response is not JSON");
    return value;
  }
  try {
    return decodeBody(content, response.body, response.header("content-type"), { keepsLongIntegers });
  } catch (error) {
    throw invalidResponse(operation.name, error);
  }
}

/** Converts a wire error for the caller; any other error is returned unchanged. */
export function invalidResponse(operation: string, error: unknown): unknown {
  return isWireError(error)
    ? new InvalidResponseError(operation, `the response can't be read: ${error.message}`)
    : error;
}

function withType(candidates: readonly SuccessFacts[], contentType: string | undefined): SuccessFacts | undefined {
  if (candidates.length < 2 || contentType === undefined) return candidates[0];
  const content = findContent(
    candidates.flatMap((candidate) => candidate.content ?? []),
    essenceOf(contentType) ?? "",
  );
  return candidates.find((candidate) => candidate.content === content) ?? candidates[0];
}
