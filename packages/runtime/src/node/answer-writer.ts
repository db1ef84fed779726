import type { FastifyReply, FastifyRequest } from "fastify";
import { readLosslessJson } from "../lossless-json.ts";
import type { ContentFacts, HeaderFacts, HttpOperation, ParameterFacts, SuccessFacts } from "../operation.ts";
import { ServiceError } from "../service-error.ts";
import { type EncodedBody, encodeBody, encodeItem, isStreamed } from "../wire/body.ts";
import type { ServerSentEvent } from "../wire/event-stream.ts";
import { writeParameters } from "../wire/write-parameters.ts";
import { createAnswerCheck, type AnswerCheck } from "./answer-check.ts";
import { asItIs } from "./framework-error.ts";
import { essenceOf, findContent } from "../media-type.ts";
import type { RestOptions } from "./plugin-options.ts";
import { createStreamBody, isAsyncIterable, startIterator } from "./stream-body.ts";

/** A handler's answer with its status and headers taken apart from its body. */
interface Reply {
  readonly status?: number;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** An answer that is to be sent. */
interface Answering {
  readonly operation: HttpOperation;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** What the handler has given. */
  readonly output: unknown;
  /** Told once when the answer is sent, or has failed after its beginning was. */
  tell(error?: ServiceError): void;
}

export interface AnswerWriter {
  /** Throws for an answer that its document does not know, or that can't be written. */
  send(answering: Answering): Promise<void>;
}

/** Creates what writes the answers of a plugin. */
export function answerWriter<Context>(options: RestOptions<Context>): AnswerWriter {
  const check = createAnswerCheck(options);
  return {
    async send(answering) {
      const { operation, reply, output } = answering;
      const answer: Reply = operation.answers === "reply" ? ((output ?? {}) as Reply) : { body: output };
      const { success, status } = findSuccess(operation, answer);
      const headers = writeHeaders(success.headers, answer.headers ?? {});
      const { content } = success;
      if (content !== undefined && isStreamed(content)) {
        await sendItems({ ...answering, content, status, headers, body: answer.body, check, options });
        return;
      }
      const body = content === undefined ? undefined : writeBody(answering, content, answer.body, check);
      reply.code(status).headers(headers);
      answering.tell();
      if (content === undefined || body === undefined) {
        reply.send();
        return;
      }
      reply.header("content-type", sentType(body.contentType, answer.contentType));
      if (typeof body.body === "string") reply.serializer(asItIs);
      reply.send(body.body);
    },
  };
}

interface FoundSuccess {
  readonly success: SuccessFacts;
  readonly status: number;
}

/** The answer of the document that a status and a media type mean; without them the first. */
function findSuccess({ name, successes }: HttpOperation, { status, contentType }: Reply): FoundSuccess {
  const sent = status ?? usualStatus(successes[0].status);
  const candidates = successesOf(successes, sent);
  const contents = candidates.flatMap(({ content }) => content ?? []);
  const essence = essenceOf(contentType);
  const wanted = essence === undefined ? contents[0] : findContent(contents, essence);
  const success = candidates.find(({ content }) => content === wanted) ?? candidates[0];
  if (success === undefined) throw new Error(`${name} has answered ${sent}, which its document does not know`);
  return { success, status: sent };
}

/** An exact status before its class, a class before `default`. */
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

function writeHeaders(
  facts: readonly HeaderFacts[],
  values: Readonly<Record<string, unknown>>,
): Readonly<Record<string, string>> {
  const present = facts.filter(({ property }) => values[property] !== undefined);
  if (present.length === 0) return {};
  return writeParameters("", present.map(headerParameter), values).headers;
}

function headerParameter(facts: HeaderFacts): ParameterFacts {
  return { ...facts, location: "header" };
}

/** A handler may narrow down a range, and no more. */
function sentType(contentType: string, wanted: string | undefined): string {
  if (!contentType.includes("*")) return contentType;
  return wanted ?? "application/octet-stream";
}

/** Throws for a value of another kind than the form is for. */
function writeBody(
  { operation, request }: Answering,
  content: ContentFacts,
  value: unknown,
  check: AnswerCheck,
): EncodedBody {
  if (content.form === "binary") return encodeBody(content, value);
  const wire = operation.output.encode === undefined ? value : operation.output.encode(value);
  const encoded = encodeBody(content, wire);
  const { body } = encoded;
  // What is checked is what was written: members that are no JSON are gone.
  check.assert(
    operation,
    () => (content.form === "json" && typeof body === "string" ? readLosslessJson(body) : wire),
    request,
  );
  return encoded;
}

interface ItemsAnswer<Context> extends Answering {
  readonly content: ContentFacts;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly check: AnswerCheck;
  readonly options: RestOptions<Context>;
}

async function sendItems<Context>(answer: ItemsAnswer<Context>): Promise<void> {
  const { operation, request, reply, content, status, headers, body, options, tell } = answer;
  if (!isAsyncIterable(body)) throw new Error(`${operation.name} has to answer an AsyncIterable`);
  const items = await startIterator(body);
  reply.code(status).headers({ ...headers, "content-type": content.mediaType, "x-accel-buffering": "no" });
  if (content.form === "event-stream" && headers["cache-control"] === undefined)
    reply.header("cache-control", "no-store");
  if (request.method === "HEAD") {
    await items.return?.();
    tell();
    reply.send();
    return;
  }
  let failure: ServiceError | undefined;
  const stream = createStreamBody(items, {
    write: (item) => writeItem(answer, item),
    onStart: () => reply.raw.flushHeaders(),
    onError(error) {
      failure = ServiceError.from(error);
      options.onError?.(failure, request, operation);
    },
  });
  stream.once("close", () => tell(failure));
  reply.send(stream);
}

function writeItem<Context>({ operation, content, check, request }: ItemsAnswer<Context>, item: unknown): string {
  const { encode } = operation.output;
  const value = content.form === "event-stream" ? (item as ServerSentEvent).data : item;
  const wire = encode === undefined ? value : encode(value);
  check.assert(operation, () => asRead(wire), request);
  return encodeItem(content, content.form === "event-stream" ? { ...(item as ServerSentEvent), data: wire } : wire);
}

/** What a caller will read of a value. */
function asRead(wire: unknown): unknown {
  const text = JSON.stringify(wire);
  return text === undefined ? undefined : readLosslessJson(text);
}
