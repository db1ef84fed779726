import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { decodeInput, inputViolations } from "../decode-input.ts";
import { rpcErrorAnswer, rpcErrorObject } from "../error-body.ts";
import { readLosslessJson, writeLosslessJson } from "../lossless-json.ts";
import { isPreparedJson } from "../prepared-json.ts";
import type { Handler, RpcOperation } from "../operation.ts";
import { hasUnusualId, readIdTexts } from "../rpc-id.ts";
import { readRpcParameters } from "../rpc-parameters.ts";
import {
  type InvalidRpcRequest,
  isInvalidRequest,
  isNotification,
  type RpcRequest,
  readRpcRequest,
} from "../rpc-request.ts";
import { ServiceError } from "../service-error.ts";
import type { Violation } from "../violation.ts";
import { type AnswerCheck, createAnswerCheck } from "./answer-check.ts";
import { asItIs, sendErrorAnswer, serviceErrorOfFramework } from "./framework-error.ts";
import { readJsonText, readTextBody } from "./json-body.ts";
import { defaultLimits, type RpcOptions } from "./plugin-options.ts";
import { charactersOf, wholeText } from "./prepared-text.ts";
import { bodyOfAnswers, type ResultText, type RpcAnswer } from "./rpc-answer.ts";

/** What answers each method, by operation name. A missing one is answered -32601. */
export type RpcHandlers<Context> = Readonly<Record<string, Handler<never, unknown, Context> | undefined>>;

/** What stands around a result: `both` of `result` and `error`, one of them null, or `one` of them. */
export type RpcEnvelopeMembers = "both" | "one";

/** Everything that answers the requests of one plugin. */
interface Endpoint<Context> {
  readonly methods: ReadonlyMap<string, RpcOperation>;
  readonly handlers: RpcHandlers<Context>;
  readonly members: RpcEnvelopeMembers;
  readonly options: RpcOptions<Context>;
  readonly check: AnswerCheck;
}

/** One HTTP request; its context is made once, when the first member needs it. */
interface Exchange<Context> {
  readonly request: FastifyRequest;
  context(): Promise<Context>;
}

type Member = (RpcRequest | InvalidRpcRequest) & {
  /** The id as it was sent, where no number is the same. */
  readonly idText?: string;
};

/** `undefined` for a notification. */
type Answer = RpcAnswer | undefined;

const allowedMethod = "POST";

/**
 * Creates the Fastify plugin of a JSON-RPC interface, answering POST at its root: JSON-RPC 2.0 with the document's envelope,
 * single requests, batches and notifications, under any or no media type. Parsers and error handlers stay inside the plugin.
 */
export function createRpcPlugin<Context>(
  operations: Readonly<Record<string, RpcOperation>>,
  handlers: RpcHandlers<Context>,
  options: RpcOptions<Context>,
  members: RpcEnvelopeMembers,
): FastifyPluginAsync {
  const methods = new Map(Object.values(operations).map((operation) => [operation.method, operation]));
  const endpoint: Endpoint<Context> = { methods, handlers, members, options, check: createAnswerCheck(options) };
  return async (scope) => {
    const limit = options.bodyLimitBytes === undefined ? {} : { bodyLimit: options.bodyLimitBytes };
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", ...limit }, (_request, body, done) => done(null, body));
    scope.setErrorHandler((error, request, reply) => refuse(endpoint, error, request, reply));
    scope.addHook("onRequest", (request, _reply, done) => {
      // Bodies are JSON whatever they are called; Fastify refuses names that are no media type before a parser is asked.
      delete request.raw.headers["content-type"];
      done();
    });
    scope.post("/", limit, (request, reply) => answerBody(endpoint, request, reply));
    refuseOtherMethods(scope, endpoint);
  };
}

function refuseOtherMethods<Context>(scope: FastifyInstance, endpoint: Endpoint<Context>): void {
  const error = new ServiceError("method_not_allowed", "JSON-RPC is called by POST");
  scope.route({
    method: scope.supportedMethods.filter((method) => method !== allowedMethod),
    url: "/",
    // In the first hook, because a handler is asked after the body is read.
    onRequest: (request, reply) => void refuse(endpoint, error, request, reply.header("allow", allowedMethod)),
    handler: (request, reply) => refuse(endpoint, error, request, reply.header("allow", allowedMethod)),
  });
}

