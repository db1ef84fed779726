import type { FastifyRequest } from "fastify";
import type { AnyOperation, HttpOperation } from "../operations/operation.ts";
import type { HttpFailure } from "../errors/http-failure.ts";
import type { ParameterAliases } from "../operations/rpc-parameters.ts";
import type { ServiceError } from "../errors/service-error.ts";
import type { Violation } from "../errors/violation.ts";

type Maybe<Value> = Value | undefined;

/** Options of every generated server plugin. */
export interface PluginOptions<Context> {
  /** Returns the context for handlers: once per HTTP request, after `admitRequest`. */
  context(request: FastifyRequest): Context | Promise<Context>;
  /**
   * Decides whether an operation may be called: once for each HTTP operation, each member of a batch, each root field of a GraphQL
   * operation, before its input is validated. The error is the response instead of the handler's.
   */
  admit?(operation: AnyOperation, request: FastifyRequest): Maybe<ServiceError> | Promise<Maybe<ServiceError>>;
  /**
   * Decides about a complete request, batch or not, with its known operations, one for each member: for rates and quotas. `members` counts
   * all of them, also those of a batch that are not an operation. `cost` is the computed cost of a GraphQL operation. The error is the response
   * to the request, with its HTTP status.
   */
  admitRequest?(
    operations: readonly AnyOperation[],
    request: FastifyRequest,
    members: number,
    cost?: number,
  ): Maybe<ServiceError> | Promise<Maybe<ServiceError>>;
  /**
   * Returns an error's message without what its response must not repeat, such as the credentials of the request, which a client may have
   * put into a parameter by mistake. Called for each error that is sent. Results, error data, ids and the names that a GraphQL document
   * gives to fields are sent unchanged, and so is an `HttpFailure`. Absent: messages are sent unchanged.
   */
  redactMessage?(message: string, request: FastifyRequest): string;
  /** Callback for each failure that was sent, for logs: `error.cause` is not sent. */
  onError?(error: ServiceError, request: FastifyRequest, operation: Maybe<AnyOperation>): void;
  /** Callback for each operation that was completed, failed or not, with its duration. */
  onOperation?(operation: AnyOperation, request: FastifyRequest, outcome: OperationOutcome): void;
  /**
   * Validation of each response against its type. `log`: a mismatch is reported to `onInvalidResponse` and the response sent nevertheless;
   * `throw`: the response is `internal`. Absent: `off` where `NODE_ENV` is `production`, otherwise `log`.
   */
  validateResponses?: ResponseValidation;
  /** Callback for responses that do not match, where they are only logged. Absent: the request's own log, as a warning. */
  onInvalidResponse?(operation: AnyOperation, violations: readonly Violation[], request: FastifyRequest): void;
  /** Maximum request body in bytes. Absent: that of the Fastify instance. */
  bodyLimitBytes?: number;
  /** Maximum nesting of a JSON body. Absent: `defaultLimits`. */
  maximumDepth?: number;
}

/** Treatment of responses that do not match their type. */
export type ResponseValidation = "off" | "log" | "throw";

/** Returns the default of the option. */
export function defaultResponseValidation(): ResponseValidation {
  return process.env["NODE_ENV"] === "production" ? "off" : "log";
}

/** Duration in milliseconds and outcome of one executed operation. */
export interface OperationOutcome {
  readonly milliseconds: number;
  /** Computed cost of the complete GraphQL operation, of a root field. */
  readonly cost?: number;
  /** Error; absent when it succeeded. */
  readonly error?: ServiceError;
}

/** Options of a generated REST plugin. */
export interface RestOptions<Context> extends PluginOptions<Context> {
  /** Returns the response to a path that no operation has. Absent: `not_found` with a fixed sentence. */
  notFound?(request: FastifyRequest): ServiceError;
  /** Returns the response to an invalid input. Absent: `invalid_input` with the parameter's own message, otherwise a sentence. */
  invalidInput?(operation: HttpOperation, violations: readonly Violation[]): ServiceError;
  /** Returns the response to a failure in the API's own form. Absent, or undefined: a line of text, or JSON for clients that request it. */
  failureResponse?(error: ServiceError, request: FastifyRequest, operation: Maybe<HttpOperation>): Maybe<HttpFailure>;
  /**
   * Whether the last parameter of a path may be empty, as in `/blocks/`: it is then an empty string, for its type to accept or reject.
   * Absent: such a path is unknown.
   */
  emptyLastParameters?: boolean;
  /**
   * Returns the tag of the response that the client has already, when it is the one that would be sent: the response is then a 304 (RFC
   * 9110, section 13.1.2) and its body not written. Called for responses of status 200 with an ETag whose body is not written yet, with
   * that ETag. Absent, or undefined: the response is sent.
   */
  matchingTag?(request: FastifyRequest, tag: string): Maybe<string>;
  /** Maximum pairs of a query or form, and maximum parts of a multipart body. Absent: that of the runtime. */
  maximumParts?: number;
}

/** Options of a generated JSON-RPC plugin. */
export interface RpcOptions<Context> extends PluginOptions<Context> {
  /** Maximum members of a batch, known to the document or not; a function is called for each batch. Absent: `defaultLimits`. */
  batchLimit?: number | ((request: FastifyRequest) => number);
  /** Maximum members of a batch that are processed concurrently. Absent: `defaultLimits`. */
  concurrency?: number;
  /**
   * Methods of which a batch processes one member at a time, when those before it are done, in addition to those that change something by
   * their document (`x-safe: false`): such as searches of which a client has one at a time. Absent: no others.
   */
  oneAfterTheOther?: ReadonlySet<string>;
  /** Timeout of a complete batch in milliseconds: unfinished members get `upstream_timeout`. Absent: `defaultLimits`. */
  batchMilliseconds?: number;
  /**
   * Maximum bytes of all results of a batch, with their envelopes; a function is called for each batch. A member whose response would
   * exceed it, and those that are not begun by then, get `too_large`. Absent: `defaultLimits`.
   */
  batchResponseBytes?: number | ((request: FastifyRequest) => number);
  /**
   * Returns the HTTP status of a response to a single request that is this error alone, by the `jsonrpc` of the request. Absent, or
   * undefined: that of the table of errors.
   */
  httpStatus?(error: ServiceError, version: Maybe<string>): Maybe<number>;
  /**
   * Member of named parameters that may contain a list of the first ones by position, such as Bitcoin Core's `args`. A parameter given both
   * ways is a violation `/<property>` with keyword `givenTwice`. Absent: there is none.
   */
  positionalMember?: string;
  /**
   * Aliases of named parameters, by method, such as `{ getblock: { verbose: "verbosity" } }`. Together with the parameter's own name such
   * an alias is unknown. Absent: there are none.
   */
  parameterAliases?: ParameterAliases;
  /**
   * Returns the response to invalid parameters, in the API's own dialect. Violations refer to the input by property; a parameter too many
   * is `/<position>` with keyword `maxItems`, an unknown name `/<name>` with keyword `additionalProperties`. `params` is as sent, or by
   * name where some of it was sent in `positionalMember`. Absent: -32602 with the violations as data.
   */
  invalidParameters?(method: string, violations: readonly Violation[], params: unknown): ServiceError;
}

/** Default limits of REST and JSON-RPC plugins. */
export const defaultLimits = {
  bodyLimitBytes: 1_048_576,
  maximumDepth: 100,
  batchLimit: 100,
  concurrency: 8,
  batchMilliseconds: 25_000,
  batchResponseBytes: 8_388_608,
} as const;
