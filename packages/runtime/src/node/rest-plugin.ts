import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { decodeInput } from "../operations/decode-input.ts";
import { restErrorResponse } from "../errors/error-body.ts";
import { type HttpFailure, isHttpFailure } from "../errors/http-failure.ts";
import type { Handler, HttpOperation } from "../operations/operation.ts";
import { ServiceError } from "../errors/service-error.ts";
import type { Violation } from "../errors/violation.ts";
import { responseWriter, type ResponseWriter } from "./response-writer.ts";
import { endOfTurn } from "./end-of-turn.ts";
import { sendFailure } from "./failure-response.ts";
import { sendErrorResponse, serviceErrorOfFramework } from "./framework-error.ts";
import { createInputReader, type IncomingRequest, type InputReader } from "./input-reader.ts";
import { invalidInputError } from "./invalid-input.ts";
import { essenceOf } from "../operations/media-type.ts";
import { createPathRouter, isMethodMismatch, type PathRouter } from "./path-router.ts";
import { defaultLimits, type RestOptions } from "./plugin-options.ts";
import { createTargetReader } from "./request-target.ts";
import { redactedError } from "./redacted-error.ts";
import { createSecurityCheck, type RestSecurity, type SecurityCheck, SecurityRefusal } from "./security.ts";

/** Handlers by operation name. A missing one results in 501. */
export type RestHandlers<Context> = Readonly<Record<string, Handler<never, unknown, Context> | undefined>>;

/** Parts that serve the requests of one plugin. */
interface Server<Context> {
  readonly router: PathRouter<HttpOperation>;
  readonly handlers: RestHandlers<Context>;
  readonly options: RestOptions<Context>;
  readonly check: SecurityCheck | undefined;
  readonly bodyLimit: number;
  readonly readTarget: ReturnType<typeof createTargetReader>;
  /** Created when an operation is called for the first time, so that the start costs nothing for those that never are. */
  readonly routes: Map<HttpOperation, Route<Context>>;
  readonly writer: ResponseWriter;
}

/** Parts that serve one operation. */
interface Route<Context> {
  readonly handler: Handler<never, unknown, Context> | undefined;
  readonly inputs: InputReader;
  refuse(violations: readonly Violation[]): ServiceError;
}

/** Symbol under which a request carries the results from before its body. */
const foundKey: unique symbol = Symbol("found");

type LookedAtRequest = FastifyRequest & { [foundKey]?: Found };

interface Found extends IncomingRequest {
  readonly operation: HttpOperation;
  /** Additions of the security handlers to the context. */
  readonly additions: object | undefined;
}

/**
 * Creates the Fastify plugin of a REST interface. It finds the operation, authenticates the client, decodes and validates the input, calls
 * the handler, and writes the response; every failure is a `ServiceError` in the client's form. It accepts every path below its prefix;
 * parsers and error handlers stay inside the plugin.
 */
export function createRestPlugin<Context>(
  operations: Readonly<Record<string, HttpOperation>>,
  handlers: RestHandlers<Context>,
  options: RestOptions<Context>,
  security?: RestSecurity<Context>,
): FastifyPluginAsync {
  const table = Object.values(operations);
  const router = createPathRouter(table, { emptyLastParameters: options.emptyLastParameters });
  const check =
    security?.handlers === undefined ? undefined : createSecurityCheck(table, security.schemes, security.handlers);
  return async (scope) => {
    const server: Server<Context> = {
      router,
      handlers,
      options,
      check,
      bodyLimit: options.bodyLimitBytes ?? scope.initialConfig.bodyLimit ?? defaultLimits.bodyLimitBytes,
      readTarget: createTargetReader(scope.prefix),
      routes: new Map(),
      writer: responseWriter(options),
    };
    leaveBodiesUnread(scope);
    scope.setErrorHandler((error, request, reply) => respondWithFailure(server, error, request, reply));
    addRoutes(scope, server);
  };
}

