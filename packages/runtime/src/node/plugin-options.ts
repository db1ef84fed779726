import type { FastifyRequest } from "fastify";
import type { AnyOperation, HttpOperation } from "../operation.ts";
import type { HttpFailure } from "../http-failure.ts";
import type { ParameterAliases } from "../rpc-parameters.ts";
import type { ServiceError } from "../service-error.ts";
import type { Violation } from "../violation.ts";

type Maybe<Value> = Value | undefined;

/** What every generated server plugin is created with. */
export interface PluginOptions<Context> {
  /** The context that handlers are called with: once per HTTP request, after `admitRequest`. */
  context(request: FastifyRequest): Context | Promise<Context>;
  /**
   * Decides whether an operation may be called: once for each HTTP operation, each member of a batch, each root field of a
   * GraphQL operation, before its input is looked at. The error answers it in the handler's place.
   */
  admit?(operation: AnyOperation, request: FastifyRequest): Maybe<ServiceError> | Promise<Maybe<ServiceError>>;
  /**
   * Decides over a request as a whole, batch or not, with its known operations, one for each member: for rates and quotas.
   * `members` counts all of them, also those of a batch that are no operation. `cost` is what a GraphQL operation was found to cost.
   * The error answers the request, with its HTTP status.
   */
  admitRequest?(
    operations: readonly AnyOperation[],
    request: FastifyRequest,
    members: number,
    cost?: number,
  ): Maybe<ServiceError> | Promise<Maybe<ServiceError>>;
  /**
   * Returns an error's message without what its response must not repeat, such as the credentials of the request, which a client may
   * have put into a parameter by mistake. Called for each error that is sent. Results, error data, ids and the names that a GraphQL
   * document gives to fields are sent as they are, and so is an `HttpFailure`. Absent: messages are sent as they are.
   */
  redactMessage?(message: string, request: FastifyRequest): string;
  /** Told of each failure that was answered, for logs: `error.cause` is not sent. */
  onError?(error: ServiceError, request: FastifyRequest, operation: Maybe<AnyOperation>): void;
  /** Told of each operation that was answered, failed or not, with the time it took. */
  onOperation?(operation: AnyOperation, request: FastifyRequest, outcome: OperationOutcome): void;
  /**
   * Holds each answer against its type. `log`: one that does not match is told to `onInvalidAnswer` and sent all the same;
   * `throw`: it is answered as `internal`. Absent: `off` where `NODE_ENV` is `production`, else `log`.
   */
  validateAnswers?: AnswerValidation;
  /** Told of answers that do not match, where they are only logged. Absent: the request's own log, as a warning. */
  onInvalidAnswer?(operation: AnyOperation, violations: readonly Violation[], request: FastifyRequest): void;
  /** Largest request body in bytes. Absent: that of the Fastify instance. */
  bodyLimitBytes?: number;
  /** Deepest nesting of a JSON body. Absent: `defaultLimits`. */
  maximumDepth?: number;
}

/** What is done about answers that do not match their type. */
export type AnswerValidation = "off" | "log" | "throw";

/** What is done when the options do not say. */
export function defaultAnswerValidation(): AnswerValidation {
  return process.env["NODE_ENV"] === "production" ? "off" : "log";
}

export interface OperationOutcome {
  readonly milliseconds: number;
  /** Of a root field of GraphQL: what the whole operation that selects it was found to cost. */
  readonly cost?: number;
  /** Absent when it succeeded. */
  readonly error?: ServiceError;
}

export interface RestOptions<Context> extends PluginOptions<Context> {
  /** The answer to a path that no operation has. Absent: `not_found` with a fixed sentence. */
  notFound?(request: FastifyRequest): ServiceError;
  /** The answer to a wrong input. Absent: `invalid_input` with the parameter's own text, else a sentence. */
  invalidInput?(operation: HttpOperation, violations: readonly Violation[]): ServiceError;
  /** The answer to a failure in the API's own form. Absent, or giving undefined: a line of text, or JSON for who asks for it. */
  failureAnswer?(error: ServiceError, request: FastifyRequest, operation: Maybe<HttpOperation>): Maybe<HttpFailure>;
  /**
   * True when the last parameter of a path may be empty, as in `/blocks/`: it is then an empty text, for its type to take or refuse.
   * Absent: such a path is one that no operation has.
   */
  emptyLastParameters?: boolean;
  /**
   * The tag of the answer that the caller has already, when it is the one that would be sent: it is answered 304 (RFC 9110, section
   * 13.1.2) without being written. Asked for answers of status 200 with an ETag whose text is yet to be written, with that ETag.
   * Absent, or giving undefined: the answer is sent.
   */
  heldTag?(request: FastifyRequest, tag: string): Maybe<string>;
  /** Most pairs of a query or form, and most parts of a multipart body. Absent: that of the runtime. */
  maximumParts?: number;
}

export interface RpcOptions<Context> extends PluginOptions<Context> {
  /** Most members of a batch, known to the document or not; a function is asked for each batch. Absent: `defaultLimits`. */
  batchLimit?: number | ((request: FastifyRequest) => number);
  /** Most members of a batch that are worked on at once. Absent: `defaultLimits`. */
  concurrency?: number;
  /**
   * Methods of which a batch works on one member at a time, when those before it are done, beside those that the document says
   * change something (`x-safe: false`): such as searches of which a caller has one at a time. Absent: no others.
   */
  oneAfterTheOther?: ReadonlySet<string>;
  /** Time of a batch as a whole: members that are not done then are answered `upstream_timeout`. Absent: `defaultLimits`. */
  batchMilliseconds?: number;
  /**
   * Most bytes of all results of a batch, with their envelopes; a function is called for each batch. A member whose response would
   * exceed it, and those that are not begun by then, are answered `too_large`. Absent: `defaultLimits`.
   */
  batchResponseBytes?: number | ((request: FastifyRequest) => number);
  /**
   * The HTTP status of an answer to a single request that is this error alone, by the `jsonrpc` of the request. Absent, or giving
   * undefined: that of the table of errors.
   */
  httpStatus?(error: ServiceError, version: Maybe<string>): Maybe<number>;
  /**
   * The member of named parameters that may hold a list of the first ones by position, such as Bitcoin Core's `args`. A parameter
   * given both ways is a violation `/<property>` with keyword `givenTwice`. Absent: there is none.
   */
  positionalMember?: string;
  /**
   * Other names that named parameters are taken under, by method, such as `{ getblock: { verbose: "verbosity" } }`. Beside the
   * parameter's own name such a name is unknown. Absent: there are none.
   */
  parameterAliases?: ParameterAliases;
  /**
   * The answer to wrong parameters, in the API's own dialect. Violations point into the input by property; a parameter too many
   * is `/<position>` with keyword `maxItems`, an unknown name `/<name>` with keyword `additionalProperties`.
   * `params` is as sent, or by name where some of it was sent in `positionalMember`. Absent: -32602 with the violations as data.
   */
  invalidParameters?(method: string, violations: readonly Violation[], params: unknown): ServiceError;
}

export const defaultLimits = {
  bodyLimitBytes: 1_048_576,
  maximumDepth: 100,
  batchLimit: 100,
  concurrency: 8,
  batchMilliseconds: 25_000,
  batchResponseBytes: 8_388_608,
} as const;
