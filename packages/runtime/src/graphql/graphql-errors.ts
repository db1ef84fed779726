import type { GraphQLError, GraphQLFormattedError } from "graphql";
import { graphqlExtensions } from "../errors/error-body.ts";
import { isServiceError, ServiceError } from "../errors/service-error.ts";

/** An error of a response with its underlying failure. */
export interface ResponseError {
  readonly formatted: GraphQLFormattedError;
  readonly error: ServiceError;
}

/**
 * Converts an error of a GraphQL result for clients: a `ServiceError` with its code, a mistake of theirs with its message, and everything
 * else as `internal`.
 */
export function responseErrorOf(error: GraphQLError, isExecuted: boolean): ResponseError {
  const reason = serviceErrorOf(error, isExecuted);
  const extensions = isServiceError(error.originalError) ? graphqlExtensions(reason) : { code: reason.graphqlCode };
  const { locations, path } = error;
  const formatted = {
    message: shortened(reason.message),
    ...(locations === undefined ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
    extensions,
  };
  return { formatted, error: reason };
}

/** Returns the errors with the results of `redact` for their messages; the same list where it changes none. */
export function redactedErrors(
  errors: readonly ResponseError[],
  redact: (message: string) => string,
): readonly ResponseError[] {
  const redacted = errors.map((entry) => {
    // Redacted before it is shortened, so that no match of `redact` is cut in two.
    const message = entry.error.message.slice(0, maximumRedactedLength);
    const shown = redact(message);
    if (shown === message) return entry;
    return { ...entry, formatted: { ...entry.formatted, message: shortened(shown) } };
  });
  return redacted.every((entry, position) => entry === errors[position]) ? errors : redacted;
}

/** Shortens a message: graphql-js quotes the subject, however long that is. */
function shortened(message: string): string {
  return message.length > maximumMessageLength ? `${message.slice(0, maximumMessageLength)}…` : message;
}

const maximumMessageLength = 1_000;
const maximumRedactedLength = 2 * maximumMessageLength;

/**
 * Returns the error for the client. Messages of graphql-js are for the client when they are about the request: about the document, about
 * variables (without a path), and about arguments (with a path, but thrown by no code of ours). Errors of our code are not.
 */
function serviceErrorOf(error: GraphQLError, isExecuted: boolean): ServiceError {
  const reason = error.originalError;
  if (isServiceError(reason)) return reason;
  const isAboutRequest =
    !isExecuted || error.path === undefined || (reason === undefined && isCoercionText(error.message));
  if (isAboutRequest) return new ServiceError("invalid_input", error.message);
  return new ServiceError("internal", "Internal error", { cause: reason ?? error });
}

/** Returns whether a message is one of graphql-js about an argument during execution. */
function isCoercionText(message: string): boolean {
  return message.startsWith("Argument ");
}