/** Leaves bodies unread: one is read once the operation is known and its client is admitted. */
function leaveBodiesUnread(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
}

function addRoutes<Context>(scope: FastifyInstance, server: Server<Context>): void {
  for (const url of ["/", "/*"]) {
    // Another plugin, such as one for CORS, may serve OPTIONS already.
    const method = scope.supportedMethods.filter((name) => !scope.hasRoute({ method: name, url: scope.prefix + url }));
    if (method.length === 0) throw new Error(`Another plugin serves ${scope.prefix}${url}: register with a prefix`);
    scope.route({
      method,
      url,
      exposeHeadRoute: false,
      onRequest(request, reply, done) {
        const finding = find(server, request, reply);
        if (finding === undefined) done();
        else finding.then(() => done(), done);
      },
      handler: (request, reply) => handleRequest(server, request, reply),
    });
  }
}

/** Finds the operation and authenticates the client, before anything of the body is read. A promise where that takes time. */
function find<Context>(
  server: Server<Context>,
  request: LookedAtRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  const { router, options, check, readTarget } = server;
  const { path, query } = readTarget(request);
  const match = router.find(request.method, path);
  if (match === undefined) {
    throw options.notFound?.(request) ?? new ServiceError("not_found", "No operation has this path");
  }
  if (isMethodMismatch(match)) throw methodNotAllowed(match.allowed, reply);
  const { operation, parameterNames } = match;
  const entry: Found = {
    request,
    parameterNames,
    query,
    contentType: takeContentType(request),
    operation,
    additions: undefined,
  };
  request[foundKey] = entry;
  return check?.(operation, request).then((additions) => {
    request[foundKey] = { ...entry, additions };
  });
}

/** Creates the error. RFC 9110, section 15.5.6: a known path lists its methods. */
function methodNotAllowed(allowed: readonly string[], reply: FastifyReply): ServiceError {
  const allow = allowed.join(", ");
  reply.header("allow", allow);
  return new ServiceError("method_not_allowed", `The methods of this path are: ${allow}`);
}

/** Takes the content type. Fastify rejects an invalid media type before a handler is called; here it is rejected with the accepted ones. */
function takeContentType({ raw }: FastifyRequest): string | undefined {
  const contentType = raw.headers["content-type"];
  if (contentType !== undefined && essenceOf(contentType) === undefined) delete raw.headers["content-type"];
  return contentType;
}

async function handleRequest<Context>(
  server: Server<Context>,
  request: LookedAtRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const found = request[foundKey];
  if (found === undefined) throw new Error("A request has come to its handler before it was looked at");
  const { operation } = found;
  const { options } = server;
  const notify = createReporter(operation, request, options);
  try {
    const refusal = admit(operation, request, options);
    if (refusal !== undefined) await refusal;
    const output = await callHandler(server, found);
    await endOfTurn();
    const sending = server.writer.send({ operation, request, reply, output, notify });
    if (sending !== undefined) await sending;
    return reply;
  } catch (reason) {
    notify(isHttpFailure(reason) ? undefined : ServiceError.from(reason));
    return respondWithFailure(server, reason, request, reply);
  }
}

type Reporter = (error?: ServiceError) => void;

function createReporter<Context>(
  operation: HttpOperation,
  request: FastifyRequest,
  { onOperation }: RestOptions<Context>,
): Reporter {
  if (onOperation === undefined) return reportNothing;
  const start = performance.now();
  return (error) =>
    onOperation(operation, request, {
      milliseconds: performance.now() - start,
      ...(error === undefined ? {} : { error }),
    });
}

function reportNothing(): void {
  // The client has gone.
}

/** Admits a request; a promise where that takes time. Throws the error, or rejects with it. */
function admit<Context>(
  operation: HttpOperation,
  request: FastifyRequest,
  options: RestOptions<Context>,
): Promise<void> | undefined {
  if (options.admitRequest !== undefined) return admitComplete(operation, request, options);
  const refusal = options.admit?.(operation, request);
  if (refusal instanceof Promise) return refusal.then(throwRefusal);
  throwRefusal(refusal);
  return undefined;
}

