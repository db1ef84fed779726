import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { type ExecutionResult, GraphQLError, type OperationDefinitionNode } from "graphql";
import { graphqlErrorAnswer, graphqlExtensions } from "../error-body.ts";
import { sendErrorAnswer, serviceErrorOfFramework } from "../node/framework-error.ts";
import { defaultLimits } from "../node/plugin-options.ts";
import type { GraphqlOperation } from "../operation.ts";
import { isServiceError, ServiceError } from "../service-error.ts";
import { writeAnswer } from "./answer-size.ts";
import { limitPassed } from "./document-limits.ts";
import { acceptsEventStream, eventStreamMediaType, sendEventStream, wantsEventStream } from "./event-stream-answer.ts";
import { createExecutableSchema, type GraphqlHandlers, type GraphqlResolvers } from "./executable-schema.ts";
import { GraphqlDocumentError, GraphqlEngine, type GraphqlRequest } from "./graphql-engine.ts";
import { type AnsweredError, answeredError } from "./graphql-errors.ts";
import { defaultGraphqlLimits, type GraphqlLimits, type GraphqlOptions } from "./graphql-options.ts";
import { jsonMediaType, negotiateMediaType, readGetRequest, readPostRequest } from "./graphql-request.ts";
import { type RootField, selectedRootFields } from "./root-fields.ts";
import { checkedScalars, type ScalarChecks } from "./scalar-checks.ts";

/** Everything that answers the requests of one plugin. */
interface Endpoint<Context> {
  readonly engine: GraphqlEngine;
  readonly operations: readonly GraphqlOperation[];
  readonly options: GraphqlOptions<Context>;
  limitsOf(request: FastifyRequest): GraphqlLimits;
}

const defaultCacheFields = 50_000;
const defaultKeepAliveMilliseconds = 15_000;
const allowedMethods = "GET, HEAD, POST";

/**
 * Creates the Fastify plugin of a GraphQL interface, answering GET and POST at its root (GraphQL over HTTP). Batches are not
 * supported. Subscriptions, and whatever else is asked for as `text/event-stream`, are answered in the distinct connections mode of
 * GraphQL over server-sent events. Under `application/json` every answer with an error is 400, and 503 or 504 when nothing at all could be answered because of
 * the node; under `application/graphql-response+json` what was executed is 200. `checks` are for the scalars that the options say nothing of.
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
  const schema = createExecutableSchema(schemaText, operations, handlers, resolvers, scalars);
  const { cacheFields = defaultCacheFields, scalarAliases } = options;
  const engine = new GraphqlEngine(schema, defaultGraphqlLimits, cacheFields, scalarAliases);
  const endpoint = { engine, operations: Object.values(operations), options, limitsOf: limitsReader(options.limits) };
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
    answer(endpoint, () => readPostRequest(request, maximumDepth), request, reply),
  );
  scope.get("/", (request, reply) => answer(endpoint, () => readGetRequest(request, maximumDepth), request, reply));
  const error = new ServiceError("method_not_allowed", "GraphQL is called by POST or GET");
  scope.route({
    method: scope.supportedMethods.filter((method) => !["GET", "HEAD", "POST"].includes(method)),
    url: "/",
    // In the first hook, because a handler is asked after the body is read.
    onRequest: (request, reply) => void refuse(endpoint, error, request, reply.header("allow", allowedMethods)),
    handler: (request, reply) => refuse(endpoint, error, request, reply.header("allow", allowedMethods)),
  });
}

async function answer<Context>(
  endpoint: Endpoint<Context>,
  read: () => GraphqlRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const start = performance.now();
  const { options } = endpoint;
  let isRead = false;
  try {
    const graphqlRequest = read();
    isRead = true;
    const limits = endpoint.limitsOf(request);
    const prepared = endpoint.engine.prepare(graphqlRequest, limits);
    const { document, operation } = prepared;
    assertRoot(operation, request, reply);
    const { variables } = graphqlRequest;
    const cost = (await options.cost?.({ document, operation, variables, request })) ?? 0;
    assertCost(cost, limits);
    const fields = selectedRootFields(document, operation, endpoint.operations);
    await admit(options, fields, cost, request);
    const context = await options.context(request);
    const exchange: Exchange<Context> = { endpoint, request, reply, start, limits, cost };
    if (operation.operation === "subscription") {
      return sendResults(exchange, await prepared.subscribe(context, variables), fields);
    }
    const run = () => prepared.run(context, variables);
    const result = await (options.execute?.(run, context, exchange) ?? run());
    if (wantsEventStream(request.headers.accept)) return sendResults(exchange, result, fields);
    return sendResult(exchange, result, fields);
  } catch (reason) {
    if (isRead && wantsEventStream(request.headers.accept)) {
      const errors = documentErrorsOf(reason);
      const exchange = { endpoint, request, reply, start, limits: endpoint.limitsOf(request), cost: 0 };
      if (errors !== undefined) return sendResults(exchange, { errors }, []);
    }
    if (reason instanceof GraphqlDocumentError) return sendDocumentErrors(endpoint, reason, request, reply);
    return refuse(endpoint, reason, request, reply);
  }
}

/** A request with what answers it. */
interface Exchange<Context> {
  readonly endpoint: Endpoint<Context>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly start: number;
  readonly limits: GraphqlLimits;
  /** What the operation was found to cost. */
  readonly cost: number;
}

