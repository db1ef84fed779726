import { TimeoutError, TransportError } from "./client-errors.ts";
import {
  type CallOptions,
  type ClientFacts,
  defaultClientOptions,
  type GivenClientOptions,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "./client-options.ts";
import { createEndpoint, type Endpoint } from "./endpoint.ts";
import { fetchTransport } from "./fetch-transport.ts";

/** Request of one call. */
export interface OutgoingCall {
  /** Name of the operation, for errors. */
  readonly operation: string;
  readonly method: string;
  /** Path below the endpoint, percent-encoded; empty for the endpoint itself. */
  readonly path: string;
  readonly query?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: NonNullable<TransportRequest["body"]>;
  readonly idempotent: boolean;
  /** The same as in the transport's request. */
  readonly streams?: NonNullable<TransportRequest["streams"]>;
}

/** A response; one that arrives in pieces can be aborted at any time, and then ends. */
export interface ReceivedResponse extends TransportResponse {
  close?(): void;
}

/** Sender of calls with key, timeout and retries. Its errors never contain the key. */
export interface Caller {
  readonly endpoint: Endpoint;
  readonly validateResponses: boolean;
  /** First delay before a retry, in milliseconds. */
  readonly retryDelayMilliseconds: number;
  send(call: OutgoingCall, options: CallOptions | undefined): Promise<ReceivedResponse>;
}

const temporaryStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Longest delay in milliseconds: a service that requests a longer wait gets no retry, and the caller gets the error at once. */
const maximumDelayMilliseconds = 30_000;

export function createCaller(options: GivenClientOptions, facts: ClientFacts): Caller {
  const endpoint = createEndpoint(options, facts);
  const transport = options.transport ?? fetchTransport;
  const baseDelay = options.retryDelayMilliseconds ?? defaultClientOptions.retryDelayMilliseconds;
  return {
    endpoint,
    validateResponses: options.validateResponses ?? false,
    retryDelayMilliseconds: baseDelay,
    async send(outgoing, callOptions = {}) {
      const call = withOwnHeaders(outgoing, callOptions, endpoint);
      const retries = call.idempotent ? (callOptions.retries ?? options.retries ?? defaultClientOptions.retries) : 0;
      const timeout =
        callOptions.timeoutMilliseconds ?? options.timeoutMilliseconds ?? defaultClientOptions.timeoutMilliseconds;
      for (let attempt = 0; ; attempt += 1) {
        const outcome = await tryOnce(transport, endpoint, call, timeout, callOptions.signal);
        const delay = attempt < retries ? delayAfter(outcome, attempt, baseDelay) : undefined;
        if (delay !== undefined) await sleep(delay, callOptions.signal);
        else if (outcome instanceof TransportError) throw outcome;
        else {
          notify(outcome, call, [options.onResponse, callOptions.onResponse]);
          return outcome;
        }
      }
    },
  };
}

/** Returns the value of `Retry-After` in seconds: a number, or the time until a date (RFC 9110, section 10.2.3). */
export function retryAfterSeconds(response: TransportResponse): number | undefined {
  const text = response.header("retry-after");
  if (text === undefined) return undefined;
  if (/^[0-9]+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

/** Notifies a listener. If it throws, the response is aborted. */
function notify(
  response: ReceivedResponse,
  { operation }: OutgoingCall,
  listeners: readonly CallOptions["onResponse"][],
): void {
  const { status } = response;
  try {
    for (const listener of listeners)
      listener?.({ operation, status, header: (name) => response.header(name.toLowerCase()) });
  } catch (error) {
    response.close?.();
    throw error;
  }
}

async function tryOnce(
  transport: Transport,
  endpoint: Endpoint,
  call: OutgoingCall,
  timeoutMilliseconds: number,
  signal: AbortSignal | undefined,
): Promise<ReceivedResponse | TransportError> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, timeoutMilliseconds);
  const release = (): void => signal?.removeEventListener("abort", abort);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const response = await transport(outgoingRequest(endpoint, call, controller.signal));
    if (response.chunks === undefined) {
      release();
      return response;
    }
    return openResponse(response, response.chunks, { operation: call.operation, controller, release, signal });
  } catch (error) {
    release();
    signal?.throwIfAborted();
    if (controller.signal.aborted) throw new TimeoutError(call.operation, timeoutMilliseconds);
    return new TransportError(call.operation, errorCode(error));
  } finally {
    clearTimeout(timer);
  }
}

interface Exchange {
  readonly operation: string;
  readonly controller: AbortController;
  release(): void;
  readonly signal: AbortSignal | undefined;
}

/** Creates an unread response. The exchange ends when the reading does. */
function openResponse(
  response: TransportResponse,
  chunks: AsyncIterable<Uint8Array>,
  { operation, controller, release, signal }: Exchange,
): ReceivedResponse {
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    release();
    controller.abort();
  };
  const guarded = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* chunks;
    } catch (error) {
      if (isClosed) return;
      signal?.throwIfAborted();
      throw new TransportError(operation, errorCode(error));
    } finally {
      close();
    }
  };
  return { ...response, chunks: guarded(), close };
}

function withOwnHeaders(call: OutgoingCall, { headers }: CallOptions, { redaction }: Endpoint): OutgoingCall {
  if (headers === undefined) return call;
  redaction.learn(Object.values(headers));
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...call, headers: { ...call.headers, ...Object.fromEntries(own) } };
}

function outgoingRequest(endpoint: Endpoint, call: OutgoingCall, signal: AbortSignal): TransportRequest {
  return {
    method: call.method,
    url: endpoint.url(call.path, call.query),
    headers: { ...endpoint.headers, ...call.headers },
    ...(call.body === undefined ? {} : { body: call.body }),
    signal,
    ...(call.streams === undefined ? {} : { streams: call.streams }),
  };
}

/** Returns the milliseconds until the next attempt; `undefined` when there must be none. */
function delayAfter(
  outcome: TransportResponse | TransportError,
  attempt: number,
  baseDelay: number,
): number | undefined {
  const backoff = baseDelay * 2 ** attempt * (0.5 + Math.random() / 2);
  if (outcome instanceof TransportError) return Math.min(backoff, maximumDelayMilliseconds);
  if (!temporaryStatuses.has(outcome.status)) return undefined;
  const seconds = retryAfterSeconds(outcome);
  const delay = seconds === undefined ? Math.min(backoff, maximumDelayMilliseconds) : seconds * 1000;
  return delay > maximumDelayMilliseconds ? undefined : delay;
}

/** Waits; rejects with the signal's reason as soon as it is aborted. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = (): void => {
    clearTimeout(timer);
    reject(signal?.reason);
  };
  const timer = setTimeout(() => {
    signal?.removeEventListener("abort", abort);
    resolve();
  }, milliseconds);
  signal?.addEventListener("abort", abort, { once: true });
  return promise;
}

/** Returns the code of a platform's error or of its cause: a word, never a message, which could contain the URL. */
function errorCode(error: unknown): string {
  for (const candidate of [causeOf(error), error]) {
    if (typeof candidate !== "object" || candidate === null || !("code" in candidate)) continue;
    if (typeof candidate.code === "string" && /^[A-Z][A-Z0-9_]{0,63}$/.test(candidate.code)) return candidate.code;
  }
  return "NO_ANSWER";
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined;
}
