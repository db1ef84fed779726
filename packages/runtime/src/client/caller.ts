import { TimeoutError, TransportError } from "./client-errors.ts";
import {
  type CallOptions,
  type ClientOptions,
  defaultClientOptions,
  type KeyNames,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from "./client-options.ts";
import { createEndpoint, type Endpoint } from "./endpoint.ts";
import { fetchTransport } from "./fetch-transport.ts";

/** What one call sends. */
export interface OutgoingCall {
  /** Name of the operation, for errors. */
  readonly operation: string;
  readonly method: string;
  /** Below the endpoint, percent-encoded; empty for the endpoint itself. */
  readonly path: string;
  readonly query?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly idempotent: boolean;
}

/** Sends calls with key, time limit and further attempts. Whatever it throws is without the key. */
export interface Caller {
  readonly endpoint: Endpoint;
  readonly validateResponses: boolean;
  send(call: OutgoingCall, options: CallOptions | undefined): Promise<TransportResponse>;
}

const temporaryStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** A service that asks for a longer wait gets no further attempt: the caller is told at once. */
const longestDelayMilliseconds = 30_000;

export function createCaller(options: ClientOptions, keyNames: KeyNames): Caller {
  const endpoint = createEndpoint(options, keyNames);
  const transport = options.transport ?? fetchTransport;
  const baseDelay = options.retryDelayMilliseconds ?? defaultClientOptions.retryDelayMilliseconds;
  return {
    endpoint,
    validateResponses: options.validateResponses ?? false,
    async send(call, callOptions = {}) {
      const retries = call.idempotent ? (callOptions.retries ?? options.retries ?? defaultClientOptions.retries) : 0;
      const timeout =
        callOptions.timeoutMilliseconds ?? options.timeoutMilliseconds ?? defaultClientOptions.timeoutMilliseconds;
      for (let attempt = 0; ; attempt += 1) {
        const outcome = await tryOnce(transport, endpoint, call, timeout, callOptions.signal);
        const delay = attempt < retries ? delayAfter(outcome, attempt, baseDelay) : undefined;
        if (delay !== undefined) await sleep(delay, callOptions.signal);
        else if (outcome instanceof TransportError) throw outcome;
        else return outcome;
      }
    },
  };
}

/** Value of `Retry-After` in seconds: a number, or the time until a date (RFC 9110, section 10.2.3). */
export function retryAfterSeconds(response: TransportResponse): number | undefined {
  const text = response.header("retry-after");
  if (text === undefined) return undefined;
  if (/^[0-9]+$/.test(text)) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000));
}

async function tryOnce(
  transport: Transport,
  endpoint: Endpoint,
  call: OutgoingCall,
  timeoutMilliseconds: number,
  signal: AbortSignal | undefined,
): Promise<TransportResponse | TransportError> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, timeoutMilliseconds);
  signal?.addEventListener("abort", abort, { once: true });
  try {
    return await transport(outgoingRequest(endpoint, call, controller.signal));
  } catch (error) {
    signal?.throwIfAborted();
    if (controller.signal.aborted) throw new TimeoutError(call.operation, timeoutMilliseconds);
    return new TransportError(call.operation, errorCode(error));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function outgoingRequest(endpoint: Endpoint, call: OutgoingCall, signal: AbortSignal): TransportRequest {
  return {
    method: call.method,
    url: endpoint.url(call.path, call.query),
    headers: { ...endpoint.headers, ...call.headers },
    ...(call.body === undefined ? {} : { body: call.body }),
    signal,
  };
}

/** Milliseconds until the next attempt; `undefined` when there should be none. */
function delayAfter(
  outcome: TransportResponse | TransportError,
  attempt: number,
  baseDelay: number,
): number | undefined {
  const backoff = baseDelay * 2 ** attempt * (0.5 + Math.random() / 2);
  if (outcome instanceof TransportError) return Math.min(backoff, longestDelayMilliseconds);
  if (!temporaryStatuses.has(outcome.status)) return undefined;
  const seconds = retryAfterSeconds(outcome);
  const delay = seconds === undefined ? Math.min(backoff, longestDelayMilliseconds) : seconds * 1000;
  return delay > longestDelayMilliseconds ? undefined : delay;
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
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

/** The code of a platform's error or of its cause: a word, never a text, for that could hold the URL. */
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
