// GraphQL over server-sent events, distinct connections mode (PROTOCOL.md of graphql-sse).
import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ExecutionResult } from "graphql";
import { createStreamBody } from "../node/stream-body.ts";
import { ServiceError } from "../errors/service-error.ts";
import { writeEvent } from "../wire/event-stream.ts";

export const eventStreamMediaType = "text/event-stream";

/** Comment that keeps a connection open and is not an event (WHATWG HTML, section 9.2.7). */
const eventStreamComment = ":\n\n";

/** Callbacks during the sending of results. */
export interface EventStreamOptions {
  /** Returns a result as it is sent: without private details. */
  format(result: ExecutionResult): unknown;
  /** Returns the errors of a result that ends the events, for a failure between two of them. */
  formatFailure(error: ServiceError): unknown;
  /** Called once, when everything is sent or the client has gone. */
  onClose(failure: ServiceError | undefined): void;
  /** Milliseconds of silence before a comment is sent, so that no proxy takes the connection for dead. */
  readonly keepAliveMilliseconds: number;
}

/** Returns whether an `Accept` header lists event streams. */
export function acceptsEventStream(accept: string | undefined): boolean {
  return rangesOf(accept).includes(eventStreamMediaType);
}

/** Returns whether an `Accept` header accepts only events: then a single result is sent as one. */
export function wantsEventStream(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const ranges = rangesOf(accept);
  return ranges.length > 0 && ranges.every((range) => range === eventStreamMediaType);
}

/** Sends each result as an event `next`, and `complete` after the last. A failure of the source is a last result with errors. */
export function sendEventStream(
  results: AsyncIterator<ExecutionResult>,
  options: EventStreamOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.code(200).headers({
    "content-type": `${eventStreamMediaType}; charset=utf-8`,
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  const state: StreamState = { failure: undefined, isComplete: false };
  if (request.method === "HEAD") {
    void results.return?.();
    options.onClose(undefined);
    return reply.send();
  }
  const stream = createStreamBody(new ResultEvents(results, options, state), {
    write: String,
    onStart: () => reply.raw.flushHeaders(),
    onError: (error) => {
      state.failure = ServiceError.from(error);
    },
  });
  keepAlive(stream, options.keepAliveMilliseconds, state);
  stream.once("close", () => options.onClose(state.failure));
  return reply.send(stream);
}

interface StreamState {
  failure: ServiceError | undefined;
  isComplete: boolean;
}

/**
 * Events of results, as text. Not a generator: its `return` would wait for a result that may never come, and the source would not be
 * notified that the client has gone.
 */
class ResultEvents implements AsyncIterator<string, void> {
  readonly #results: AsyncIterator<ExecutionResult>;
  readonly #options: EventStreamOptions;
  readonly #state: StreamState;
  #isDone = false;

  constructor(results: AsyncIterator<ExecutionResult>, options: EventStreamOptions, state: StreamState) {
    this.#results = results;
    this.#options = options;
    this.#state = state;
  }

  async next(): Promise<IteratorResult<string, void>> {
    if (this.#isDone) return { done: true, value: undefined };
    if (this.#state.failure !== undefined) return this.#complete();
    try {
      const { done, value } = await this.#results.next();
      return done === true ? this.#complete() : nextEvent(this.#options.format(value));
    } catch (error) {
      this.#state.failure = ServiceError.from(error);
      return nextEvent(this.#options.formatFailure(this.#state.failure));
    }
  }

  async return(): Promise<IteratorResult<string, void>> {
    this.#isDone = true;
    await this.#results.return?.();
    return { done: true, value: undefined };
  }

  #complete(): IteratorResult<string, void> {
    this.#isDone = true;
    this.#state.isComplete = true;
    return { done: false, value: writeEvent({ event: "complete", data: "" }) };
  }
}

function nextEvent(result: unknown): IteratorResult<string, void> {
  return { done: false, value: writeEvent({ event: "next", data: JSON.stringify(result) }) };
}

function keepAlive(stream: Readable, milliseconds: number, state: StreamState): void {
  const timer = setInterval(() => {
    // Data that waits to be sent keeps the connection busy enough.
    if (!state.isComplete && !stream.destroyed && stream.readableLength === 0) stream.push(eventStreamComment);
  }, milliseconds);
  timer.unref();
  stream.once("close", () => clearInterval(timer));
}

function rangesOf(accept: string | undefined): readonly string[] {
  return (accept ?? "").split(",").flatMap((range) => {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    return name === "" || parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) ? [] : [name];
  });
}
