import { Pool } from "undici";
import { BatchLimit } from "./batch-limit.ts";
import { CallScope, DeadlinePassed } from "./call-scope.ts";
import { ConnectionBound } from "./connection-bound.ts";
import { type CredentialsReader, createCredentialsReader, type UpstreamCredentials } from "./credentials.ts";
import { createJsonReader, createListReader } from "./body-reader.ts";
import {
  type BodyReader,
  errorCode,
  type HttpResponse,
  isBrokenConnection,
  post,
  PostFailure,
  ResponseTooLong,
} from "./http-post.ts";
import type { ListedString } from "./list-scanner.ts";
import { describeUncertainty, methodKindOf } from "./method-kind.ts";
import { learnNodeSecrets, secretsOfUrl } from "./node-secrets.ts";
import { type ResponseLease, responseBudget, TooManyResponses, withResponseHold } from "./response-budget.ts";
import { limitsOfResponse, type ResponseLimits } from "./response-limits.ts";
import { isLeftOutForLength, isObject, readResponse, readBatchResponse, malformedResponse } from "./rpc-response.ts";
import { ExcessiveStructure } from "./sliced-json-reader.ts";
import { createSingleUseDispatcher, type PostDispatcher } from "./single-use-dispatcher.ts";
import type { ListingUpstream, UpstreamCall, UpstreamCallOptions, UpstreamResult, UpstreamTotals } from "./upstream.ts";
import { type FailureFacts, isUpstreamFailure, UpstreamFailure } from "./upstream-failure.ts";
import { isUpstreamRpcError } from "./upstream-rpc-error.ts";

/** Address and limits of one node. */
export interface HttpUpstreamOptions {
  /** URL with `http:` or `https:`. A user and password in it are taken as credentials. */
  readonly url: string;
  readonly credentials?: UpstreamCredentials | undefined;
  /** PEM certificates to trust in place of the public ones. btcd signs its own. */
  readonly certificateAuthorities?: string | undefined;
  /** Maximum number of calls in one request, where the node accepts so many; 1 sends each call in a request of its own. */
  readonly batchLimit?: number | undefined;
  /** Milliseconds from the call to the last byte of its response, including the wait for a connection. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Maximum number of connections; further requests wait. Fewer are used where the node refuses so many. */
  readonly connections?: number | undefined;
  /**
   * Maximum length of a response in bytes. A longer one is dropped and its calls fail. Responses to most methods have lower limits of their
   * own.
   */
  readonly maximumResponseBytes?: number | undefined;
  /** Parser of a JSON response, for example one that keeps decimals exact. */
  readonly readJson?: ((text: string) => unknown) | undefined;
}

const defaults = {
  batchLimit: 100,
  timeoutMilliseconds: 30_000,
  connections: 16,
  maximumResponseBytes: 32 * 1024 * 1024,
};

/** Connect timeout in milliseconds. A node that accepts no connection for so long is down. */
const connectMilliseconds = 5_000;

/**
 * Number of consecutive responses that end their connection after which none is kept alive, and the milliseconds until keep-alive is tried
 * again.
 */
const endedConnections = 3;
const singleUseMilliseconds = 60_000;

/** Function that creates the reader of a response's body. */
type ReaderMaker = (status: number, limits: ResponseLimits, lease: ResponseLease) => BodyReader;

/** One request to the node: one call, or a batch of them. */
interface Exchange {
  readonly message: unknown;
  readonly calls: readonly UpstreamCall[];
  readonly createReader?: ReaderMaker | undefined;
}

/** An exchange with the memory of its response. */
interface LeasedExchange extends Exchange {
  readonly lease: ResponseLease;
  readonly onHeldUp: NodeCallOptions["onHeldUp"];
}

export interface NodeCallOptions extends UpstreamCallOptions {
  /** Callback for a request that has left the queue and is sent: for each request of a batch, and again when it is repeated. */
  readonly onSend?: (() => void) | undefined;
  /** Callback for a response that waits for those to other calls before it is read further. */
  readonly onHeldUp?: (() => void) | undefined;
}

/** Options of a call or a part of a batch. */
interface ExchangeOptions extends NodeCallOptions {
  /** Deadline as `performance.now` returns it, of all requests that a batch takes. */
  readonly deadline?: number;
}

