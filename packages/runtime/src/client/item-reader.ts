import type { ContentFacts, HttpCall } from "../operations/operation.ts";
import { decodeItems } from "../wire/body.ts";
import { EventParser, type ServerSentEvent } from "../wire/event-stream.ts";
import { defaultWireLimits } from "../wire/wire-limits.ts";
import { readValue } from "./read-response.ts";
import { type Caller, type ReceivedResponse, sleep } from "./caller.ts";
import { isTransportError } from "./client-errors.ts";
import type { CallOptions, TransportResponse } from "./client-options.ts";
import { invalidResponse } from "./incoming-response.ts";
import { ItemStream } from "./item-stream.ts";

/** A response whose items are read, with the function that requests it again. */
export interface ItemsResponse {
  readonly caller: Caller;
  readonly operation: HttpCall;
  readonly content: ContentFacts;
  readonly response: ReceivedResponse;
  readonly options: CallOptions | undefined;
  /** Requests the events after an event; `undefined` when there are none. Throws `TransportError` where it may be retried. */
  resume(lastEventId: string): Promise<ReceivedResponse | undefined>;
}

/** Connection that provides the items, which may be replaced later. */
interface Connection {
  response: ReceivedResponse;
  isClosed: boolean;
  /** Signal that ends the wait for the next one: when it is closed, or the caller's signal is aborted. */
  readonly waiting: AbortSignal;
}

/** Returns the items of a response as they arrive, each validated and decoded as a complete response would be. */
export function readItems(received: ItemsResponse): ItemStream<unknown> {
  const closing = new AbortController();
  const { signal } = received.options ?? {};
  const waiting = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
  const connection: Connection = { response: received.response, isClosed: false, waiting };
  const items =
    received.content.form === "event-stream" ? readEvents(received, connection) : readLines(received, connection);
  return new ItemStream(items, () => {
    connection.isClosed = true;
    closing.abort();
    connection.response.close?.();
  });
}

/** Returns the chunks of a response's body. */
export function readChunks(response: ReceivedResponse): ItemStream<Uint8Array> {
  return new ItemStream(piecesOf(response), () => response.close?.());
}

/** Yields the chunks of a response; the complete body where its transport can't stream. */
export async function* piecesOf({ chunks, body }: TransportResponse): AsyncGenerator<Uint8Array, void, undefined> {
  if (chunks === undefined) yield body;
  else yield* chunks;
}

async function* readLines(
  { caller, operation, content }: ItemsResponse,
  connection: Connection,
): AsyncGenerator<unknown, void, undefined> {
  try {
    const keepsLongIntegers = operation.output.decode !== undefined;
    for await (const item of decodeItems(content, piecesOf(connection.response), { keepsLongIntegers })) {
      yield readValue(caller, operation.name, operation.output, item);
    }
  } catch (error) {
    if (!connection.isClosed) throw invalidResponse(operation.name, error);
  } finally {
    connection.response.close?.();
  }
}

async function* readEvents(
  received: ItemsResponse,
  connection: Connection,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const { operation, options } = received;
  const state = { failures: 0, hasEnded: false };
  let parser = new EventParser();
  try {
    for (;;) {
      try {
        yield* readConnection(received, connection, parser, state);
        if (state.hasEnded || connection.isClosed || state.failures >= (options?.reconnections ?? 0)) return;
      } catch (error) {
        if (connection.isClosed) return;
        if (!isTransportError(error) || state.failures >= (options?.reconnections ?? 0)) {
          throw invalidResponse(operation.name, error);
        }
      }
      const { retryMilliseconds } = parser;
      parser = new EventParser(defaultWireLimits, parser.lastEventId);
      const next = await reconnect(received, connection, { lastEventId: parser.lastEventId, retryMilliseconds, state });
      if (next === undefined) return;
      connection.response = next;
      if (connection.isClosed) return;
    }
  } finally {
    connection.response.close?.();
  }
}

/** Yields the events of one connection. */
async function* readConnection(
  { caller, operation, content }: ItemsResponse,
  { response }: Connection,
  parser: EventParser,
  state: { failures: number; hasEnded: boolean },
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const options = {
    parser,
    keepsLongIntegers: operation.output.decode !== undefined,
    onEnd: () => {
      state.hasEnded = true;
    },
  };
  for await (const item of decodeItems(content, piecesOf(response), options)) {
    const event = item as ServerSentEvent;
    state.failures = 0;
    yield { ...event, data: readValue(caller, operation.name, operation.output, event.data) };
  }
}

interface Reconnection {
  readonly lastEventId: string;
  readonly retryMilliseconds: number | undefined;
  readonly state: { failures: number };
}

/** Reconnects. WHATWG HTML, section 9.2.3: after the delay that the events requested, longer after each failure. */
async function reconnect(
  { caller, options, resume }: ItemsResponse,
  connection: Connection,
  { lastEventId, retryMilliseconds, state }: Reconnection,
): Promise<ReceivedResponse | undefined> {
  for (;;) {
    const delay = (retryMilliseconds ?? caller.retryDelayMilliseconds) * 2 ** state.failures;
    state.failures += 1;
    try {
      await sleep(Math.min(delay, maximumDelayMilliseconds), connection.waiting);
      return await resume(lastEventId);
    } catch (error) {
      if (connection.isClosed) return undefined;
      if (!isTransportError(error) || state.failures >= (options?.reconnections ?? 0)) throw error;
    }
  }
}

const maximumDelayMilliseconds = 60_000;