async function admitComplete<Context>(
  operation: HttpOperation,
  request: FastifyRequest,
  options: RestOptions<Context>,
): Promise<void> {
  throwRefusal(await options.admitRequest?.([operation], request, 1));
  throwRefusal(await options.admit?.(operation, request));
}

function throwRefusal(refusal: ServiceError | undefined): void {
  if (refusal !== undefined) throw refusal;
}

async function callHandler<Context>(server: Server<Context>, found: Found): Promise<unknown> {
  const { operation, request } = found;
  const { handler, inputs, refuse } = routeOf(server, operation);
  if (handler === undefined) throw new ServiceError("not_implemented", `${operation.origin} is not implemented`);
  // Available values are not awaited: most requests have no body, and contexts that take time are rare.
  const wire = inputs.read(found);
  const input = decodeInput(operation, wire instanceof Promise ? await wire : wire, refuse);
  const context = server.options.context(request);
  // The table and the handlers come from one generator: a handler's input is the result of its operation's decoder.
  return handler(input as never, withAdditions(context instanceof Promise ? await context : context, found.additions));
}

function routeOf<Context>(server: Server<Context>, operation: HttpOperation): Route<Context> {
  const known = server.routes.get(operation);
  if (known !== undefined) return known;
  const { handlers, options, bodyLimit } = server;
  const route: Route<Context> = {
    handler: Object.hasOwn(handlers, operation.name) ? handlers[operation.name] : undefined,
    inputs: createInputReader(operation, {
      bodyBytes: bodyLimit,
      maximumDepth: options.maximumDepth ?? defaultLimits.maximumDepth,
      maximumParts: options.maximumParts,
    }),
    refuse: (violations) => options.invalidInput?.(operation, violations) ?? invalidInputError(operation, violations),
  };
  server.routes.set(operation, route);
  return route;
}

/** Returns a context of its own for the request, with the same prototype, with the results of the security handlers. */
function withAdditions<Context>(context: Context, additions: object | undefined): Context {
  if (additions === undefined || Object.keys(additions).length === 0) return context;
  const prototype: object | null =
    typeof context === "object" && context !== null ? Object.getPrototypeOf(context) : {};
  return Object.assign(Object.create(prototype), context, additions);
}

function respondWithFailure<Context>(
  { options }: Server<Context>,
  reason: unknown,
  request: LookedAtRequest,
  reply: FastifyReply,
): FastifyReply {
  const operation = request[foundKey]?.operation;
  closeUnread(request, reply);
  if (isHttpFailure(reason)) return sendFailure(reply, reason);
  const isRefusal = reason instanceof SecurityRefusal;
  const failure = isRefusal ? reason.error : serviceErrorOfFramework(reason);
  options.onError?.(failure, request, operation);
  const error = redactedError(failure, request, options);
  const own: HttpFailure | undefined = options.failureResponse?.(error, request, operation);
  if (own !== undefined) {
    if (isRefusal) reply.header("www-authenticate", reason.challenge);
    return sendFailure(reply, own);
  }
  const response = restErrorResponse(error, request.headers.accept);
  if (!isRefusal) return sendErrorResponse(reply, response);
  const headers = { ...response.headers, ...(reason.challenge === "" ? {} : { "www-authenticate": reason.challenge }) };
  return sendErrorResponse(reply, { ...response, headers });
}

/** Closes the connection with the response: the rest of a body is not awaited. */
function closeUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  const hasBody = raw.headers["transfer-encoding"] !== undefined || Number(raw.headers["content-length"] ?? 0) > 0;
  if (hasBody && !raw.readableEnded && raw.httpVersionMajor === 1) reply.header("connection", "close");
}
