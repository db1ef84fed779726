import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { type ExecutionResult, GraphQLError, type OperationDefinitionNode } from "graphql";
import { graphqlErrorResponse, graphqlExtensions } from "../errors/error-body.ts";
import { type PromiseOrValue, whenResolved } from "../basics/promise-or-value.ts";
import { rawJson } from "../json/lossless-json.ts";
import { sendErrorResponse, serviceErrorOfFramework } from "../node/framework-error.ts";
import { defaultLimits } from "../node/plugin-options.ts";
import { redactedError } from "../node/redacted-error.ts";
import type { GraphqlOperation } from "../operations/operation.ts";
import { isServiceError, ServiceError } from "../errors/service-error.ts";
import { Audience } from "../basics/audience.ts";
import { limitPassed } from "./document-limits.ts";
import {
  acceptsEventStream,
  eventStreamMediaType,
  sendEventStream,
  wantsEventStream,
} from "./event-stream-response.ts";
import { createExecutableSchema, type GraphqlHandlers, type GraphqlResolvers } from "./executable-schema.ts";
import { GraphqlResponse } from "./graphql-response.ts";
import { GraphqlDocumentError, GraphqlEngine, type GraphqlRequest, type PreparedOperation } from "./graphql-engine.ts";
import { type ResponseError, responseErrorOf, redactedErrors } from "./graphql-errors.ts";
import { defaultGraphqlLimits, type GraphqlLimits, type GraphqlOptions } from "./graphql-options.ts";
import { withoutArgumentFields } from "./field-of-parent.ts";
import { jsonMediaType, negotiateMediaType, readGetRequest, readPostRequest } from "./graphql-request.ts";
import type { RootField } from "./root-fields.ts";
import { watchClient } from "./watch-client.ts";
import { checkedScalars, type ScalarChecks } from "./scalar-checks.ts";
import { SharedWork } from "../basics/shared-work.ts";

/** Parts that serve the requests of one plugin. */
interface Endpoint<Context> {
  readonly engine: GraphqlEngine;
  readonly executions: SharedWork<GraphqlResponse>;
  readonly options: GraphqlOptions<Context>;
  limitsOf(request: FastifyRequest): GraphqlLimits;
}

const defaultCacheFields = 50_000;
const defaultKeepAliveMilliseconds = 15_000;
/** Maximum number of aliases of a value whose total size is not checked before it is written. */
const maximumUncheckedAliases = 4;
const allowedMethods = "GET, HEAD, POST";

/**
 * Creates the Fastify plugin of a GraphQL interface, which serves GET and POST at its root (GraphQL over HTTP). Batches are not supported.
 * Subscriptions, and other requests for `text/event-stream`, are served in the distinct connections mode of GraphQL over server-sent
 * events. Under `application/json` every response with an error is 400, and 503 or 504 when there is no data because of the node; under
 * `application/graphql-response+json` an executed request is 200. `checks` are for the scalars that are not in the options.
 */
export function createGraphqlPlugin<Context>(
  schemaText: string,
  operations: Readonly<Record<string, GraphqlOperation>>,
  handlers: GraphqlHandlers<Context>,
  resolvers: GraphqlResolvers,
  options: GraphqlOptions<Context>,
  checks: ScalarChecks = {},
): FastifyPluginAsync {
  const scalars = { ...checkedScalars(checks), ...options.scalars };
  const createSchema = (resolved: GraphqlResolvers) =>
    createExecutableSchema(schemaText, operations, handlers, resolved, scalars);
  const schema = createSchema(resolvers);
  const fewerResolvers = withoutArgumentFields(resolvers);
  const schemaWithoutArgumentFields = fewerResolvers && createSchema(fewerResolvers);
  const { cacheFields = defaultCacheFields, scalarAliases } = options;
  const all = Object.values(operations);
  const engine = new GraphqlEngine(
    schema,
    defaultGraphqlLimits,
    cacheFields,
    scalarAliases,
    all,
    schemaWithoutArgumentFields,
  );
  const executions = new SharedWork<GraphqlResponse>();
  const endpoint = { engine, executions, options, limitsOf: limitsReader(options.limits) };
  return async (scope) => addRoutes(scope, endpoint);
}

function limitsReader(limits: GraphqlOptions<never>["limits"]): (request: FastifyRequest) => GraphqlLimits {
  if (typeof limits !== "function") {
    const always = { ...defaultGraphqlLimits, ...limits };
    return () => always;
  }
  return (request) => ({ ...defaultGraphqlLimits, ...limits(request) });
}