/** An upstream that reports what it has learned about its node. */
export interface HttpUpstream extends ListingUpstream {
  /** Maximum number of concurrent requests, as far as it is known what the node accepts. */
  readonly connectionBound: number;
  /** Maximum number of calls in one request, as far as it is known what the node accepts. */
  readonly batchLimit: number;
  call(method: string, params?: UpstreamCall["params"], options?: NodeCallOptions): Promise<unknown>;
  batch(calls: readonly UpstreamCall[], options?: NodeCallOptions): Promise<readonly UpstreamResult[]>;
  list(method: string, params: UpstreamCall["params"], take: ListedString, options?: NodeCallOptions): Promise<void>;
}

/**
 * Creates an upstream that uses JSON-RPC over HTTP/1.1 on kept-alive connections.
 *
 * Neither the URL nor the credentials occur in any error or dump of the object, nor in what `publicNodeText` returns from now on. Throws a
 * `TypeError` when the URL is invalid, or the limits are not positive integers.
 */
export function createHttpUpstream(options: HttpUpstreamOptions): HttpUpstream {
  return new PooledHttpUpstream(options);
}

class PooledHttpUpstream implements HttpUpstream {
  readonly #pool: Pool;
  /** Dispatcher for a node that ends its connections; `undefined` over https, whose connections cost more than a pool. */
  readonly #singleUse: PostDispatcher | undefined;
  #endedConnections = 0;
  #singleUseUntil = 0;
  readonly #path: string;
  readonly #credentials: CredentialsReader;
  readonly #timeoutMilliseconds: number;
  readonly #maximumResponseBytes: number;
  readonly #readJson: (text: string) => unknown;
  readonly #bound: ConnectionBound;
  readonly #batchLimit: BatchLimit;
  readonly #scopes = new Set<CallScope>();
  #isClosed = false;
  #lastId = 0;
  #bytesSent = 0;
  #bytesReceived = 0;
  #methodCalls = 0;

