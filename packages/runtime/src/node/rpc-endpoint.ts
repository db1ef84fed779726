import type { FastifyRequest } from "fastify";
import { decodeInput, inputViolations } from "../operations/decode-input.ts";
import { readLosslessJson } from "../json/lossless-json.ts";
import type { Handler, RpcOperation } from "../operations/operation.ts";
import { isPreparedJson, type PreparedJson } from "../json/prepared-json.ts";
import { namedParameters, readRpcParameters, withDocumentNames } from "../operations/rpc-parameters.ts";
import { isInvalidRequest, isNotification, type RpcRequest } from "../operations/rpc-request.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { Violation } from "../errors/violation.ts";
import { type ResponseCheck, createResponseCheck } from "./response-check.ts";
import type { RpcOptions } from "./plugin-options.ts";
import { charactersOf, type PreparedText, completeText } from "./prepared-text.ts";
import { redactedError } from "./redacted-error.ts";
import {
  errorResponse,
  resultResponse,
  type RpcResponse,
  type RpcEnvelopeMembers,
  type RpcMember,
} from "./rpc-response.ts";

/** Handlers by operation name. A missing method results in -32601. */
export type RpcHandlers<Context> = Readonly<Record<string, Handler<never, unknown, Context> | undefined>>;

/** Parts that serve the requests of one plugin. */
export interface RpcEndpoint<Context> {
  readonly methods: ReadonlyMap<string, RpcMethod<Context>>;
  readonly members: RpcEnvelopeMembers;
  readonly options: RpcOptions<Context>;
  readonly check: ResponseCheck;
}

/** A method of the document. */
interface RpcMethod<Context> {
  readonly operation: RpcOperation;
  readonly handler: Handler<never, unknown, Context> | undefined;
}

/** One HTTP request; its context is created once, when the first member needs it. */
export interface RpcExchange<Context> {
  readonly request: FastifyRequest;
  context(): Context | Promise<Context>;
}

/** Response of a member; `undefined` for a notification. */
export type MemberResponse = RpcResponse | undefined;

type Awaitable<Value> = Value | Promise<Value>;

export function createRpcEndpoint<Context>(
  operations: Readonly<Record<string, RpcOperation>>,
  handlers: RpcHandlers<Context>,
  options: RpcOptions<Context>,
  members: RpcEnvelopeMembers,
): RpcEndpoint<Context> {
  const methods = Object.values(operations).map((operation) => {
    const handler = Object.hasOwn(handlers, operation.name) ? handlers[operation.name] : undefined;
    return [operation.method, { operation, handler }] as const;
  });
  return { methods: new Map(methods), members, options, check: createResponseCheck(options) };
}

export function createExchange<Context>(
  { options }: RpcEndpoint<Context>,
  request: FastifyRequest,
): RpcExchange<Context> {
  let made: { readonly context: Context | Promise<Context> } | undefined;
  return {
    request,
    context() {
      made ??= { context: options.context(request) };
      return made.context;
    },
  };
}

/** Processes one request: synchronously where nothing of it takes time. Never throws: a failure is in the response. */
export function handleMember<Context>(
  endpoint: RpcEndpoint<Context>,
  member: RpcMember,
  exchange: RpcExchange<Context>,
): Awaitable<MemberResponse> {
  if (isInvalidRequest(member)) return failureResponse(endpoint, member, member.error, exchange);
  const method = endpoint.methods.get(member.method);
  const notify = createReporter(endpoint, method, exchange);
  const succeed = (result: PreparedText): MemberResponse => {
    notify(undefined);
    return isNotification(member) ? undefined : resultResponse(member, result, endpoint.members);
  };
  const fail = (reason: unknown): MemberResponse => {
    const error = ServiceError.from(reason);
    notify(error);
    const response = failureResponse(endpoint, member, error, exchange);
    return isNotification(member) ? undefined : response;
  };
  try {
    const result = callMethod(endpoint, method, member, exchange);
    return result instanceof Promise ? result.then(succeed).catch(fail) : succeed(result);
  } catch (reason) {
    return fail(reason);
  }
}

