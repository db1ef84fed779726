import { Readable } from "node:stream";
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { rpcErrorResponse } from "../errors/error-body.ts";
import type { RpcOperation } from "../operations/operation.ts";
import type { JsonPiece } from "../json/prepared-json.ts";
import { hasUnusualId, readIdTexts } from "../operations/rpc-id.ts";
import { isInvalidRequest, readRpcRequest } from "../operations/rpc-request.ts";
import { ServiceError } from "../errors/service-error.ts";
import { endOfTurn } from "./end-of-turn.ts";
import { asItIs, sendErrorResponse, serviceErrorOfFramework } from "./framework-error.ts";
import { byteLengthOf, cutPieces, joinPieces } from "./prepared-text.ts";
import { readJsonText, readTextBody } from "./json-body.ts";
import { defaultLimits, type RpcOptions } from "./plugin-options.ts";
import { redactedError } from "./redacted-error.ts";
import { piecesOfResponses, type RpcEnvelopeMembers, type RpcMember } from "./rpc-response.ts";
import { handleBatch } from "./rpc-batch.ts";
import {
  handleMember,
  createExchange,
  createRpcEndpoint,
  type MemberResponse,
  type RpcEndpoint,
  type RpcHandlers,
} from "./rpc-endpoint.ts";

export type { RpcEnvelopeMembers } from "./rpc-response.ts";
export type { RpcHandlers } from "./rpc-endpoint.ts";

/** Parsed body. */
interface ReadBody {
  readonly isBatch: boolean;
  readonly members: readonly RpcMember[];
}

const allowedMethod = "POST";

/**
 * Creates the Fastify plugin of a JSON-RPC interface, which serves POST at its root: JSON-RPC 2.0 with the document's envelope, single
 * requests, batches and notifications, under any or no media type. Parsers and error handlers stay inside the plugin.
 */
export function createRpcPlugin<Context>(
  operations: Readonly<Record<string, RpcOperation>>,
  handlers: RpcHandlers<Context>,
  options: RpcOptions<Context>,
  members: RpcEnvelopeMembers,
): FastifyPluginAsync {
  const endpoint = createRpcEndpoint(operations, handlers, options, members);
  return async (scope) => {
    const limit = options.bodyLimitBytes === undefined ? {} : { bodyLimit: options.bodyLimitBytes };
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", ...limit }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) => refuse(endpoint, error, request, reply));
    scope.addHook("onRequest", ({ raw: { headers } }, _reply, done) => {
      // Bodies are JSON whatever their type; Fastify rejects invalid media types before a parser is called.
      if (headers["content-type"] !== undefined) headers["content-type"] = undefined;
      done();
    });
    scope.post("/", limit, (request, reply) => handleRequest(endpoint, request, reply));
    refuseOtherMethods(scope, endpoint);
  };
}

function refuseOtherMethods<Context>(scope: FastifyInstance, endpoint: RpcEndpoint<Context>): void {
  const error = new ServiceError("method_not_allowed", "JSON-RPC is called by POST");
  scope.route({
    method: scope.supportedMethods.filter((method) => method !== allowedMethod),
    url: "/",
    // In the first hook, because a handler is called after the body is read.
    onRequest: (request, reply) => void refuse(endpoint, error, request, reply.header("allow", allowedMethod)),
    handler: (request, reply) => refuse(endpoint, error, request, reply.header("allow", allowedMethod)),
  });
}

/** Responds to a complete request with one error object. */
function refuse<Context>(
  endpoint: RpcEndpoint<Context>,
  reason: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = serviceErrorOfFramework(reason);
  endpoint.options.onError?.(error, request, undefined);
  const shown = redactedError(error, request, endpoint.options);
  return sendErrorResponse(reply, rpcErrorResponse(shown, null, endpoint.members));
}

/** Processes a request. Available values are not awaited: most requests are one call with a synchronous response. */
function handleRequest<Context>(endpoint: RpcEndpoint<Context>, request: FastifyRequest, reply: FastifyReply): void {
  const body = readBody(endpoint, request);
  const refusal = admitRequest(endpoint, body, request);
  const answering =
    refusal === undefined
      ? handleBody(endpoint, body, request)
      : refusal.then(() => handleBody(endpoint, body, request));
  const sending =
    answering instanceof Promise
      ? answering.then(async (responses) => {
          await endOfTurn();
          sendResponses(endpoint, body, responses, reply);
        })
      : endOfTurn().then(() => sendResponses(endpoint, body, answering, reply));
  sending.catch((error: unknown) => refuse(endpoint, error, request, reply));
}

