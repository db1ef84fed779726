import type { Violation } from "../violation.ts";

/** Longest text of an error body that is kept, in UTF-16 units. */
export const longestErrorBody = 4096;

/** Longest text of a failure that a message repeats, in UTF-16 units. */
const longestQuote = 200;

/** What a failure is that a document describes, as `ApiError` has it. Generated types of failures are unions of these. */
export interface DeclaredFailure<Name extends string = string, Status extends number = number, Value = unknown> {
  /** Name of the failure in the document. */
  readonly failure: Name;
  /** HTTP status. */
  readonly status: Status;
  /** The body. Not held against its type; `undefined` where it is neither JSON nor text, as that of a proxy may be. */
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

/** The service has answered with a failure. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly operation: string;
  /** HTTP status. */
  readonly status: number;
  /** Name of the failure in the document; `undefined` for one that it does not declare. */
  readonly failure: string | undefined;
  /** The body where it is JSON or text, without the key; `isApiError` says of what type the document says it is. */
  readonly value: unknown;
  /** Text of the answer, cut at `longestErrorBody`, without the key. */
  readonly body: string;
  readonly retryAfterSeconds: number | undefined;

  constructor({ operation, status, failure, value, body, retryAfterSeconds }: ApiErrorFacts) {
    const quote = body.length > longestQuote ? `${body.slice(0, longestQuote)}…` : body;
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

/** A JSON-RPC method has answered with an error. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly operation: string;
  readonly code: number;
  readonly data: unknown;
  /** Name of the error in the document; `undefined` for one that it does not declare. */
  readonly failure: string | undefined;
  /** HTTP status of the answer. */
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

/** One error of a GraphQL answer (GraphQL specification, section 7.1.2). */
export interface GraphqlErrorEntry {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** A GraphQL answer holds errors; what was answered all the same is in `data`. */
export class GraphqlError extends Error {
  override readonly name = "GraphqlError";
  readonly operation: string;
  readonly errors: readonly GraphqlErrorEntry[];
  /** Partial data; `undefined` when nothing was executed. Not validated. */
  readonly data: unknown;
  /** HTTP status of the answer. */
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    operation: string,
    errors: readonly GraphqlErrorEntry[],
    data: unknown,
    answer: { readonly status: number; readonly retryAfterSeconds: number | undefined },
  ) {
    super(`${operation} failed: ${errors.map(({ message }) => message).join("; ")}`);
    this.operation = operation;
    this.errors = errors;
    this.data = data;
    this.status = answer.status;
    this.retryAfterSeconds = answer.retryAfterSeconds;
  }
}

/** There was no answer. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  readonly operation: string;
  /** The platform's code, such as `ECONNREFUSED`; nothing else of its error, which may hold the URL. */
  readonly code: string;

  constructor(operation: string, code: string) {
    super(`${operation} failed: there was no answer (${code})`);
    this.operation = operation;
    this.code = code;
  }
}

/** There was no answer in time. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
  readonly operation: string;
  readonly timeoutMilliseconds: number;

  constructor(operation: string, timeoutMilliseconds: number) {
    super(`${operation} failed: there was no answer within ${timeoutMilliseconds} ms`);
    this.operation = operation;
    this.timeoutMilliseconds = timeoutMilliseconds;
  }
}

/** The answer is not what the document says. */
export class InvalidResponseError extends Error {
  override readonly name = "InvalidResponseError";
  readonly operation: string;
  readonly violations: readonly Violation[];

  constructor(operation: string, reason: string, violations: readonly Violation[] = []) {
    const places = violations.map(({ pointer, message }) => `${pointer === "" ? "the answer" : pointer} ${message}`);
    super(`${operation}: ${[reason, ...places].join("; ")}`);
    this.operation = operation;
    this.violations = violations;
  }
}

// Guards compare names, because `instanceof` fails when two copies of this package are installed.

/**
 * Whether a service has answered with a failure. With the failures of an operation, as in `isApiError<GetPetFailure>(error)`, it
 * says of what type the body of each is: `error.failure` tells them apart.
 */
export function isApiError<Failure = unknown>(
  value: unknown,
): value is ApiError & (unknown extends Failure ? unknown : Failure | UndeclaredFailure) {
  return hasName(value, "ApiError");
}

export function isRpcError(value: unknown): value is RpcError {
  return hasName(value, "RpcError");
}

export function isGraphqlError(value: unknown): value is GraphqlError {
  return hasName(value, "GraphqlError");
}

export function isTransportError(value: unknown): value is TransportError {
  return hasName(value, "TransportError");
}

/** The platform has errors of that name too; ours say which operation they are about. */
export function isTimeoutError(value: unknown): value is TimeoutError {
  return hasName(value, "TimeoutError") && value instanceof Error && "operation" in value;
}

export function isInvalidResponseError(value: unknown): value is InvalidResponseError {
  return hasName(value, "InvalidResponseError");
}

function hasName(value: unknown, name: string): boolean {
  return value instanceof Error && value.name === name;
}
