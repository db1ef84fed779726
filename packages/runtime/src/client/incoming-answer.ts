import { essenceOf, findContent } from "../media-type.ts";
import type { ContentFacts, HttpCall, SuccessFacts } from "../operation.ts";
import { decodeBody } from "../wire/body.ts";
import { isWireError } from "../wire/wire-error.ts";
import { findJson } from "./answer.ts";
import { InvalidResponseError } from "./client-errors.ts";
import type { TransportResponse } from "./client-options.ts";
import { patternsOf } from "./status-pattern.ts";

/**
 * How the document calls an answer with this status and media type; `undefined` where that is a failure or is not described.
 * A status stands before its class, both before `default` (OpenAPI 3.1, section 4.8.16).
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

/** The wire value of a whole answer. Throws `InvalidResponseError`. */
export function readWireAnswer(
  operation: HttpCall,
  content: ContentFacts | undefined,
  response: TransportResponse,
): unknown {
  if (content === undefined) return undefined;
  const keepsLongIntegers = operation.output.decode !== undefined;
  if (content.form === "json") {
    const value = findJson(response, keepsLongIntegers);
    if (value === undefined) throw new InvalidResponseError(operation.name, "the answer is not JSON");
    return value;
  }
  try {
    return decodeBody(content, response.body, response.header("content-type"), { keepsLongIntegers });
  } catch (error) {
    throw invalidAnswer(operation.name, error);
  }
}

/** What a wire error means to who has asked; anything else is given as it is. */
export function invalidAnswer(operation: string, error: unknown): unknown {
  return isWireError(error) ? new InvalidResponseError(operation, `the answer can't be read: ${error.message}`) : error;
}

function withType(candidates: readonly SuccessFacts[], contentType: string | undefined): SuccessFacts | undefined {
  if (candidates.length < 2 || contentType === undefined) return candidates[0];
  const content = findContent(
    candidates.flatMap((candidate) => candidate.content ?? []),
    essenceOf(contentType) ?? "",
  );
  return candidates.find((candidate) => candidate.content === content) ?? candidates[0];
}