function addRoutes<Context>(scope: FastifyInstance, endpoint: Endpoint<Context>): void {
  const { bodyLimitBytes, maximumDepth = defaultLimits.maximumDepth } = endpoint.options;
  const limit = bodyLimitBytes === undefined ? {} : { bodyLimit: bodyLimitBytes };
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", { parseAs: "buffer", ...limit }, (_request, body, done) => done(null, body));
  scope.setErrorHandler((error, request, reply) => refuse(endpoint, error, request, reply));
  scope.post("/", limit, (request, reply) =>
    promiseOrUndefined(respond(endpoint, () => readPostRequest(request, maximumDepth), request, reply)),
  );
  scope.get("/", (request, reply) =>
    promiseOrUndefined(respond(endpoint, () => readGetRequest(request, maximumDepth), request, reply)),
  );
  const error = new ServiceError("method_not_allowed", "Method not allowed: use GET or POST");
  scope.route({
    method: scope.supportedMethods.filter((method) => !["GET", "HEAD", "POST"].includes(method)),
    url: "/",
    // In the first hook, because a handler is called after the body is read.
    onRequest: (request, reply) => void refuse(endpoint, error, request, reply.header("allow", allowedMethods)),
    handler: (request, reply) => refuse(endpoint, error, request, reply.header("allow", allowedMethods)),
  });
}

/** Returns only promises. A reply is left out, since Fastify would await it like a promise. */
function promiseOrUndefined(response: PromiseOrValue<FastifyReply>): Promise<FastifyReply> | undefined {
  return response instanceof Promise ? response : undefined;
}

function respond<Context>(
  endpoint: Endpoint<Context>,
  read: () => GraphqlRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): PromiseOrValue<FastifyReply> {
  const exchange: Exchange<Context> = {
    endpoint,
    request,
    reply,
    start: performance.now(),
    limits: undefined,
    cost: 0,
  };
  const fail = (reason: unknown) => sendFailure(exchange, reason);
  try {
    const graphqlRequest = read();
    exchange.limits = endpoint.limitsOf(request);
    const response = handleRequest(exchange, graphqlRequest, exchange.limits);
    return response instanceof Promise ? response.catch(fail) : response;
  } catch (reason) {
    return fail(reason);
  }
}

function handleRequest<Context>(
  exchange: Exchange<Context>,
  graphqlRequest: GraphqlRequest,
  limits: GraphqlLimits,
): PromiseOrValue<FastifyReply> {
  const { endpoint, request, reply } = exchange;
  const { options } = endpoint;
  const prepared = endpoint.engine.prepare(graphqlRequest, limits);
  const { document, operation, rootFields } = prepared;
  assertRoot(operation, request, reply);
  const { variables } = graphqlRequest;
  return whenResolved(options.cost?.({ document, operation, variables, request }) ?? 0, (cost) => {
    assertCost(cost, limits);
    exchange.cost = cost;
    return whenResolved(admit(options, rootFields, cost, request), () => {
      if (operation.operation === "subscription") return subscribeTo(exchange, prepared, variables);
      const response = executeOrShare(exchange, prepared, graphqlRequest, limits);
      return whenResolved(response, (graphqlResponse) => {
        if (!wantsEventStream(request.headers.accept)) return sendResponse(exchange, graphqlResponse, prepared, limits);
        return sendResults(exchange, graphqlResponse.result, rootFields);
      });
    });
  });
}

async function subscribeTo<Context>(
  exchange: Exchange<Context>,
  { subscribe, rootFields }: PreparedOperation,
  variables: GraphqlRequest["variables"],
): Promise<FastifyReply> {
  const { endpoint, request, reply } = exchange;
  const audience = new Audience(watchClient(reply.raw));
  const context = await endpoint.options.context(request, () => audience.signal);
  return sendResults(exchange, await subscribe(context, variables), rootFields);
}

/** Executes equal queries in flight once; a mutation is executed for each client that sends it. */
function executeOrShare<Context>(
  exchange: Exchange<Context>,
  prepared: PreparedOperation,
  { query, operationName, variables }: GraphqlRequest,
  limits: GraphqlLimits,
): PromiseOrValue<GraphqlResponse> {
  const { endpoint, request, reply } = exchange;
  const execute = (audience: Audience) => executeFor(audience, exchange, prepared, variables);
  const { options, executions } = endpoint;
  const client = watchClient(reply.raw);
  if (prepared.operation.operation === "mutation") {
    // A read after a change must not get the result of one from before.
    const response = execute(new Audience(client));
    if (response instanceof Promise) return response.finally(() => executions.forget());
    executions.forget();
    return response;
  }
  if (options.shareKey === undefined) return execute(new Audience(client));
  const getKey = (): string | undefined => {
    const shareKey = options.shareKey?.(request);
    return shareKey && writeKey([shareKey, limits.responseBytes, query, operationName, variables]);
  };
  return executions.run(getKey, client, execute);
}