/** Answers a request as a whole with one error object. */
function refuse<Context>(
  endpoint: Endpoint<Context>,
  reason: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = serviceErrorOfFramework(reason);
  endpoint.options.onError?.(error, request, undefined);
  return sendErrorAnswer(reply, rpcErrorAnswer(error, null, "2.0", endpoint.members));
}

async function answerBody<Context>(
  endpoint: Endpoint<Context>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { options } = endpoint;
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  const text = readTextBody(bytes);
  const value = readJsonText(text, options.maximumDepth ?? defaultLimits.maximumDepth);
  const isBatch = Array.isArray(value);
  const read: readonly Member[] = isBatch ? readBatch(endpoint, value, request) : [readRpcRequest(value)];
  const ids = read.map(({ id }) => id);
  const members = hasUnusualId(text, ids) ? withIdTexts(read, text) : read;
  await admitRequest(endpoint, members, request);
  const answers = await answerMembers(endpoint, members, createExchange(endpoint, request));
  const sent = answers.filter((answer) => answer !== undefined);
  const [first] = sent;
  if (first === undefined) return reply.code(204).send();
  if (!isBatch && first.error !== undefined) applyError(reply, first.error);
  const body = bodyOfAnswers(sent, isBatch);
  return reply.header("content-type", "application/json").serializer(asItIs).send(body);
}

/** A single request's error may have a HTTP status and headers of its own. */
function applyError(reply: FastifyReply, error: ServiceError): void {
  reply.code(error.rpcHttpStatus);
  if (error.retryAfterSeconds !== undefined) reply.header("retry-after", String(Math.ceil(error.retryAfterSeconds)));
}

/** Members whose ids are echoed as they were sent, where numbers can't hold them. */
function withIdTexts(members: readonly Member[], text: string): readonly Member[] {
  const texts = readIdTexts(text);
  return members.map((member, position) => {
    const idText = texts[position];
    return idText === undefined ? member : { ...member, idText };
  });
}

function readBatch<Context>(
  endpoint: Endpoint<Context>,
  values: readonly unknown[],
  request: FastifyRequest,
): readonly Member[] {
  const { batchLimit = defaultLimits.batchLimit } = endpoint.options;
  const limit = typeof batchLimit === "function" ? batchLimit(request) : batchLimit;
  if (values.length === 0) throw new ServiceError("invalid_request", "Invalid request: the batch is empty");
  if (values.length > limit) throw new ServiceError("too_large", `The batch has more than ${limit} members`);
  return values.map(readRpcRequest);
}

async function admitRequest<Context>(
  endpoint: Endpoint<Context>,
  members: readonly Member[],
  request: FastifyRequest,
): Promise<void> {
  if (endpoint.options.admitRequest === undefined) return;
  const operations = members.flatMap((member) => {
    const operation = isInvalidRequest(member) ? undefined : endpoint.methods.get(member.method);
    return operation === undefined ? [] : [operation];
  });
  const refusal = await endpoint.options.admitRequest(operations, request);
  if (refusal !== undefined) throw refusal;
}

function createExchange<Context>(endpoint: Endpoint<Context>, request: FastifyRequest): Exchange<Context> {
  let context: Promise<Context> | undefined;
  return {
    request,
    context() {
      context ??= Promise.resolve(endpoint.options.context(request));
      return context;
    },
  };
}

/** Answers all members, in their order, a bounded number of them at once. */
async function answerMembers<Context>(
  endpoint: Endpoint<Context>,
  members: readonly Member[],
  exchange: Exchange<Context>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = new Array(members.length).fill(undefined);
  const queue = members.entries();
  const work = async (): Promise<void> => {
    for (const [position, member] of queue) answers[position] = await answerMember(endpoint, member, exchange);
  };
  const concurrency = Math.min(endpoint.options.concurrency ?? defaultLimits.concurrency, members.length);
  await Promise.all(Array.from({ length: concurrency }, work));
  return answers;
}