/** Returns the body as its members. Throws for a body that contains no requests, or too many. */
function readBody<Context>(endpoint: RpcEndpoint<Context>, request: FastifyRequest): ReadBody {
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  const text = readTextBody(bytes);
  const value = readJsonText(text, endpoint.options.maximumDepth ?? defaultLimits.maximumDepth);
  const isBatch = Array.isArray(value);
  const members: readonly RpcMember[] = isBatch ? readBatch(endpoint, value, request) : [readRpcRequest(value)];
  return { isBatch, members: hasUnusualId(text, members) ? withIdTexts(members, text) : members };
}

/** Returns members whose ids are echoed as they were sent, where numbers can't represent them. */
function withIdTexts(members: readonly RpcMember[], text: string): readonly RpcMember[] {
  const texts = readIdTexts(text, members);
  return members.map((member, position) => {
    const idText = texts[position];
    return idText === undefined ? member : { ...member, idText };
  });
}

function readBatch<Context>(
  endpoint: RpcEndpoint<Context>,
  values: readonly unknown[],
  request: FastifyRequest,
): readonly RpcMember[] {
  const { batchLimit = defaultLimits.batchLimit } = endpoint.options;
  const limit = typeof batchLimit === "function" ? batchLimit(request) : batchLimit;
  if (values.length === 0) throw new ServiceError("invalid_request", "Invalid request: the batch is empty");
  if (values.length > limit) throw new ServiceError("too_large", `The batch has more than ${limit} members`);
  return values.map(readRpcRequest);
}

/** Admits a request; a promise where a hook is called that takes time. */
function admitRequest<Context>(
  { methods, options }: RpcEndpoint<Context>,
  { members }: ReadBody,
  request: FastifyRequest,
): Promise<void> | undefined {
  if (options.admitRequest === undefined) return undefined;
  const operations = members.flatMap((member) => {
    const method = isInvalidRequest(member) ? undefined : methods.get(member.method);
    return method === undefined ? [] : [method.operation];
  });
  return Promise.resolve(options.admitRequest(operations, request, members.length)).then((refusal) => {
    if (refusal !== undefined) throw refusal;
  });
}

function handleBody<Context>(
  endpoint: RpcEndpoint<Context>,
  { isBatch, members }: ReadBody,
  request: FastifyRequest,
): readonly MemberResponse[] | Promise<readonly MemberResponse[]> {
  const exchange = createExchange(endpoint, request);
  const [member] = members;
  if (isBatch || member === undefined) return handleBatch(endpoint, members, exchange);
  const response = handleMember(endpoint, member, exchange);
  return response instanceof Promise ? response.then((settled) => [settled]) : [response];
}

function sendResponses<Context>(
  endpoint: RpcEndpoint<Context>,
  { isBatch, members }: ReadBody,
  responses: readonly MemberResponse[],
  reply: FastifyReply,
): void {
  const sent = responses.filter((response) => response !== undefined);
  const [first] = sent;
  if (first === undefined) {
    reply.code(204).send();
    return;
  }
  if (!isBatch && first.error !== undefined) applyError(endpoint, first.error, members[0]?.version, reply);
  sendPieces(reply.header("content-type", "application/json").serializer(asItIs), piecesOfResponses(sent, isBatch));
}

/** Bytes from which a piece takes longer to copy than to send separately. */
const longPiece = 128 * 1024;

/** Length of responses from which joining them would take longer than a turn of the event loop may. */
const longResponse = 1024 * 1024;

function sendPieces(reply: FastifyReply, pieces: readonly JsonPiece[]): void {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length > longResponse || pieces.some((piece) => piece.length > longPiece && typeof piece !== "string")) {
    // The next piece is taken when the connection has accepted those before.
    reply.header("content-length", byteLengthOf(pieces)).send(Readable.from(cutPieces(pieces, longPiece)));
  } else {
    reply.send(joinPieces(pieces));
  }
}

/** Applies the HTTP status and headers that a single request's error may have. */
function applyError<Context>(
  { options }: RpcEndpoint<Context>,
  error: ServiceError,
  version: string | undefined,
  reply: FastifyReply,
): void {
  reply.code(options.httpStatus?.(error, version) ?? error.rpcHttpStatus);
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", String(Math.ceil(error.retryAfterSeconds)));
}
