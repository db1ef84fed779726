import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult, OperationDefinitionNode } from "graphql";
import { graphqlErrorAnswer } from "../error-body.ts";
import { sendErrorAnswer, serviceErrorOfFramework } from "../node/framework-error.ts";
import { defaultLimits } from "../node/plugin-options.ts";
import type { GraphqlOperation } from "../operation.ts";
import { ServiceError } from "../service-error.ts";
import { createExecutableSchema, type GraphqlHandlers, type GraphqlResolvers } from "./executable-schema.ts";
import { GraphqlDocumentError, GraphqlEngine, type GraphqlRequest, type PreparedOperation } from "./graphql-engine.ts";
import { type AnsweredError, answeredError } from "./graphql-errors.ts";
import { defaultGraphqlLimits, type GraphqlOptions } from "./graphql-options.ts";
import { jsonMediaType, negotiateMediaType, readGetRequest, readPostRequest } from "./graphql-request.ts";
import { type RootField, selectedRootFields } from "./root-fields.ts";

/** Everything that answers the requests of one plugin. */
interface Endpoint<Context> {
  readonly engine: GraphqlEngine;
  readonly operations: readonly GraphqlOperation[];
  readonly options: GraphqlOptions<Context>;
  readonly costLimit: number;
}

const defaultCacheFields = 50_000;
const allowedMethods = "GET, HEAD, POST";

/**
 * Creates the Fastify plugin of a GraphQL interface, answering GET and POST at its root (GraphQL over HTTP). Batches are not
 * supported. Under `application/json` every answer with an error is 400, and 503 or 504 when nothing at all could be answered because of
 * the node; under `application/graphql-response+json` what was executed is 200.
 */
export function createGraphqlPlugin<Context>(
  schemaText: string,
  operations: Readonly<Record<string, GraphqlOperation>>,
  handlers: GraphqlHandlers<Context>,
  resolvers: GraphqlResolvers,
  options: GraphqlOptions<Context>,
): FastifyPluginAsync {
  const schema = createExecutableSchema(schemaText, operations, handlers, resolvers, options.scalars ?? {});
  const limits = { ...defaultGraphqlLimits, ...options.limits };
  const engine = new GraphqlEngine(schema, limits, options.cacheFields ?? defaultCacheFields);
  const endpoint = { engine, operations: Object.values(operations), options, costLimit: limits.cost };
  return async (scope) => addRoutes(scope, endpoint);
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
  try {
    const graphqlRequest = read();
    const prepared = endpoint.engine.prepare(graphqlRequest);
    assertRoot(prepared.operation, request, reply);
    assertCost(endpoint, prepared, graphqlRequest, request);
    const fields = selectedRootFields(prepared.document, prepared.operation, endpoint.operations);
    await admit(endpoint, fields, request);
    const result = await prepared.run(await endpoint.options.context(request), graphqlRequest.variables);
    return sendResult(endpoint, result, fields, request, reply, start);
  } catch (reason) {
    if (reason instanceof GraphqlDocumentError) return sendDocumentErrors(endpoint, reason, request, reply);
    return refuse(endpoint, reason, request, reply);
  }
}

/** GET only reads (GraphQL over HTTP, section 5.3); there are no subscriptions over HTTP. */
function assertRoot({ operation }: OperationDefinitionNode, request: FastifyRequest, reply: FastifyReply): void {
  if (operation === "subscription") throw new ServiceError("invalid_input", "Subscriptions are not supported");
  if (operation === "query" || request.method === "POST") return;
  reply.header("allow", "POST");
  throw new ServiceError("method_not_allowed", "A mutation has to be sent by POST");
}

function assertCost<Context>(
  { options, costLimit }: Endpoint<Context>,
  { document, operation }: PreparedOperation,
  { variables }: GraphqlRequest,
  request: FastifyRequest,
): void {
  const cost = options.cost?.({ document, operation, variables, request }) ?? 0;
  if (cost <= costLimit) return;
  throw new ServiceError("invalid_input", `The operation costs ${cost}, more than the limit of ${costLimit}`, {
    details: { cost, limit: costLimit },
  });
}

async function admit<Context>(
  { options }: Endpoint<Context>,
  fields: readonly RootField[],
  request: FastifyRequest,
): Promise<void> {
  const operations = fields.map(({ operation }) => operation);
  const refusal = await options.admitRequest?.(operations, request);
  if (refusal !== undefined) throw refusal;
  if (options.admit === undefined) return;
  for (const operation of operations) {
    const refused = await options.admit(operation, request);
    if (refused !== undefined) throw refused;
  }
}

function sendResult<Context>(
  { options }: Endpoint<Context>,
  result: ExecutionResult,
  fields: readonly RootField[],
  request: FastifyRequest,
  reply: FastifyReply,
  start: number,
): FastifyReply {
  // A result without data was refused before a field was resolved: its variables are wrong.
  const isExecuted = result.data !== undefined;
  const errors = (result.errors ?? []).map((error) => answeredError(error, isExecuted));
  for (const { error } of errors) options.onError?.(error, request, undefined);
  reportOperations(options, errors, fields, request, start);
  const mediaType = negotiateMediaType(request.headers.accept);
  const hasErrors = errors.length > 0;
  const status = hasErrors && (mediaType === jsonMediaType || !isExecuted) ? failureStatus(result, errors) : 200;
  const body = {
    ...(hasErrors ? { errors: errors.map(({ formatted }) => formatted) } : {}),
    ...(isExecuted ? { data: result.data } : {}),
  };
  return send(reply, status, mediaType, JSON.stringify(body));
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
  options: GraphqlOptions<Context>,
  errors: readonly AnsweredError[],
  fields: readonly RootField[],
  request: FastifyRequest,
  start: number,
): void {
  if (options.onOperation === undefined) return;
  const milliseconds = performance.now() - start;
  for (const { operation, responseName } of fields) {
    const failed = errors.find(({ formatted }) => formatted.path?.[0] === responseName);
    options.onOperation(operation, request, { milliseconds, ...(failed === undefined ? {} : { error: failed.error }) });
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
