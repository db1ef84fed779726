// GraphQL over server-sent events, distinct connections mode (PROTOCOL.md of graphql-sse).
import { essenceOf } from "../operations/media-type.ts";
import type { ValueCodec } from "../operations/operation.ts";
import { decodeItems } from "../wire/body.ts";
import type { ServerSentEvent } from "../wire/event-stream.ts";
import { readJsonText } from "../wire/json-text.ts";
import { defaultWireLimits } from "../wire/wire-limits.ts";
import type { Caller, ReceivedResponse } from "./caller.ts";
import { TransportError } from "./client-errors.ts";
import type { CallOptions } from "./client-options.ts";
import { invalidResponse } from "./incoming-response.ts";
import { piecesOf } from "./item-reader.ts";
import { ItemStream } from "./item-stream.ts";

/**
 * Results of a subscription, which is sent when the first is consumed. It ends when the consumer stops iterating, calls `return` or aborts
 * the call's signal. It throws what a call throws; a response with errors is its last.
 */
export interface GraphqlSubscription<Data> extends AsyncIterableIterator<Data, void, undefined> {
  return(): Promise<IteratorResult<Data, void>>;
  [Symbol.asyncIterator](): GraphqlSubscription<Data>;
}

/** A subscription before it is sent. */
export interface SubscriptionCall<Data> {
  readonly caller: Caller;
  /** Name for errors. */
  readonly name: string;
  readonly output: ValueCodec<Data>;
  readonly body: string;
  readonly options: CallOptions | undefined;
  /** Returns the data of one response. Throws its errors. */
  readData(body: unknown, response: ReceivedResponse): Data;
  /** Returns the failure of a response that is not an event stream. */
  failureOf(response: ReceivedResponse): Error;
}

// No other type is listed: servers of this protocol compare the complete value.
const mediaType = "text/event-stream";
const headers = { accept: mediaType, "content-type": "application/json" };
/** `data` is text: that of `complete` is empty. */
const content = { mediaType, form: "event-stream", decoding: "string" } as const;

export function openSubscription<Data>(call: SubscriptionCall<Data>): GraphqlSubscription<Data> {
  const closing = new AbortController();
  return new ItemStream(readResponses(call, closing.signal), () => closing.abort());
}

async function* readResponses<Data>(
  call: SubscriptionCall<Data>,
  closed: AbortSignal,
): AsyncGenerator<Data, void, undefined> {
  const { caller, name, output, body, options } = call;
  const keepsLongIntegers = output.decode !== undefined;
  if (closed.aborted) return;
  const signal = options?.signal === undefined ? closed : AbortSignal.any([closed, options.signal]);
  let response: ReceivedResponse | undefined;
  try {
    const streams = (_status: number, contentType: string | undefined): boolean => essenceOf(contentType) === mediaType;
    // A retry of a subscription that has not begun changes nothing.
    const outgoing = { operation: name, method: "POST", path: "", headers, body, idempotent: true, streams };
    response = await caller.send(outgoing, { ...options, signal });
    if (essenceOf(response.header("content-type")) !== mediaType || response.status !== 200)
      throw call.failureOf(response);
    for await (const event of decodeItems(content, piecesOf(response))) {
      const { event: kind, data } = event as ServerSentEvent<string>;
      if (kind === "complete") return;
      if (kind === "next") yield call.readData(readJsonText(data, defaultWireLimits, keepsLongIntegers), response);
    }
    if (!closed.aborted) throw new TransportError(name, "INCOMPLETE");
  } catch (error) {
    if (closed.aborted) return;
    throw invalidResponse(name, error);
  } finally {
    response?.close?.();
  }
}
