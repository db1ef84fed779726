import type { FastifyReply, FastifyRequest } from "fastify";
import { readLosslessJson } from "../json/lossless-json.ts";
import type { ContentFacts, HttpOperation, SuccessFacts } from "../operations/operation.ts";
import { isPreparedJson, type PreparedJson } from "../json/prepared-json.ts";
import { ServiceError } from "../errors/service-error.ts";
import { type EncodedBody, encodeBody, encodeItem, isStreamed } from "../wire/body.ts";
import type { ServerSentEvent } from "../wire/event-stream.ts";
import { createResponseCheck, type ResponseCheck } from "./response-check.ts";
import { asItIs } from "./framework-error.ts";
import { createHeadersWriter, type HeadersWriter } from "./headers-writer.ts";
import { essenceOf, findContent } from "../operations/media-type.ts";
import { releaseBytes, isPooled } from "./pooled-bytes.ts";
import type { RestOptions } from "./plugin-options.ts";
import { charactersOf, gatherBytes, isInPieces, joinPieces } from "./prepared-text.ts";
import { createStreamBody, isAsyncIterable, startIterator } from "./stream-body.ts";

/** A handler's result with its status and headers separated from its body. */
interface Reply {
  readonly status?: number;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** A response that is to be sent. */
interface OperationReply {
  readonly operation: HttpOperation;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Result of the handler. */
  readonly output: unknown;
  /** Called once when the response is sent, or has failed after its beginning was sent. */
  notify(error?: ServiceError): void;
}

export interface ResponseWriter {
  /**
   * Sends a response. Returns a promise where the sending takes time. Throws for a response that its document does not describe, or that
   * can't be written.
   */
  send(answering: OperationReply): Promise<void> | undefined;
}

/** Creates the writer of a plugin's responses. */
export function responseWriter<Context>(options: RestOptions<Context>): ResponseWriter {
  const check = createResponseCheck(options);
  const successFinder = createSuccessFinder();
  return {
    send(answering) {
      const { operation, reply, output } = answering;
      const response: Reply = operation.returns === "reply" ? ((output ?? {}) as Reply) : { body: output };
      const { success, status, writeHeaders } = successFinder(operation, response);
      const headers = writeHeaders(response.headers);
      const { content } = success;
      if (content !== undefined && isStreamed(content)) {
        return sendItems({ ...answering, content, status, headers, body: response.body, check, options });
      }
      if (isPreparedJson(response.body)) {
        const held = response.body.isWritten ? undefined : matchingTag(answering, status, headers, options);
        if (held !== undefined) return sendNothingNew(answering, headers, held);
        const { text } = response.body;
        const contentType = sentType(content?.mediaType ?? "", response.contentType);
        return sendPrepared({ ...answering, content, contentType, status, headers, text, check, options });
      }
      const body = content === undefined ? undefined : writeBody(answering, content, response.body, check);
      reply.code(status).headers(headers);
      answering.notify();
      if (content === undefined || body === undefined) reply.send();
      else sendBody(reply, sentType(body.contentType, response.contentType), body.body);
      return undefined;
    },
  };
}

function matchingTag<Context>(
  { request }: OperationReply,
  status: number,
  headers: Readonly<Record<string, string>>,
  options: RestOptions<Context>,
): string | undefined {
  const tag = headers["etag"];
  return status === 200 && tag !== undefined ? options.matchingTag?.(request, tag) : undefined;
}

/** Sends a 304. RFC 9110, section 15.4.5: the headers of the response, without those that describe a body. */
function sendNothingNew(
  { reply, notify }: OperationReply,
  headers: Readonly<Record<string, string>>,
  tag: string,
): undefined {
  reply
    .code(304)
    .headers({ ...headers, etag: tag })
    .removeHeader("content-type");
  notify();
  reply.send();
}

function sendBody(reply: FastifyReply, contentType: string, body: string | Uint8Array): void {
  reply.header("content-type", contentType);
  // Fastify adds a charset to JSON unless the reply has a serializer of its own.
  if (typeof body === "string") reply.serializer(asItIs);
  reply.send(body);
}

interface FoundSuccess {
  readonly success: SuccessFacts;
  readonly status: number;
  readonly writeHeaders: HeadersWriter;
}

type SuccessFinder = (operation: HttpOperation, reply: Reply) => FoundSuccess;

/**
 * Creates the function that finds the document's response for a status and a media type; without them the first, which is looked up once.
 */
function createSuccessFinder(): SuccessFinder {
  const usual = new Map<HttpOperation, FoundSuccess>();
  return (operation, reply) => {
    if (reply.status !== undefined || reply.contentType !== undefined) return findSuccess(operation, reply);
    let found = usual.get(operation);
    if (found === undefined) {
      found = findSuccess(operation, reply);
      usual.set(operation, found);
    }
    return found;
  };
}

function findSuccess({ name, successes }: HttpOperation, { status, contentType }: Reply): FoundSuccess {
  const sent = status ?? usualStatus(successes[0].status);
  const candidates = successesOf(successes, sent);
  const contents = candidates.flatMap(({ content }) => content ?? []);
  const essence = essenceOf(contentType);
  const wanted = essence === undefined ? contents[0] : findContent(contents, essence);
  const success = candidates.find(({ content }) => content === wanted) ?? candidates[0];
  if (success === undefined) throw new Error(`${name} responded with ${sent}, which its document does not declare`);
  return { success, status: sent, writeHeaders: createHeadersWriter(success.headers) };
}

/** Returns the successes, an exact status before its class, a class before `default`. */
function successesOf(successes: readonly SuccessFacts[], status: number): readonly SuccessFacts[] {
  for (const pattern of [status, `${Math.floor(status / 100)}XX`, "default"]) {
    const found = successes.filter((success) => success.status === pattern);
    if (found.length > 0) return found;
  }
  return [];
}

function usualStatus(pattern: SuccessFacts["status"]): number {
  if (typeof pattern === "number") return pattern;
  return pattern === "default" ? 200 : Number(pattern[0]) * 100;
}

/** Returns the sent type. A handler may only narrow down a range. */
function sentType(contentType: string, wanted: string | undefined): string {
  if (!contentType.includes("*")) return contentType;
  return wanted ?? "application/octet-stream";
}

/** Writes a body. Throws for a value of another kind than the form expects. */
function writeBody(
  { operation, request }: OperationReply,
  content: ContentFacts,
  value: unknown,
  check: ResponseCheck,
): EncodedBody {
  if (content.form === "binary") return encodeBody(content, value);
  const wire = operation.output.encode === undefined ? value : operation.output.encode(value);
  const encoded = encodeBody(content, wire);
  const { body } = encoded;
  // The validated value is the one that was written: members that are not JSON are gone.
  check.assert(
    operation,
    () => (content.form === "json" && typeof body === "string" ? readLosslessJson(body) : wire),
    request,
  );
  return encoded;
}

interface PreparedResponse<Context> extends OperationReply {
  readonly content: ContentFacts | undefined;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly text: PreparedJson<unknown>["text"];
  readonly check: ResponseCheck;
  readonly options: RestOptions<Context>;
}

function sendPrepared<Context>(response: PreparedResponse<Context>): Promise<void> | undefined {
  const { operation, request, reply, content, contentType, status, headers, text, check, notify } = response;
  if (content?.form !== "json")
    throw new Error(`${operation.name} responded with JSON, which its document does not declare`);
  if (isAsyncIterable(text)) return sendParts(response, text);
  check.assert(operation, () => readLosslessJson(charactersOf(text)), request);
  reply.code(status).headers(headers);
  notify();
  const body = isInPieces(text) ? joinPieces(text) : text;
  // Released when all of it has left this process; never after a response that the client did not receive.
  if (isPooled(body)) reply.raw.once("finish", () => releaseBytes(body));
  sendBody(reply, contentType, body);
  return undefined;
}

/** Sends parts as they arrive. Where responses are validated, they are joined first. */
async function sendParts<Context>(
  response: PreparedResponse<Context>,
  parts: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const { operation, request, reply, contentType, status, headers, check, notify } = response;
  if (check.isOn) {
    const text = await gatherBytes(parts);
    check.assert(operation, () => readLosslessJson(charactersOf(text)), request);
    reply.code(status).headers(headers);
    notify();
    sendBody(reply, contentType, text);
    return;
  }
  const items = await startIterator(parts);
  reply.code(status).headers(headers).header("content-type", contentType);
  await sendIterator(response, items, (part) => part as string | Uint8Array);
}

interface ItemsResponse<Context> extends OperationReply {
  readonly content: ContentFacts;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly check: ResponseCheck;
  readonly options: RestOptions<Context>;
}

async function sendItems<Context>(response: ItemsResponse<Context>): Promise<void> {
  const { operation, reply, content, status, headers, body } = response;
  if (!isAsyncIterable(body)) throw new Error(`${operation.name} must return an AsyncIterable`);
  const items = await startIterator(body);
  reply.code(status).headers({ ...headers, "content-type": content.mediaType, "x-accel-buffering": "no" });
  if (content.form === "event-stream" && headers["cache-control"] === undefined)
    reply.header("cache-control", "no-store");
  await sendIterator(response, items, (item) => writeItem(response, item));
}

/** Sends a body whose pieces come one after the other. */
async function sendIterator<Context>(
  { operation, request, reply, options, notify }: OperationReply & { readonly options: RestOptions<Context> },
  items: AsyncIterator<unknown>,
  write: (item: unknown) => string | Uint8Array,
): Promise<void> {
  if (request.method === "HEAD") {
    await items.return?.();
    notify();
    reply.send();
    return;
  }
  let failure: ServiceError | undefined;
  const stream = createStreamBody(items, {
    write,
    onStart: () => reply.raw.flushHeaders(),
    onError(error) {
      failure = ServiceError.from(error);
      options.onError?.(failure, request, operation);
    },
  });
  stream.once("close", () => notify(failure));
  reply.send(stream);
}

function writeItem<Context>({ operation, content, check, request }: ItemsResponse<Context>, item: unknown): string {
  const { encode } = operation.output;
  const value = content.form === "event-stream" ? (item as ServerSentEvent).data : item;
  const wire = encode === undefined ? value : encode(value);
  check.assert(operation, () => asRead(wire), request);
  return encodeItem(content, content.form === "event-stream" ? { ...(item as ServerSentEvent), data: wire } : wire);
}

/** Returns the value that a client reads. */
function asRead(wire: unknown): unknown {
  const text = JSON.stringify(wire);
  return text === undefined ? undefined : readLosslessJson(text);
}
