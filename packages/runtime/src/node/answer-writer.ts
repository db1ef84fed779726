import type { FastifyReply, FastifyRequest } from "fastify";
import { readLosslessJson } from "../lossless-json.ts";
import type { ContentFacts, HeaderFacts, HttpOperation, ParameterFacts, SuccessFacts } from "../operation.ts";
import { ServiceError } from "../service-error.ts";
import { writeParameters } from "../wire/write-parameters.ts";
import { createAnswerCheck, type AnswerCheck } from "./answer-check.ts";
import { asItIs } from "./framework-error.ts";
import { essenceOf, findContent, negotiateContent } from "./media-type.ts";
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
export interface Answering {
  readonly operation: HttpOperation;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** What the handler has given. */
  readonly output: unknown;
  /** The request's own. */
  readonly accept: string | undefined;
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
      const { operation, reply, output, accept } = answering;
      const answer: Reply = operation.answers === "reply" ? ((output ?? {}) as Reply) : { body: output };
      const { success, status } = findSuccess(operation, answer, accept);
      const headers = writeHeaders(success.headers, answer.headers ?? {});
      const { content } = success;
      if (content?.form === "event-stream" || content?.form === "json-lines") {
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
      reply.header("content-type", sentType(content, answer.contentType));
      if (typeof body === "string") reply.serializer(asItIs);
      reply.send(body);
    },
  };
}

interface FoundSuccess {
  readonly success: SuccessFacts;
  readonly status: number;
}

/** The answer of the document that a status and a media type mean; without them the first, and the one that is liked best. */
function findSuccess(
  { name, successes }: HttpOperation,
  { status, contentType }: Reply,
  accept: string | undefined,
): FoundSuccess {
  const sent = status ?? usualStatus(successes[0].status);
  const candidates = successesOf(successes, sent);
  const contents = candidates.flatMap(({ content }) => content ?? []);
  const essence = essenceOf(contentType);
  const wanted = essence === undefined ? negotiateContent(contents, accept) : findContent(contents, essence);
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
function sentType({ mediaType }: ContentFacts, wanted: string | undefined): string {
  if (!mediaType.includes("*")) return mediaType;
  return wanted ?? "application/octet-stream";
}

function writeBody(
  answering: Answering,
  content: ContentFacts,
  value: unknown,
  check: AnswerCheck,
): string | Uint8Array {
  const { operation, request } = answering;
  if (content.form === "binary") {
    if (value instanceof Uint8Array) return value;
    throw new Error(`${operation.name} has to answer bytes`);
  }
  const wire = operation.output.encode === undefined ? value : operation.output.encode(value);
  if (content.form === "text") {
    check.assert(operation, () => wire, request);
    return String(wire);
  }
  const text = JSON.stringify(wire);
  if (text === undefined) throw new Error(`${operation.name} has answered nothing`);
  check.assert(operation, () => readLosslessJson(text), request);
  return text;
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
  const { operation, request, reply, content, status, headers, body, check, options, tell } = answer;
  if (!isAsyncIterable(body)) throw new Error(`${operation.name} has to answer an AsyncIterable`);
  const { encode } = operation.output;
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
    write(item) {
      const wire = encode === undefined ? item : encode(item);
      const text = JSON.stringify(wire);
      check.assert(operation, () => readLosslessJson(text), request);
      return content.form === "event-stream" ? `data: ${text}\n\n` : `${text}\n`;
    },
    onStart: () => reply.raw.flushHeaders(),
    onError(error) {
      failure = ServiceError.from(error);
      options.onError?.(failure, request, operation);
    },
  });
  stream.once("close", () => tell(failure));
  reply.send(stream);
}