/** What is wrong with the operation itself: who reads events is told so by one. Undefined for anything else, which HTTP has words for. */
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
  const told: AnsweredError[] = [];
  return sendEventStream(
    "next" in results ? results : oneResult(results),
    {
      format(result) {
        const errors = answeredErrors(options, result, request);
        told.push(...errors.slice(0, 1 - told.length));
        return resultBody(result, errors);
      },
      formatFailure(error) {
        options.onError?.(error, request, undefined);
        return { errors: [{ message: error.message, extensions: graphqlExtensions(error) }] };
      },
      onClose(failure) {
        // A subscription has one root field.
        const path = fields.map(({ responseName }) => responseName);
        const last = failure === undefined ? [] : [{ formatted: { message: failure.message, path }, error: failure }];
        reportOperations(exchange, [...told, ...last], fields);
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

/** GET only reads (GraphQL over HTTP, section 5.3), and the results of a subscription are no single answer. */
function assertRoot({ operation }: OperationDefinitionNode, request: FastifyRequest, reply: FastifyReply): void {
  if (operation === "subscription" && !acceptsEventStream(request.headers.accept)) {
    throw new ServiceError(
      "invalid_input",
      `A subscription is answered as ${eventStreamMediaType}: Accept has to name it`,
    );
  }
  if (operation !== "mutation" || request.method === "POST") return;
  reply.header("allow", "POST");
  throw new ServiceError("method_not_allowed", "A mutation has to be sent by POST");
}

function assertCost(cost: number, limits: GraphqlLimits): void {
  if (cost <= limits.cost) return;
  const message = `The operation costs ${cost}, more than the limit of ${limits.cost}; ask for shorter lists, or in several requests`;
  throw limitPassed("cost", limits.cost, cost, message);
}

async function admit<Context>(
  options: GraphqlOptions<Context>,
  fields: readonly RootField[],
  cost: number,
  request: FastifyRequest,
): Promise<void> {
  const operations = fields.map(({ operation }) => operation);
  const refusal = await options.admitRequest?.(operations, request, operations.length, cost);
  if (refusal !== undefined) throw refusal;
  if (options.admit === undefined) return;
  for (const operation of operations) {
    const refused = await options.admit(operation, request);
    if (refused !== undefined) throw refused;
  }
}

function sendResult<Context>(
  exchange: Exchange<Context>,
  result: ExecutionResult,
  fields: readonly RootField[],
): FastifyReply {
  const { endpoint, request, reply, limits } = exchange;
  const errors = answeredErrors(endpoint.options, result, request);
  const body = writeAnswer(resultBody(result, errors), limits.answerBytes);
  reportOperations(exchange, errors, fields);
  const mediaType = negotiateMediaType(request.headers.accept);
  const isFailure = errors.length > 0 && (mediaType === jsonMediaType || result.data === undefined);
  const status = isFailure ? failureStatus(result, errors) : 200;
  return send(reply, status, mediaType, body);
}

/** The errors of a result as callers may see them; each is told. */
function answeredErrors<Context>(
  options: GraphqlOptions<Context>,
  { errors = [], data }: ExecutionResult,
  request: FastifyRequest,
): readonly AnsweredError[] {
  // A result without data was refused before a field was resolved: its variables are wrong.
  const answered = errors.map((error) => answeredError(error, data !== undefined));
  for (const { error } of answered) options.onError?.(error, request, undefined);
  return answered;
}

function resultBody({ data }: ExecutionResult, errors: readonly AnsweredError[]): object {
  return {
    ...(errors.length > 0 ? { errors: errors.map(({ formatted }) => formatted) } : {}),
    ...(data === undefined ? {} : { data }),
  };
}

/** What HTTP calls an answer with errors: 400, unless nothing could be answered for failures of the node alone. */
function failureStatus({ data }: ExecutionResult, errors: readonly AnsweredError[]): number {
  const isEmpty = Object.values(data ?? {}).every((value) => value === null);
  const isNodesFailure = errors.every(({ error }) => isUpstreamFailure(error));
  return (isEmpty && isNodesFailure ? errors[0]?.error.httpStatus : undefined) ?? 400;
}

function isUpstreamFailure({ code }: ServiceError): boolean {
  return code === "upstream_unavailable" || code === "upstream_timeout";
}

function reportOperations<Context>(
  { endpoint: { options }, request, start, cost }: Exchange<Context>,
  errors: readonly AnsweredError[],
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
  const answered = errors.map((error) => answeredError(error, false));
  for (const { error } of answered) options.onError?.(error, request, undefined);
  const mediaType = negotiateMediaType(request.headers.accept);
  return send(reply, 400, mediaType, JSON.stringify({ errors: answered.map(({ formatted }) => formatted) }));
}

/** Answers a request that was not executed. A status of its own is kept for failures that HTTP has words for. */
function refuse<Context>(
  { options }: Endpoint<Context>,
  reason: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = serviceErrorOfFramework(reason);
  options.onError?.(error, request, undefined);
  const status = refusalStatus(error);
  return sendErrorAnswer(reply, graphqlErrorAnswer(error, negotiateMediaType(request.headers.accept), status));
}

function refusalStatus(error: ServiceError): number {
  if (error.code === "internal") return error.httpStatus;
  return error.rpcHttpStatus === 200 ? 400 : error.rpcHttpStatus;
}

function send(reply: FastifyReply, status: number, mediaType: string, body: string): FastifyReply {
  return reply.code(status).header("content-type", `${mediaType}; charset=utf-8`).send(body);
}
