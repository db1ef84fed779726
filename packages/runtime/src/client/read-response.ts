import { readLosslessJson } from "../json/lossless-json.ts";
import { essenceOf } from "../operations/media-type.ts";
import type { FailureFacts, ValueCodec, ValueFacts } from "../operations/operation.ts";
import { type Caller, retryAfterSeconds } from "./caller.ts";
import { ApiError, InvalidResponseError, maximumErrorBodyLength } from "./client-errors.ts";
import type { TransportResponse } from "./client-options.ts";
import type { Redaction } from "./redaction.ts";
import { findFailure } from "./status-pattern.ts";

/**
 * Converts a wire value to a value in memory; validates it first when the client's options and the facts allow it. Throws
 * `InvalidResponseError`.
 */
export function readValue<Value>(caller: Caller, operation: string, facts: ValueCodec<Value>, wire: unknown): Value {
  const { is, violationsOf } = facts as Partial<ValueFacts<Value>>;
  if (caller.validateResponses && is?.(wire) === false) {
    const reason = "the response does not match its type";
    throw new InvalidResponseError(operation, reason, violationsOf?.(wire));
  }
  // Without a decoder, wire and memory value are the same.
  if (facts.decode === undefined) return wire as Value;
  try {
    return facts.decode(wire);
  } catch {
    throw new InvalidResponseError(operation, "the response can't be decoded", violationsOf?.(wire));
  }
}

function readText(response: TransportResponse): string {
  return new TextDecoder().decode(response.body);
}

/**
 * Returns the JSON of a response; `undefined` when it has none. Long integers become bigints only where a decoder follows: everywhere else
 * the result is that of `JSON.parse`.
 */
export function findJson(response: TransportResponse, isDecoded: boolean): unknown {
  try {
    const text = readText(response);
    return isDecoded ? readLosslessJson(text) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the error of a response that is not a success. */
export function apiErrorOf(
  caller: Caller,
  operation: string,
  failures: readonly FailureFacts[],
  response: TransportResponse,
): ApiError {
  const { status } = response;
  const { redaction } = caller.endpoint;
  const failure = findFailure(failures, status);
  return new ApiError({
    operation,
    status,
    failure: failure?.name,
    value: findFailureValue(response, failure, redaction),
    body: redaction.text(readText(response)).slice(0, maximumErrorBodyLength),
    retryAfterSeconds: retryAfterSeconds(response),
  });
}

/** Returns the body of a failure by its declared content type: services also respond with failures that no document of theirs describes. */
function findFailureValue(
  response: TransportResponse,
  failure: FailureFacts | undefined,
  redaction: Redaction,
): unknown {
  const mediaType = essenceOf(response.header("content-type")) ?? "";
  if (mediaType.startsWith("text/")) return redaction.text(readText(response));
  if (!/[/+]json$/.test(mediaType)) return undefined;
  const { decode } = failure ?? {};
  try {
    const wire = redaction.value(findJson(response, decode !== undefined));
    return decode === undefined || wire === undefined ? wire : decode(wire);
  } catch {
    // It can't be decoded, or is nested too deeply to be searched for the key.
    return undefined;
  }
}
