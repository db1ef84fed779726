import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { decodeInput } from "../decode-input.ts";
import { restErrorAnswer } from "../error-body.ts";
import type { ContentFacts, Handler, HttpOperation, SuccessFacts } from "../operation.ts";
import { ServiceError } from "../service-error.ts";
import type { Violation } from "../violation.ts";
import { asItIs, sendErrorAnswer, serviceErrorOfFramework } from "./framework-error.ts";
import { type InputReader, createInputReader } from "./input-reader.ts";
import { invalidInputError } from "./invalid-input.ts";
import { defaultLimits, type RestOptions } from "./plugin-options.ts";
import { type PathPattern, groupByPath } from "./path-pattern.ts";
import { writeBody } from "./response-body.ts";

/** What answers each operation, by operation name. A missing one is answered 501. */
export type RestHandlers<Context> = Readonly<Record<string, Handler<never, unknown, Context> | undefined>>;

/** All that answering one operation needs, looked up once. */
interface Route<Context> {
  readonly operation: HttpOperation;
  readonly handler: Handler<never, unknown, Context> | undefined;
  readonly readInput: InputReader;
  readonly options: RestOptions<Context>;
}

/** A handler's answer with its status and headers taken apart from its body. */
interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/**
 * Creates the Fastify plugin of a REST interface. It decodes and validates each input, calls the handler, and writes the
 * answer; every failure is a `ServiceError` in the caller's form. Parsers, error and not-found handlers stay inside the plugin.
 */
export function createRestPlugin<Context>(
  operations: Readonly<Record<string, HttpOperation>>,
  handlers: RestHandlers<Context>,
  options: RestOptions<Context>,
): FastifyPluginAsync {
  return async (scope) => {
    keepBodiesAsBytes(scope, options.bodyLimitBytes);
    scope.setErrorHandler((error, request, reply) => answerFailure(error, request, reply, undefined, options));
    scope.setNotFoundHandler((request, reply) =>
      answerFailure(notFound(request, options), request, reply, undefined, options),
    );
    for (const pattern of groupByPath(Object.values(operations))) addPath(scope, pattern, handlers, options);
  };
}

function keepBodiesAsBytes(scope: FastifyInstance, bodyLimit: number | undefined): void {
  scope.removeAllContentTypeParsers();
  const limit = bodyLimit === undefined ? {} : { bodyLimit };
  scope.addContentTypeParser("*", { parseAs: "buffer", ...limit }, (_request, body, done) => done(null, body));
}

function notFound<Context>(request: FastifyRequest, options: RestOptions<Context>): ServiceError {
  return options.notFound?.(request) ?? new ServiceError("not_found", "No operation has this path");
}

function addPath<Context>(
  scope: FastifyInstance,
  pattern: PathPattern,
  handlers: RestHandlers<Context>,
  options: RestOptions<Context>,
): void {
  for (const { operation, parameterNames } of pattern.operations) {
    const handler = Object.hasOwn(handlers, operation.name) ? handlers[operation.name] : undefined;
    const readInput = createInputReader(operation, parameterNames, options.maximumDepth ?? defaultLimits.maximumDepth);
    const route: Route<Context> = { operation, handler, readInput, options };
    const limit = options.bodyLimitBytes === undefined ? {} : { bodyLimit: options.bodyLimitBytes };
    scope.route({
      method: operation.method,
      url: pattern.url,
      // Where the document describes HEAD, it has an operation of its own.
      exposeHeadRoute: !pattern.operations.some((other) => other.operation.method === "HEAD"),
      ...limit,
      handler: (request, reply) => answerOperation(route, request, reply),
    });
  }
  refuseOtherMethods(scope, pattern, options);
}