function executeFor<Context>(
  audience: Audience,
  exchange: Exchange<Context>,
  prepared: PreparedOperation,
  variables: GraphqlRequest["variables"],
): PromiseOrValue<GraphqlResponse> {
  const { endpoint, request, reply, cost } = exchange;
  const { options } = endpoint;
  return whenResolved(
    options.context(request, () => audience.signal),
    (context) => {
      const run = () => prepared.run(context, variables);
      const result = options.execute === undefined ? run() : options.execute(run, context, { request, reply, cost });
      return whenResolved(result, (settled) => new GraphqlResponse(settled));
    },
  );
}

/** Writes JSON in which no two different values are written alike: a number is distinguished from an integer with more digits. */
function writeKey(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => {
    if (typeof member === "bigint") return rawJson(`${member}.0`);
    return Object.is(member, -0) ? rawJson("-0") : member;
  });
}

function sendFailure<Context>(exchange: Exchange<Context>, reason: unknown): FastifyReply {
  const { endpoint, request, reply, limits } = exchange;
  if (limits !== undefined && wantsEventStream(request.headers.accept)) {
    const errors = documentErrorsOf(reason);
    if (errors !== undefined) return sendResults(exchange, { errors }, []);
  }
  if (reason instanceof GraphqlDocumentError) return sendDocumentErrors(endpoint, reason, request, reply);
  return refuse(endpoint, reason, request, reply);
}

/** A request with its response. */
interface Exchange<Context> {
  readonly endpoint: Endpoint<Context>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly start: number;
  /** Limits of the request, once it was read. */
  limits: GraphqlLimits | undefined;
  /** Computed cost of the operation. */
  cost: number;
}

/**
 * Returns the errors of the operation itself, which a reader of events receives as one. Undefined for anything else, which has an HTTP
 * status.
 */
function documentErrorsOf(reason: unknown): readonly GraphQLError[] | undefined {
  if (reason instanceof GraphqlDocumentError) return reason.errors;
  if (!isServiceError(reason) || reason.code !== "invalid_input") return undefined;
  return [new GraphQLError(reason.message, { originalError: reason })];
}

/** Sends one result or many as events. */
function sendResults<Context>(
  exchange: Exchange<Context>,
  results: AsyncIterator<ExecutionResult> | ExecutionResult,
  fields: readonly RootField[],
): FastifyReply {
  const { endpoint, request, reply } = exchange;
  const { options } = endpoint;
  const reported: ResponseError[] = [];
  return sendEventStream(
    "next" in results ? results : oneResult(results),
    {
      format(result) {
        const graphqlResponse = new GraphqlResponse(result);
        const { errors } = graphqlResponse;
        reportErrors(options, errors, request);
        reported.push(...errors.slice(0, 1 - reported.length));
        return graphqlResponse.bodyWith(shownErrors(options, errors, request));
      },
      formatFailure(error) {
        options.onError?.(error, request, undefined);
        const { message } = redactedError(error, request, options);
        return { errors: [{ message, extensions: graphqlExtensions(error) }] };
      },
      onClose(failure) {
        // A subscription has one root field.
        const path = fields.map(({ responseName }) => responseName);
        const last = failure === undefined ? [] : [{ formatted: { message: failure.message, path }, error: failure }];
        reportOperations(exchange, [...reported, ...last], fields);
      },
      keepAliveMilliseconds: options.keepAliveMilliseconds ?? defaultKeepAliveMilliseconds,
    },
    request,
    reply,
  );
}

async function* oneResult(result: ExecutionResult): AsyncGenerator<ExecutionResult, void, undefined> {
  yield result;
}

/** Checks the root. GET only reads (GraphQL over HTTP, section 5.3), and the results of a subscription are not a single response. */
function assertRoot({ operation }: OperationDefinitionNode, request: FastifyRequest, reply: FastifyReply): void {
  if (operation === "subscription" && !acceptsEventStream(request.headers.accept)) {
    throw new ServiceError(
      "invalid_input",
      `The response to a subscription is ${eventStreamMediaType}: add it to the Accept header`,
    );
  }
  if (operation !== "mutation" || request.method === "POST") return;
  reply.header("allow", "POST");
  throw new ServiceError("method_not_allowed", "A mutation must be sent by POST");
}

function assertCost(cost: number, limits: GraphqlLimits): void {
  if (cost <= limits.cost) return;
  const message = `The operation costs ${cost}, more than the limit of ${limits.cost}; request shorter lists, or use several requests`;
  throw limitPassed("cost", limits.cost, cost, message);
}

function admit<Context>(
  options: GraphqlOptions<Context>,
  fields: readonly RootField[],
  cost: number,
  request: FastifyRequest,
): PromiseOrValue<void> {
  if (options.admitRequest === undefined) return admitFields(options, fields, request);
  const operations = fields.map(({ operation }) => operation);
  return whenResolved(options.admitRequest(operations, request, operations.length, cost), (refusal) => {
    if (refusal !== undefined) throw refusal;
    return admitFields(options, fields, request);
  });
}