/** Returns the response of a failed request, and reports the failure. */
export function failureResponse<Context>(
  { methods, members, options }: RpcEndpoint<Context>,
  member: RpcMember,
  error: ServiceError,
  { request }: RpcExchange<Context>,
): RpcResponse {
  const method = isInvalidRequest(member) ? undefined : methods.get(member.method);
  options.onError?.(error, request, method?.operation);
  return errorResponse(member, redactedError(error, request, options), members);
}

type Reporter = (error: ServiceError | undefined) => void;

function createReporter<Context>(
  { options: { onOperation } }: RpcEndpoint<Context>,
  method: RpcMethod<Context> | undefined,
  { request }: RpcExchange<Context>,
): Reporter {
  if (method === undefined || onOperation === undefined) return reportNothing;
  const start = performance.now();
  return (error) => {
    const milliseconds = performance.now() - start;
    onOperation(method.operation, request, { milliseconds, ...(error === undefined ? {} : { error }) });
  };
}

function reportNothing(): void {
  // The client has gone.
}

/** Continues with a value, synchronously where it is available. */
function chain<Value, Next>(value: Awaitable<Value>, next: (value: Value) => Awaitable<Next>): Awaitable<Next> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Returns the result of a method as JSON text. */
function callMethod<Context>(
  endpoint: RpcEndpoint<Context>,
  method: RpcMethod<Context> | undefined,
  member: RpcRequest,
  exchange: RpcExchange<Context>,
): Awaitable<PreparedText> {
  if (method === undefined) throw methodNotFound("unknown_method", { reason: "unknown-method" });
  const { operation, handler } = method;
  return chain(endpoint.options.admit?.(operation, exchange.request), (refusal) => {
    if (refusal !== undefined) throw refusal;
    if (handler === undefined) {
      throw methodNotFound("not_implemented", { reason: "not-implemented", method: operation.method });
    }
    const input = readInput(operation, member, endpoint.options);
    return chain(exchange.context(), (context) =>
      // The table and the handlers come from one generator: a handler's input is the result of its operation's decoder.
      chain(handler(input as never, context), (output) => textOf(endpoint, operation, output, exchange)),
    );
  });
}

function textOf<Context>(
  { check }: RpcEndpoint<Context>,
  operation: RpcOperation,
  output: unknown,
  { request }: RpcExchange<Context>,
): Awaitable<PreparedText> {
  return chain(isPreparedJson(output) ? preparedText(output) : writeOutput(operation, output), (text) => {
    check.assert(operation, () => readLosslessJson(charactersOf(text)), request);
    return text;
  });
}

function preparedText({ text }: PreparedJson<unknown>): Awaitable<PreparedText> {
  return completeText(text);
}

function writeOutput({ output: { encode } }: RpcOperation, output: unknown): string {
  const wire = encode === undefined ? output : encode(output);
  return JSON.stringify(wire ?? null);
}

function readInput<Context>(operation: RpcOperation, member: RpcRequest, options: RpcOptions<Context>): unknown {
  const params = withDocumentNames(operation.method, member.params, options.parameterAliases);
  const { values, violations } = readRpcParameters(operation.parameters, params, options.positionalMember);
  const refuseInput = (found: readonly Violation[]): ServiceError =>
    invalidParameters(operation, found, params, options);
  if (violations.length > 0) throw refuseInput([...violations, ...inputViolations(operation, values)]);
  return decodeInput(operation, values, refuseInput);
}

function invalidParameters<Context>(
  operation: RpcOperation,
  violations: readonly Violation[],
  params: RpcRequest["params"],
  { invalidParameters: refusal, positionalMember }: RpcOptions<Context>,
): ServiceError {
  if (refusal === undefined) return new ServiceError("invalid_input", "Invalid params", { details: { violations } });
  return refusal(operation.method, violations, namedParameters(operation.parameters, params, positionalMember));
}

/** Creates the error. `details` contain only names of the document: error data does not repeat client input. */
function methodNotFound(
  code: "unknown_method" | "not_implemented",
  details: Readonly<Record<string, string>>,
): ServiceError {
  return new ServiceError(code, "Method not found", { details });
}