/** RFC 9110, section 15.5.6: a path that exists names the methods that it has. */
function refuseOtherMethods<Context>(
  scope: FastifyInstance,
  pattern: PathPattern,
  options: RestOptions<Context>,
): void {
  const allowed = pattern.operations.map(({ operation }) => operation.method);
  const known = new Set<string>(allowed.includes("GET") ? [...allowed, "HEAD"] : allowed);
  const allow = [...known].join(", ");
  const error = new ServiceError("method_not_allowed", `The methods of this path are: ${allow}`);
  scope.route({
    method: scope.supportedMethods.filter((method) => !known.has(method)),
    url: pattern.url,
    // In the first hook, because a handler is asked after the body is read.
    onRequest: (request, reply) => void answerFailure(error, request, reply.header("allow", allow), undefined, options),
    handler: (request, reply) => answerFailure(error, request, reply.header("allow", allow), undefined, options),
  });
}

async function answerOperation<Context>(
  route: Route<Context>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { operation, options } = route;
  const start = options.onOperation === undefined ? 0 : performance.now();
  try {
    await admit(operation, request, options);
    const output = await callHandler(route, request);
    sendOutput(operation, output, reply, options.validateResponses === true);
    options.onOperation?.(operation, request, { milliseconds: performance.now() - start });
    return reply;
  } catch (reason) {
    const error = ServiceError.from(reason);
    options.onOperation?.(operation, request, { milliseconds: performance.now() - start, error });
    return answerFailure(error, request, reply, operation, options);
  }
}

async function admit<Context>(
  operation: HttpOperation,
  request: FastifyRequest,
  options: RestOptions<Context>,
): Promise<void> {
  if (options.admitRequest !== undefined) {
    const refusal = await options.admitRequest([operation], request);
    if (refusal !== undefined) throw refusal;
  }
  if (options.admit !== undefined) {
    const refusal = await options.admit(operation, request);
    if (refusal !== undefined) throw refusal;
  }
}

async function callHandler<Context>(route: Route<Context>, request: FastifyRequest): Promise<unknown> {
  const { operation, handler, readInput, options } = route;
  if (handler === undefined) throw new ServiceError("not_implemented", `${operation.origin} is not implemented`);
  const input = decodeInput(operation, readInput(request), (violations) => inputError(operation, violations, options));
  // The table and the handlers come from one generator: a handler's input is what its operation's decoder gives.
  return handler(input as never, await options.context(request));
}

function inputError<Context>(
  operation: HttpOperation,
  violations: readonly Violation[],
  options: RestOptions<Context>,
): ServiceError {
  return options.invalidInput?.(operation, violations) ?? invalidInputError(operation, violations);
}

function sendOutput(operation: HttpOperation, output: unknown, reply: FastifyReply, validate: boolean): void {
  const answer = operation.answers === "reply" ? (output as Reply) : { body: output };
  const success = findSuccess(operation, answer.status);
  const body = writeBody(operation, success.content, answer.body, validate);
  reply.code(typeof success.status === "number" ? success.status : (answer.status ?? 200));
  for (const header of success.headers) {
    const value = answer.headers?.[header.property];
    if (value !== undefined) reply.header(header.name, String(value));
  }
  sendBody(reply, success.content, body);
}

function findSuccess(operation: HttpOperation, status: number | undefined): SuccessFacts {
  const [first] = operation.successes;
  if (status === undefined || status === first.status) return first;
  const success = operation.successes.find((candidate) => candidate.status === status);
  if (success === undefined)
    throw new Error(`${operation.name} has answered ${status}, which its document does not know`);
  return success;
}

function sendBody(reply: FastifyReply, content: ContentFacts | undefined, body: string | Uint8Array | undefined): void {
  if (content === undefined || body === undefined) {
    reply.send();
    return;
  }
  reply.header("content-type", content.mediaType);
  if (typeof body === "string") reply.serializer(asItIs);
  reply.send(body);
}

function answerFailure<Context>(
  reason: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  operation: HttpOperation | undefined,
  options: RestOptions<Context>,
): FastifyReply {
  const error = serviceErrorOfFramework(reason);
  options.onError?.(error, request, operation);
  return sendErrorAnswer(reply, restErrorAnswer(error, request.headers.accept));
}