async function answerMember<Context>(
  endpoint: Endpoint<Context>,
  member: Member,
  exchange: Exchange<Context>,
): Promise<Answer> {
  if (isInvalidRequest(member)) return failure(endpoint, member, member.error, exchange.request, undefined);
  const { options } = endpoint;
  const operation = endpoint.methods.get(member.method);
  const start = options.onOperation === undefined ? 0 : performance.now();
  let error: ServiceError | undefined;
  try {
    const result = await callMethod(endpoint, operation, member, exchange);
    return isNotification(member) ? undefined : success(endpoint, member, result);
  } catch (reason) {
    error = ServiceError.from(reason);
    const answer = failure(endpoint, member, error, exchange.request, operation);
    return isNotification(member) ? undefined : answer;
  } finally {
    if (operation !== undefined && options.onOperation !== undefined) {
      const outcome = { milliseconds: performance.now() - start, ...(error === undefined ? {} : { error }) };
      options.onOperation(operation, exchange.request, outcome);
    }
  }
}

/** Result of a method as JSON text. */
async function callMethod<Context>(
  endpoint: Endpoint<Context>,
  operation: RpcOperation | undefined,
  member: RpcRequest,
  exchange: Exchange<Context>,
): Promise<ResultText> {
  const { options } = endpoint;
  if (operation === undefined) throw methodNotFound("unknown_method", "unknown-method", member.method);
  const refusal = options.admit === undefined ? undefined : await options.admit(operation, exchange.request);
  if (refusal !== undefined) throw refusal;
  const handler = Object.hasOwn(endpoint.handlers, operation.name) ? endpoint.handlers[operation.name] : undefined;
  if (handler === undefined) throw methodNotFound("not_implemented", "not-implemented", member.method);
  const input = readInput(operation, member, options);
  // The table and the handlers come from one generator: a handler's input is what its operation's decoder gives.
  const output = await handler(input as never, await exchange.context());
  if (isPreparedJson(output)) {
    const prepared = await wholeText(output.text);
    endpoint.check.assert(operation, () => readLosslessJson(charactersOf(prepared)), exchange.request);
    return prepared;
  }
  const wire = operation.output.encode === undefined ? output : operation.output.encode(output);
  const text = JSON.stringify(wire ?? null);
  endpoint.check.assert(operation, () => readLosslessJson(text), exchange.request);
  return text;
}

function readInput<Context>(operation: RpcOperation, member: RpcRequest, options: RpcOptions<Context>): unknown {
  const { values, violations } = readRpcParameters(operation.parameters, member.params);
  const refuseInput = (found: readonly Violation[]): ServiceError =>
    invalidParameters(operation, found, member, options);
  if (violations.length > 0) throw refuseInput([...violations, ...inputViolations(operation, values)]);
  return decodeInput(operation, values, refuseInput);
}

function invalidParameters<Context>(
  operation: RpcOperation,
  violations: readonly Violation[],
  member: RpcRequest,
  options: RpcOptions<Context>,
): ServiceError {
  if (options.invalidParameters !== undefined) {
    return options.invalidParameters(operation.method, violations, member.params);
  }
  return new ServiceError("invalid_input", "Invalid params", { details: { violations } });
}

/** Longer names are not sent back. */
const echoedMethodLength = 100;

function methodNotFound(code: "unknown_method" | "not_implemented", reason: string, method: string): ServiceError {
  const details = { reason, method: method.slice(0, echoedMethodLength) };
  return new ServiceError(code, "Method not found", { details });
}

function success<Context>(endpoint: Endpoint<Context>, member: RpcRequest, result: ResultText): Answer {
  const error = endpoint.members === "both" ? ',"error":null' : "";
  const [before, behind] = [`{${version(member)}"result":`, `${error},"id":${idText(member)}}`];
  return { pieces: [before, result, behind] };
}

function failure<Context>(
  endpoint: Endpoint<Context>,
  member: Member,
  error: ServiceError,
  request: FastifyRequest,
  operation: RpcOperation | undefined,
): Answer {
  endpoint.options.onError?.(error, request, operation);
  const result = endpoint.members === "both" ? '"result":null,' : "";
  const object = writeLosslessJson(rpcErrorObject(error));
  return { pieces: [`{${version(member)}${result}"error":${object},"id":${idText(member)}}`], error };
}

function version(member: Member): string {
  return member.version === undefined ? "" : `"jsonrpc":${JSON.stringify(member.version)},`;
}

function idText({ id = null, idText: text }: Member): string {
  if (text !== undefined) return text;
  return typeof id === "bigint" ? id.toString() : JSON.stringify(id);
}