  constructor(options: HttpUpstreamOptions) {
    const url = parseUrl(options.url);
    learnNodeSecrets(url.href, secretsOfUrl(url));
    const connections = positiveInteger("connections", options.connections);
    this.#batchLimit = new BatchLimit({ maximum: positiveInteger("batchLimit", options.batchLimit) });
    this.#timeoutMilliseconds = positiveInteger("timeoutMilliseconds", options.timeoutMilliseconds);
    this.#maximumResponseBytes = positiveInteger("maximumResponseBytes", options.maximumResponseBytes);
    this.#readJson = options.readJson ?? JSON.parse;
    this.#credentials = createCredentialsReader(options.credentials ?? credentialsOf(url));
    this.#path = url.pathname + url.search;
    this.#bound = new ConnectionBound(connections, undefined, () => responseBudget.hasTurn);
    const timeout = Math.min(connectMilliseconds, this.#timeoutMilliseconds);
    this.#singleUse =
      url.protocol === "http:" ? createSingleUseDispatcher({ url, connectMilliseconds: timeout }) : undefined;
    this.#pool = new Pool(url.origin, {
      // One more connection is for the request that has the turn.
      connections: connections + 1,
      // One deadline covers a call from end to end. The timeouts of undici are coarser.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        timeout,
        ...(options.certificateAuthorities === undefined ? {} : { ca: options.certificateAuthorities }),
      },
    });
  }

  get connectionBound(): number {
    return this.#bound.bound;
  }

  get batchLimit(): number {
    return this.#batchLimit.known;
  }

  async call(method: string, params: UpstreamCall["params"] = [], options: NodeCallOptions = {}): Promise<unknown> {
    const result = await this.#callOne({ method, params }, options);
    if (result.ok) return result.result;
    throw result.error;
  }

  async batch(calls: readonly UpstreamCall[], options: NodeCallOptions = {}): Promise<readonly UpstreamResult[]> {
    if (calls.length === 0) return [];
    const deadline = performance.now() + (options.timeoutMilliseconds ?? this.#timeoutMilliseconds);
    const limit = this.#batchLimit.current;
    return await withResponseHold(options.hold, async (hold) => {
      const ofBatch = { ...options, deadline, hold };
      return await (calls.length <= limit
        ? this.#callChunk(calls, ofBatch)
        : this.#callChunks(calls, this.#batchLimit.isProven(limit), ofBatch));
    });
  }

  async list(
    method: string,
    params: UpstreamCall["params"],
    take: ListedString,
    options: NodeCallOptions = {},
  ): Promise<void> {
    // A response with another status is no list.
    const createReader: ReaderMaker = (status, ...others) =>
      status === 200 ? createListReader(take) : this.#createReader(status, ...others);
    const result = await this.#callOne({ method, params }, options, createReader);
    if (!result.ok) throw result.error;
    if (!Array.isArray(result.result)) throw malformedResponse("is not a list");
  }

  totals(): UpstreamTotals {
    return { bytesSent: this.#bytesSent, bytesReceived: this.#bytesReceived, methodCalls: this.#methodCalls };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const scope of this.#scopes) scope.end(closed);
    await this.#pool.destroy();
  }

  /** Sends chunks concurrently, once it is known that the node accepts the first. */
  async #callChunks(
    calls: readonly UpstreamCall[],
    isProven: boolean,
    options: ExchangeOptions,
  ): Promise<readonly UpstreamResult[]> {
    const first = isProven ? [] : calls.slice(0, this.#batchLimit.known);
    const chunks = first.length === 0 ? [] : [await this.#callChunk(first, options)];
    // The limit may have changed by now.
    const limit = this.#batchLimit.known;
    const rest: Promise<readonly UpstreamResult[]>[] = [];
    for (let start = first.length; start < calls.length; start += limit) {
      rest.push(this.#callChunk(calls.slice(start, start + limit), options));
    }
    return [...chunks, ...(await Promise.all(rest))].flat();
  }

  async #callChunk(calls: readonly UpstreamCall[], options: ExchangeOptions): Promise<readonly UpstreamResult[]> {
    const [only] = calls;
    if (only !== undefined && calls.length === 1) return [await this.#callOne(only, options)];
    const firstId = this.#takeIds(calls.length);
    const message = calls.map((call, position) => envelope(call, firstId + position));
    let json: unknown;
    try {
      json = await this.#exchange({ message, calls }, options);
    } catch (reason) {
      return await this.#recover(failureOf(reason, options), calls, options);
    }
    const response = readBatchResponse(json, firstId, calls.length);
    if (response.kind === "refused") return await this.#callSmaller(calls, response.limit, options);
    if (response.kind === "one") return await this.#tryOne(calls, response.result, options);
    const { results } = response;
    this.#batchLimit.accept(calls.length);
    if (results.every(({ ok }) => ok)) return results;
    if (results.some(isLeftOutForLength)) return await this.#callLeftOut(calls, results, options);
    return results.map((result, position) => certainResult(result, calls[position]));
  }

  /** Recovers from an HTTP status, which may be the refusal of a batch. */
  async #recover(
    failure: UpstreamFailure,
    calls: readonly UpstreamCall[],
    options: ExchangeOptions,
  ): Promise<readonly UpstreamResult[]> {
    if (failure instanceof TooLongFailure && isReadAlone(calls)) return await this.#callHalves(calls, options);
    const status = failure instanceof StatusFailure ? failure.status : undefined;
    if (status === 413) return await this.#callSmaller(calls, undefined, options);
    // A server that counts members expects fewer at a time. The next attempt sends fewer.
    if (status === 429) this.#batchLimit.refuse(calls.length, undefined);
    else if (status !== undefined && maybeRefusals.has(status))
      return await this.#tryOne(calls, { ok: false, error: failure }, options);
    return calls.map((call) => ({ ok: false, error: reportUncertainty(failure, call) }));
  }

  /**
   * Sends the calls in two halves, because the results may together exceed the limit of one response. One half follows the other, because
   * each is large.
   */
  async #callHalves(calls: readonly UpstreamCall[], options: ExchangeOptions): Promise<readonly UpstreamResult[]> {
    const half = Math.ceil(calls.length / 2);
    const first = await this.#callChunk(calls.slice(0, half), options);
    return [...first, ...(await this.#callChunk(calls.slice(half), options))];
  }

  /** Sends smaller batches after the node has refused this length: fewer calls are the limit from now on, down to single ones. */
  async #callSmaller(
    calls: readonly UpstreamCall[],
    limit: number | undefined,
    options: ExchangeOptions,
  ): Promise<readonly UpstreamResult[]> {
    this.#batchLimit.refuse(calls.length, limit);
    return await this.#callChunks(calls, false, options);
  }

  /**
   * Sends the first call alone after one response to all calls. That response is about the batch when the single call has another result.
   */
  async #tryOne(
    calls: readonly UpstreamCall[],
    given: UpstreamResult,
    options: ExchangeOptions,
  ): Promise<readonly UpstreamResult[]> {
    const [first, ...others] = calls;
    const forAll = calls.map((call) => certainResult(given, call));
    // Calls that may have been executed are not sent again.
    if (first === undefined || !isReadAlone(calls)) return forAll;
    const result = await this.#callOne(first, options);
    if (isSameFailure(result, given)) return forAll;
    this.#batchLimit.refuse(calls.length, undefined);
    return [result, ...(await this.#callChunks(others, false, options))];
  }

  /** Sends smaller batches for the calls that the node left out of its response because that was long. */
  async #callLeftOut(
    calls: readonly UpstreamCall[],
    results: readonly UpstreamResult[],
    options: ExchangeOptions,
  ): Promise<readonly UpstreamResult[]> {
    const leftOut = [...calls.keys()].filter((position) => isLeftOutForLength(results[position]));
    const answered = calls.length - leftOut.length;
    const half = Math.ceil(leftOut.length / 2);
    const length = answered === 0 ? half : Math.min(answered, half);
    const all = results.map((result, position) => certainResult(result, calls[position]));
    for (let start = 0; start < leftOut.length; start += length) {
      const positions = leftOut.slice(start, start + length);
      const chunk = positions.flatMap((position) => calls[position] ?? []);
      const responses = await this.#callChunk(chunk, options);
      for (const [index, position] of positions.entries())
        if (responses[index] !== undefined) all[position] = responses[index];
    }
    return all;
  }

  async #callOne(call: UpstreamCall, options: ExchangeOptions, createReader?: ReaderMaker): Promise<UpstreamResult> {
    const id = this.#takeIds(1);
    try {
      const response = await this.#exchange({ message: envelope(call, id), calls: [call], createReader }, options);
      return certainResult(readResponse(response, id), call);
    } catch (reason) {
      return { ok: false, error: reportUncertainty(failureOf(reason, options), call) };
    }
  }

  #takeIds(count: number): number {
    const firstId = this.#lastId + 1;
    this.#lastId += count;
    return firstId;
  }

  async #exchange(exchange: Exchange, options: ExchangeOptions): Promise<unknown> {
    const { deadline, timeoutMilliseconds = this.#timeoutMilliseconds, signal } = options;
    const remaining = deadline === undefined ? timeoutMilliseconds : Math.max(1, deadline - performance.now());
    const scope = new CallScope(remaining, signal);
    if (this.#isClosed) scope.end(closed);
    this.#scopes.add(scope);
    try {
      scope.throwIfOver();
      const body = Buffer.from(JSON.stringify(exchange.message));
      let response = await this.#post(body, exchange, scope, options);
      if (response.status === 401 && this.#credentials.forget())
        response = await this.#post(body, exchange, scope, options);
      return this.#readHttpResponse(response);
    } finally {
      this.#scopes.delete(scope);
      scope.close();
    }
  }

  async #post(body: Buffer, exchange: Exchange, scope: CallScope, options: ExchangeOptions): Promise<HttpResponse> {
    const lease = responseBudget.acquire((reason) => scope.end(reason), options.hold);
    try {
      return await this.#postInTurn(body, { ...exchange, lease, onHeldUp: options.onHeldUp }, scope, options);
    } finally {
      lease.release();
    }
  }

  async #postInTurn(
    body: Buffer,
    exchange: LeasedExchange,
    scope: CallScope,
    { isUrgent = false, onSend }: ExchangeOptions,
  ): Promise<HttpResponse> {
    let wasRefused = false;
    const { hasTurn } = exchange.lease;
    if (!this.#bound.tryEnter(hasTurn())) await this.#bound.enter({ scope, isUrgent, hasTurn });
    onSend?.();
    try {
      const response = await this.#postAgain(body, exchange, scope);
      wasRefused = isBusy(response);
      return response;
    } finally {
      this.#bound.leave(wasRefused);
    }
  }

  /** Sends a request again that only reads: a node may end a connection just when a request is written on it. */
  async #postAgain(body: Buffer, exchange: LeasedExchange, scope: CallScope): Promise<HttpResponse> {
    try {
      return await this.#postOnce(body, exchange, scope);
    } catch (reason) {
      if (!isBrokenBeforeResponse(reason) || !isReadAlone(exchange.calls)) throw reason;
      return await this.#postOnce(body, exchange, scope);
    }
  }

  async #postOnce(
    body: Buffer,
    { calls, createReader = this.#createReader, lease, onHeldUp }: LeasedExchange,
    scope: CallScope,
  ): Promise<HttpResponse> {
    const limits = limitsOfResponse(calls, body.length, this.#maximumResponseBytes);
    const authorization = await this.#credentials.authorization();
    scope.throwIfOver();
    this.#bytesSent += body.length;
    this.#methodCalls += calls.length;
    const response = await post(this.#chooseDispatcher(), {
      path: this.#path,
      headers:
        authorization === undefined
          ? contentHeaders
          : { "content-type": contentHeaders["content-type"], authorization },
      body,
      scope,
      limits,
      createReader: (status) => createReader(status, limits, lease),
      onBytes: this.#countReceived,
      lease,
      onHeldUp,
    });
    this.#noteConnection(response);
    return response;
  }

  readonly #createReader: ReaderMaker = (_status, limits, lease) => createJsonReader(this.#readJson, limits, lease);

  #chooseDispatcher(): PostDispatcher {
    if (this.#singleUse === undefined || this.#singleUseUntil === 0) return this.#pool;
    if (performance.now() < this.#singleUseUntil) return this.#singleUse;
    // One response over the pool decides anew.
    this.#singleUseUntil = 0;
    this.#endedConnections = endedConnections - 1;
    return this.#pool;
  }

  /**
   * Records whether the response ended its connection. Responses to single-use requests are ignored: those
   * requests end their connection.
   */
  #noteConnection({ endsConnection }: HttpResponse): void {
    if (this.#singleUseUntil !== 0) return;
    this.#endedConnections = endsConnection ? this.#endedConnections + 1 : 0;
    if (this.#endedConnections >= endedConnections) this.#singleUseUntil = performance.now() + singleUseMilliseconds;
  }

  readonly #countReceived = (count: number): void => {
    this.#bytesReceived += count;
  };

  /** Reads a response. Bitcoin Core sends errors of methods with status 500 and 404, so a JSON-RPC body counts whatever the status. */
  #readHttpResponse(http: HttpResponse): unknown {
    const { status, body } = http;
    if (status === 401 || status === 403) {
      throw new UpstreamFailure("The node refused the service's credentials", {
        kind: "denied",
        mayHaveArrived: false,
      });
    }
    if (body.kind === "text") throw unusableHttpResponse(http);
    const response = body.value;
    // A rate-limited client gets one error, unless the batch is too large.
    if (status === 429 && !Array.isArray(response) && !mentionsBatch(response)) throw unusableHttpResponse(http);
    if (status === 200 || Array.isArray(response) || isErrorResponse(response)) return response;
    throw unusableHttpResponse(http);
  }
}

/** Statuses with which servers refuse what they do not understand, or fail on it. */
const maybeRefusals: ReadonlySet<number> = new Set([400, 404, 405, 415, 422, 500, 501]);

/** Failure of a response that is not JSON-RPC, with its HTTP status. */
class StatusFailure extends UpstreamFailure {
  readonly status: number;

  constructor(message: string, facts: FailureFacts, status: number) {
    super(message, facts);
    this.status = status;
  }
}

/**
 * Failure of a response that exceeds the length or the number of values of one response, as those of correct nodes do where the results of
 * the calls are long.
 */
class TooLongFailure extends UpstreamFailure {}

function isReadAlone(calls: readonly UpstreamCall[]): boolean {
  return calls.every(({ method }) => methodKindOf(method) === "read");
}

function isSameFailure(one: UpstreamResult, other: UpstreamResult): boolean {
  if (one.ok || other.ok) return false;
  if (!isUpstreamRpcError(one.error)) return true;
  return isUpstreamRpcError(other.error) && one.error.code === other.error.code;
}

const contentHeaders = { "content-type": "application/json" } as const;

/** Reason that ends the calls of a closed upstream. */
const closed = new Error("Closed");

/** Returns whether Bitcoin Core or btcd refuse further requests. A gateway does so with a status or a header of its own. */
function isBusy({ status, body, retryAfterMilliseconds }: HttpResponse): boolean {
  if (status === 429) return true;
  if (status !== 503) return false;
  if (retryAfterMilliseconds !== undefined) return true;
  return body.kind === "text" && /work queue depth exceeded|too busy/i.test(body.text);
}

function unusableHttpResponse(response: HttpResponse): UpstreamFailure {
  const { status, retryAfterMilliseconds } = response;
  if (isBusy(response)) {
    const facts: FailureFacts = { kind: "busy", mayHaveArrived: false, retryAfterMilliseconds };
    return new StatusFailure("The node is too busy", facts, status);
  }
  const what = status === 200 ? "is not JSON" : `has HTTP status ${status}`;
  return new StatusFailure(`The node's response ${what}`, { kind: "unusable", mayHaveArrived: true }, status);
}

function envelope(call: UpstreamCall, id: number): unknown {
  return { jsonrpc: "2.0", id, method: call.method, params: call.params };
}

function isErrorResponse(response: unknown): boolean {
  return isObject(response) && isObject(response["error"]) && typeof response["error"]["code"] === "number";
}

function mentionsBatch(response: unknown): boolean {
  if (!isObject(response) || !isObject(response["error"])) return false;
  const { message } = response["error"];
  return typeof message === "string" && /\bbatch/i.test(message);
}

function isBrokenBeforeResponse(reason: unknown): boolean {
  return reason instanceof PostFailure && !reason.hasBegun && isBrokenConnection(reason.cause);
}

/** Returns the failure of a call. An abort by the caller is rethrown. Everything else becomes the result of the affected calls. */
function failureOf(reason: unknown, options: UpstreamCallOptions): UpstreamFailure {
  if (options.signal?.aborted === true) throw options.signal.reason;
  if (isUpstreamFailure(reason)) return reason;
  if (!(reason instanceof PostFailure)) return describeFailure(reason, false);
  return describeFailure(reason.cause, reason.wasSent);
}

function describeFailure(reason: unknown, mayHaveArrived: boolean): UpstreamFailure {
  const cause = describeCause(reason);
  const fail = (message: string, kind: FailureFacts["kind"]): UpstreamFailure =>
    new UpstreamFailure(message, { kind, mayHaveArrived, cause });
  if (reason instanceof DeadlinePassed) return fail("The node did not respond in time", "timeout");
  if (reason instanceof ResponseTooLong || reason instanceof ExcessiveStructure) {
    if (reason.isPassedByCorrectNodes) {
      const facts: FailureFacts = { kind: "limit", mayHaveArrived, cause };
      return new TooLongFailure("The node's response is larger than the service accepts", facts);
    }
    return reason instanceof ResponseTooLong
      ? fail("The node's response is longer than a result of the method can be", "unusable")
      : fail("The node's response has too many, too deep or too long values", "unusable");
  }
  if (reason instanceof TooManyResponses) return fail(reason.message, "limit");
  if (reason === closed) return fail("The connection to the node is closed", "limit");
  if (reason instanceof RangeError) {
    return mayHaveArrived
      ? fail("The node's response is larger than the service accepts", "limit")
      : fail("Too many calls are waiting for the node", "limit");
  }
  if (/^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/.test(errorCode(reason)))
    return fail("The node could not be reached in time", "timeout");
  return fail("The node could not be reached", mayHaveArrived ? "broken" : "unreachable");
}

/** Returns the result of a call. An unreadable response leaves open what became of the call. */
function certainResult(result: UpstreamResult, call: UpstreamCall | undefined): UpstreamResult {
  if (result.ok || call === undefined || !isUpstreamFailure(result.error)) return result;
  return { ok: false, error: reportUncertainty(result.error, call) };
}

/** Adds to the failure of a call that does more than read whether it may have been executed, and how to find out. */
function reportUncertainty(failure: UpstreamFailure, { method }: UpstreamCall): UpstreamFailure {
  if (!failure.mayHaveArrived || methodKindOf(method) === "read") return failure;
  return new UpstreamFailure(`${failure.message}; ${describeUncertainty(method)}`, failure, {
    reason: "may-have-arrived",
  });
}

/** Returns an error with name and code alone: messages of sockets and parsers hold addresses and bytes. */
function describeCause(reason: unknown): Error {
  if (!(reason instanceof Error)) return new Error("Unknown failure");
  return new Error(`${reason.name} ${errorCode(reason)}`.trimEnd());
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new TypeError("The node's address must be an http or https URL");
  }
  return url;
}

function credentialsOf(url: URL): UpstreamCredentials {
  if (url.username === "" && url.password === "") return { kind: "none" };
  return { kind: "password", user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
}

function positiveInteger(name: keyof typeof defaults, value: number | undefined): number {
  const number = value ?? defaults[name];
  if (!Number.isInteger(number) || number < 1) throw new TypeError(`${name} must be a positive integer`);
  return number;
}