/** Admits the fields one after the other. */
function admitFields<Context>(
  options: GraphqlOptions<Context>,
  fields: readonly RootField[],
  request: FastifyRequest,
): PromiseOrValue<void> {
  for (const [position, { operation }] of fields.entries()) {
    const refusal = options.admit?.(operation, request);
    if (refusal instanceof Promise) {
      return refusal.then((refused) => {
        if (refused !== undefined) throw refused;
        return admitFields(options, fields.slice(position + 1), request);
      });
    }
    if (refusal !== undefined) throw refusal;
  }
}

function sendResponse<Context>(
  exchange: Exchange<Context>,
  graphqlResponse: GraphqlResponse,
  { rootFields, aliases }: PreparedOperation,
  limits: GraphqlLimits,
): FastifyReply {
  const { endpoint, request, reply, cost } = exchange;
  const { lightCost = 0 } = endpoint.options;
  const { result, errors } = graphqlResponse;
  reportErrors(endpoint.options, errors, request);
  const shown = shownErrors(endpoint.options, errors, request);
  const body = graphqlResponse.write(
    shown,
    limits.responseBytes,
    cost >= lightCost || aliases > maximumUncheckedAliases,
  );
  reportOperations(exchange, errors, rootFields);
  const mediaType = negotiateMediaType(request.headers.accept);
  const isFailure = errors.length > 0 && (mediaType === jsonMediaType || result.data === undefined);
  const status = isFailure ? failureStatus(result, errors) : 200;
  return send(reply, status, mediaType, body);
}

function reportErrors<Context>(
  options: GraphqlOptions<Context>,
  errors: readonly ResponseError[],
  request: FastifyRequest,
): void {
  if (options.onError === undefined) return;
  for (const { error } of errors) options.onError(error, request, undefined);
}

/** Returns the errors as the client of the request sees them. */
function shownErrors<Context>(
  options: GraphqlOptions<Context>,
  errors: readonly ResponseError[],
  request: FastifyRequest,
): readonly ResponseError[] {
  const { redactMessage } = options;
  return redactMessage === undefined ? errors : redactedErrors(errors, (message) => redactMessage(message, request));
}

/** Returns the HTTP status of a response with errors: 400, unless there is no data because of failures of the node alone. */
function failureStatus({ data }: ExecutionResult, errors: readonly ResponseError[]): number {
  const isEmpty = Object.values(data ?? {}).every((value) => value === null);
  const isNodesFailure = errors.every(({ error }) => isUpstreamFailure(error));
  return (isEmpty && isNodesFailure ? errors[0]?.error.httpStatus : undefined) ?? 400;
}

function isUpstreamFailure({ code }: ServiceError): boolean {
  return code === "upstream_unavailable" || code === "upstream_timeout";
}

function reportOperations<Context>(
  { endpoint: { options }, request, start, cost }: Exchange<Context>,
  errors: readonly ResponseError[],
  fields: readonly RootField[],
): void {
  if (options.onOperation === undefined) return;
  const milliseconds = performance.now() - start;
  for (const { operation, responseName } of fields) {
    const failed = errors.find(({ formatted }) => formatted.path?.[0] === responseName);
    const outcome = { milliseconds, cost, ...(failed === undefined ? {} : { error: failed.error }) };
    options.onOperation(operation, request, outcome);
  }
}

function sendDocumentErrors<Context>(
  { options }: Endpoint<Context>,
  { errors }: GraphqlDocumentError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const entries = errors.map((error) => responseErrorOf(error, false));
  reportErrors(options, entries, request);
  const mediaType = negotiateMediaType(request.headers.accept);
  const shown = shownErrors(options, entries, request).map(({ formatted }) => formatted);
  return send(reply, 400, mediaType, JSON.stringify({ errors: shown }));
}

/** Responds to a request that was not executed. Only failures with a meaning in HTTP have a status of their own. */
function refuse<Context>(
  { options }: Endpoint<Context>,
  reason: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = serviceErrorOfFramework(reason);
  options.onError?.(error, request, undefined);
  const shown = redactedError(error, request, options);
  const mediaType = negotiateMediaType(request.headers.accept);
  return sendErrorResponse(reply, graphqlErrorResponse(shown, mediaType, refusalStatus(error)));
}

function refusalStatus(error: ServiceError): number {
  if (error.code === "internal") return error.httpStatus;
  return error.rpcHttpStatus === 200 ? 400 : error.rpcHttpStatus;
}

function send(reply: FastifyReply, status: number, mediaType: string, body: string): FastifyReply {
  return reply.code(status).header("content-type", `${mediaType}; charset=utf-8`).send(body);
}
