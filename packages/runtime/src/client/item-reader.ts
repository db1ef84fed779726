import type { ContentFacts, HttpCall } from "../operation.ts";
import { decodeItems } from "../wire/body.ts";
import { EventParser, type ServerSentEvent } from "../wire/event-stream.ts";
import { defaultWireLimits } from "../wire/wire-limits.ts";
import { readValue } from "./answer.ts";
import { type Caller, type ReceivedResponse, sleep } from "./caller.ts";
import { isTransportError } from "./client-errors.ts";
import type { CallOptions, TransportResponse } from "./client-options.ts";
import { invalidAnswer } from "./incoming-answer.ts";
import { ItemStream } from "./item-stream.ts";

/** An answer whose items are read, and how to ask for it again. */
export interface ItemsAnswer {
  readonly caller: Caller;
  readonly operation: HttpCall;
  readonly content: ContentFacts;
  readonly response: ReceivedResponse;
  readonly options: CallOptions | undefined;
  /** Asks for what comes after an event; `undefined` when that is nothing. Throws `TransportError` where it may be asked again. */
  resume(lastEventId: string): Promise<ReceivedResponse | undefined>;
}

/** The connection that items come from, which may be another one later. */
interface Connection {
  response: ReceivedResponse;
  isClosed: boolean;
  /** Ends the waiting for the next one: when it is closed, or the caller's signal is aborted. */
  readonly waiting: AbortSignal;
}

/** The items of an answer as they come, each checked and decoded as a whole answer would be. */
export function readItems(answer: ItemsAnswer): ItemStream<unknown> {
  const closing = new AbortController();
  const { signal } = answer.options ?? {};
  const waiting = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
  const connection: Connection = { response: answer.response, isClosed: false, waiting };
  const items = answer.content.form === "event-stream" ? readEvents(answer, connection) : readLines(answer, connection);
  return new ItemStream(items, () => {
    connection.isClosed = true;
    closing.abort();
    connection.response.close?.();
  });
}

/** The pieces of an answer's body. */
export function readChunks(response: ReceivedResponse): ItemStream<Uint8Array> {
  return new ItemStream(piecesOf(response), () => response.close?.());
}

/** The pieces of an answer; the whole of it where its transport can't give pieces. */
export async function* piecesOf({ chunks, body }: TransportResponse): AsyncGenerator<Uint8Array, void, undefined> {
  if (chunks === undefined) yield body;
  else yield* chunks;
}

async function* readLines(
  { caller, operation, content }: ItemsAnswer,
  connection: Connection,
): AsyncGenerator<unknown, void, undefined> {
  try {
    const keepsLongIntegers = operation.output.decode !== undefined;
    for await (const item of decodeItems(content, piecesOf(connection.response), { keepsLongIntegers })) {
      yield readValue(caller, operation.name, operation.output, item);
    }
  } catch (error) {
    if (!connection.isClosed) throw invalidAnswer(operation.name, error);
  } finally {
    connection.response.close?.();
  }
}

async function* readEvents(
  answer: ItemsAnswer,
  connection: Connection,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const { operation, options } = answer;
  const state = { failures: 0, hasEnded: false };
  let parser = new EventParser();
  try {
    for (;;) {
      try {
        yield* readConnection(answer, connection, parser, state);
        if (state.hasEnded || connection.isClosed || state.failures >= (options?.reconnections ?? 0)) return;
      } catch (error) {
        if (connection.isClosed) return;
        if (!isTransportError(error) || state.failures >= (options?.reconnections ?? 0)) {
          throw invalidAnswer(operation.name, error);
        }
      }
      const { retryMilliseconds } = parser;
      parser = new EventParser(defaultWireLimits, parser.lastEventId);
      const next = await reconnect(answer, connection, { lastEventId: parser.lastEventId, retryMilliseconds, state });
      if (next === undefined) return;
      connection.response = next;
      if (connection.isClosed) return;
    }
  } finally {
    connection.response.close?.();
  }
}

/** The events of one connection. */
async function* readConnection(
  { caller, operation, content }: ItemsAnswer,
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

/** WHATWG HTML, section 9.2.3: asks again after the time that the events asked for, longer after each failure. */
async function reconnect(
  { caller, options, resume }: ItemsAnswer,
  connection: Connection,
  { lastEventId, retryMilliseconds, state }: Reconnection,
): Promise<ReceivedResponse | undefined> {
  for (;;) {
    const delay = (retryMilliseconds ?? caller.retryDelayMilliseconds) * 2 ** state.failures;
    state.failures += 1;
    try {
      await sleep(Math.min(delay, longestDelayMilliseconds), connection.waiting);
      return await resume(lastEventId);
    } catch (error) {
      if (connection.isClosed) return undefined;
      if (!isTransportError(error) || state.failures >= (options?.reconnections ?? 0)) throw error;
    }
  }
}

const longestDelayMilliseconds = 60_000;
