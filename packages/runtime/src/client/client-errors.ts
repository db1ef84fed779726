import type { Violation } from "../errors/violation.ts";

/** Maximum length of an error body that is kept, in UTF-16 units. */
export const maximumErrorBodyLength = 4096;

/** Maximum length of a failure's text that a message repeats, in UTF-16 units. */
const maximumQuoteLength = 200;

/** A failure that a document describes, in the form of `ApiError`. Generated types of failures are unions of these. */
export interface DeclaredFailure<Name extends string = string, Status extends number = number, Value = unknown> {
  /** Name of the failure in the document. */
  readonly failure: Name;
  /** HTTP status. */
  readonly status: Status;
  /** Body. Not validated against its type; `undefined` where it is neither JSON nor text, as that of a proxy may be. */
  readonly value: Value | undefined;
}

/** A failure that the document does not describe. */
export interface UndeclaredFailure {
  readonly failure: undefined;
}

interface ApiErrorFacts {
  readonly operation: string;
  readonly status: number;
  readonly failure: string | undefined;
  readonly value: unknown;
  readonly body: string;
  readonly retryAfterSeconds: number | undefined;
}

/** Error for a failure response of the service. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly operation: string;
  /** HTTP status. */
  readonly status: number;
  /** Name of the failure in the document; `undefined` for one that it does not declare. */
  readonly failure: string | undefined;
  /** Body where it is JSON or text, without the key; `isApiError` narrows it to its type in the document. */
  readonly value: unknown;
  /** Text of the response, truncated at `longestErrorBody`, without the key. */
  readonly body: string;
  readonly retryAfterSeconds: number | undefined;

  constructor({ operation, status, failure, value, body, retryAfterSeconds }: ApiErrorFacts) {
    const quote = body.length > maximumQuoteLength ? `${body.slice(0, maximumQuoteLength)}…` : body;
    super(
      `${operation} failed: ${status}${failure === undefined ? "" : ` ${failure}`}${quote === "" ? "" : `: ${quote}`}`,
    );
    this.operation = operation;
    this.status = status;
    this.failure = failure;
    this.value = value;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface RpcErrorFacts {
  readonly operation: string;
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
  readonly failure: string | undefined;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
}

/** Error for an error response of a JSON-RPC method. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly operation: string;
  readonly code: number;
  readonly data: unknown;
  /** Name of the error in the document; `undefined` for one that it does not declare. */
  readonly failure: string | undefined;
  /** HTTP status of the response. */
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor({ operation, code, message, data, failure, status, retryAfterSeconds }: RpcErrorFacts) {
    super(message);
    this.operation = operation;
    this.code = code;
    this.data = data;
    this.failure = failure;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** One error of a GraphQL response (GraphQL specification, section 7.1.2). */
export interface GraphqlErrorEntry {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Error for a GraphQL response with errors; partial data is in `data`. */
export class GraphqlError extends Error {
  override readonly name = "GraphqlError";
  readonly operation: string;
  readonly errors: readonly GraphqlErrorEntry[];
  /** Partial data; `undefined` when nothing was executed. Not validated. */
  readonly data: unknown;
  /** HTTP status of the response. */
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    operation: string,
    errors: readonly GraphqlErrorEntry[],
    data: unknown,
    response: { readonly status: number; readonly retryAfterSeconds: number | undefined },
  ) {
    super(`${operation} failed: ${errors.map(({ message }) => message).join("; ")}`);
    this.operation = operation;
    this.errors = errors;
    this.data = data;
    this.status = response.status;
    this.retryAfterSeconds = response.retryAfterSeconds;
  }
}

/** Error for a request without a response. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly operation: string;
  /** Code of the platform, such as `ECONNREFUSED`; nothing else of its error, which may contain the URL. */
  readonly code: string;

  constructor(operation: string, code: string) {
    super(`${operation} failed: there was no response (${code})`);
    this.operation = operation;
    this.code = code;
  }
}

/** Error for a request without a response in time. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
  readonly operation: string;
  readonly timeoutMilliseconds: number;

  constructor(operation: string, timeoutMilliseconds: number) {
    super(`${operation} failed: there was no response within ${timeoutMilliseconds} ms`);
    this.operation = operation;
    this.timeoutMilliseconds = timeoutMilliseconds;
  }
}

/** Error for a response that does not match the document. */
export class InvalidResponseError extends Error {
  override readonly name = "InvalidResponseError";
  readonly operation: string;
  readonly violations: readonly Violation[];

  constructor(operation: string, reason: string, violations: readonly Violation[] = []) {
    const places = violations.map(({ pointer, message }) => `${pointer === "" ? "the response" : pointer} ${message}`);
    super(`${operation}: ${[reason, ...places].join("; ")}`);
    this.operation = operation;
    this.violations = violations;
  }
}

// Guards compare names, because `instanceof` fails when two copies of this package are installed.

/**
 * Returns whether an error is a failure response of a service. With the failures of an operation, as in `isApiError<GetPetFailure>(error)`,
 * it narrows the type of each body: `error.failure` distinguishes them.
 */
export function isApiError<Failure = unknown>(
  value: unknown,
): value is ApiError & (unknown extends Failure ? unknown : Failure | UndeclaredFailure) {
  return hasName(value, "ApiError");
}

/** Returns whether a value is an `RpcError`, of any copy of this package. */
export function isRpcError(value: unknown): value is RpcError {
  return hasName(value, "RpcError");
}

/** Returns whether a value is a `GraphqlError`, of any copy of this package. */
export function isGraphqlError(value: unknown): value is GraphqlError {
  return hasName(value, "GraphqlError");
}

/** Returns whether a value is a `TransportError`, of any copy of this package. */
export function isTransportError(value: unknown): value is TransportError {
  return hasName(value, "TransportError");
}

/** Returns whether an error is ours. The platform has errors of that name too; ours contain the operation. */
export function isTimeoutError(value: unknown): value is TimeoutError {
  return hasName(value, "TimeoutError") && value instanceof Error && "operation" in value;
}

/** Returns whether a value is an `InvalidResponseError`, of any copy of this package. */
export function isInvalidResponseError(value: unknown): value is InvalidResponseError {
  return hasName(value, "InvalidResponseError");
}

function hasName(value: unknown, name: string): boolean {
  return value instanceof Error && value.name === name;
}
