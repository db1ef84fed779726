import { isServiceError, ServiceError } from "@nodewright/runtime";
import { Pool } from "undici";
import { type CredentialsReader, createCredentialsReader, type UpstreamCredentials } from "./credentials.ts";
import { isObject, readAnswer, readBatchAnswer, refusesBatch, unusableAnswer } from "./rpc-answer.ts";
import { type ListedString, ListScanner } from "./list-scanner.ts";
import type { ListingUpstream, UpstreamCall, UpstreamCallOptions, UpstreamResult, UpstreamTotals } from "./upstream.ts";

export interface HttpUpstreamOptions {
  /** `http:` or `https:`. A user and password in it are taken as credentials. */
  readonly url: string;
  readonly credentials?: UpstreamCredentials | undefined;
  /** PEM certificates to trust in place of the public ones; btcd signs its own. */
  readonly certificateAuthorities?: string | undefined;
  /** Most calls in one request; 1 sends each call in a request of its own. */
  readonly batchLimit?: number | undefined;
  /** From the call to the last byte of its answer, waiting for a connection included. */
  readonly timeoutMilliseconds?: number | undefined;
  /** Most connections at once; further requests wait. */
  readonly connections?: number | undefined;
  /** A longer answer is dropped and the call fails. */
  readonly maximumAnswerBytes?: number | undefined;
  /** Reads the text of an answer; for example one that keeps decimals exact. */
  readonly readJson?: ((text: string) => unknown) | undefined;
  /** True for methods that may be sent again when a connection breaks before the answer begins. */
  readonly isRepeatable?: ((method: string) => boolean) | undefined;
}

const defaults = {
  batchLimit: 100,
  timeoutMilliseconds: 30_000,
  connections: 16,
  maximumAnswerBytes: 256 * 1024 * 1024,
};

/** Methods that only read: repeating them cannot send a transaction twice. */
const readMethods =
  /^(?:eth_(?:get|call$|estimate|block|chain|gas|max|fee|sync|proto)|debug_|net_|web3_|txpool_|get(?!blocktemplate|work)|decode|validate|verify|estimate|help$|ping$|uptime$)/;

/** What came back over HTTP, before anybody looked at it as JSON-RPC. */
interface HttpAnswer {
  readonly status: number;
  readonly text: string;
}

/** Makes the text of an answer from its body. */
type BodyReader = (status: number, body: AsyncIterable<unknown>) => Promise<string>;

/** The connection broke before the answer began. */
class BrokenConnection extends Error {}

/**
 * Creates an upstream that speaks JSON-RPC over HTTP/1.1 on kept-alive connections.
 *
 * Neither the URL nor the credentials occur in any error or dump of the object.
 * Throws a `TypeError` when the URL is none, or the limits are not positive integers.
 */
export function createHttpUpstream(options: HttpUpstreamOptions): ListingUpstream {
  return new HttpUpstream(options);
}

class HttpUpstream implements ListingUpstream {
  readonly #pool: Pool;
  readonly #path: string;
  readonly #credentials: CredentialsReader;
  readonly #timeoutMilliseconds: number;
  readonly #maximumAnswerBytes: number;
  readonly #readJson: (text: string) => unknown;
  readonly #isRepeatable: (method: string) => boolean;
  readonly #closing = new AbortController();
  #batchLimit: number;
  #lastId = 0;
  #bytesSent = 0;
  #bytesReceived = 0;
  #methodCalls = 0;

  constructor(options: HttpUpstreamOptions) {
    const url = parseUrl(options.url);
    this.#batchLimit = positiveInteger("batchLimit", options.batchLimit);
    this.#timeoutMilliseconds = positiveInteger("timeoutMilliseconds", options.timeoutMilliseconds);
    this.#maximumAnswerBytes = positiveInteger("maximumAnswerBytes", options.maximumAnswerBytes);
    this.#readJson = options.readJson ?? JSON.parse;
    this.#isRepeatable = options.isRepeatable ?? ((method) => readMethods.test(method));
    this.#credentials = createCredentialsReader(options.credentials ?? credentialsOf(url));
    this.#path = url.pathname + url.search;
    this.#pool = new Pool(url.origin, {
      connections: positiveInteger("connections", options.connections),
      // One deadline covers a call from end to end; undici's own are coarser.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        timeout: this.#timeoutMilliseconds,
        ...(options.certificateAuthorities === undefined ? {} : { ca: options.certificateAuthorities }),
      },
    });
  }

  async call(method: string, params: UpstreamCall["params"] = [], options: UpstreamCallOptions = {}): Promise<unknown> {
    const result = await this.#callOne({ method, params }, options);
    if (result.ok) return result.result;
    throw result.error;
  }

  async batch(calls: readonly UpstreamCall[], options: UpstreamCallOptions = {}): Promise<readonly UpstreamResult[]> {
    const chunks: Promise<readonly UpstreamResult[]>[] = [];
    for (let start = 0; start < calls.length; start += this.#batchLimit) {
      chunks.push(this.#callChunk(calls.slice(start, start + this.#batchLimit), options));
    }
    return (await Promise.all(chunks)).flat();
  }

  async list(
    method: string,
    params: UpstreamCall["params"],
    take: ListedString,
    options: UpstreamCallOptions = {},
  ): Promise<void> {
    // An answer with another status is no list.
    const read: BodyReader = (status, body) => (status === 200 ? this.#readAround(body, take) : this.#readText(body));
    const result = await this.#callOne({ method, params }, options, read);
    if (!result.ok) throw result.error;
    if (!Array.isArray(result.result)) throw unusableAnswer("is not a list");
  }

  totals(): UpstreamTotals {
    return { bytesSent: this.#bytesSent, bytesReceived: this.#bytesReceived, methodCalls: this.#methodCalls };
  }

  async close(): Promise<void> {
    this.#closing.abort(closedError());
    await this.#pool.destroy();
  }

  async #callChunk(calls: readonly UpstreamCall[], options: UpstreamCallOptions): Promise<readonly UpstreamResult[]> {
    const [only] = calls;
    if (only !== undefined && calls.length === 1) return [await this.#callOne(only, options)];
    const firstId = this.#takeIds(calls.length);
    let answer: unknown;
    try {
      answer = await this.#exchange(
        calls.map((call, position) => envelope(call, firstId + position)),
        calls,
        options,
      );
    } catch (reason) {
      const error = failureOf(reason, options);
      return calls.map(() => ({ ok: false, error }));
    }
    if (refusesBatch(answer)) return await this.#callHalves(calls, options);
    return readBatchAnswer(answer, firstId, calls.length);
  }

  /** The node takes no batch of this length: half of it is the limit from now on, down to single calls. */
  async #callHalves(calls: readonly UpstreamCall[], options: UpstreamCallOptions): Promise<readonly UpstreamResult[]> {
    this.#batchLimit = Math.min(this.#batchLimit, Math.ceil(calls.length / 2));
    return await this.batch(calls, options);
  }

  async #callOne(
    call: UpstreamCall,
    options: UpstreamCallOptions,
    read: BodyReader = this.#readWhole,
  ): Promise<UpstreamResult> {
    const id = this.#takeIds(1);
    try {
      return readAnswer(await this.#exchange(envelope(call, id), [call], options, read), id);
    } catch (reason) {
      return { ok: false, error: failureOf(reason, options) };
    }
  }

  #takeIds(count: number): number {
    const firstId = this.#lastId + 1;
    this.#lastId += count;
    return firstId;
  }

  async #exchange(
    message: unknown,
    calls: readonly UpstreamCall[],
    options: UpstreamCallOptions,
    read: BodyReader = this.#readWhole,
  ): Promise<unknown> {
    const deadline = AbortSignal.timeout(options.timeoutMilliseconds ?? this.#timeoutMilliseconds);
    const signals = [deadline, this.#closing.signal, ...(options.signal === undefined ? [] : [options.signal])];
    const signal = AbortSignal.any(signals);
    signal.throwIfAborted();
    const body = Buffer.from(JSON.stringify(message));
    let answer = await this.#post(body, calls, signal, read);
    if (answer.status === 401 && this.#credentials.forget()) answer = await this.#post(body, calls, signal, read);
    return this.#readHttpAnswer(answer);
  }

  async #post(
    body: Buffer,
    calls: readonly UpstreamCall[],
    signal: AbortSignal,
    read: BodyReader,
  ): Promise<HttpAnswer> {
    try {
      return await this.#postOnce(body, calls.length, signal, read);
    } catch (reason) {
      const repeat = reason instanceof BrokenConnection && calls.every((call) => this.#isRepeatable(call.method));
      if (!repeat) throw reason;
      return await this.#postOnce(body, calls.length, signal, read);
    }
  }

  async #postOnce(body: Buffer, methodCalls: number, signal: AbortSignal, read: BodyReader): Promise<HttpAnswer> {
    const authorization = await this.#credentials.authorization();
    this.#bytesSent += body.length;
    this.#methodCalls += methodCalls;
    const answer = await this.#pool
      .request({
        method: "POST",
        path: this.#path,
        headers: {
          "content-type": "application/json",
          ...(authorization === undefined ? {} : { authorization }),
        },
        body,
        signal,
      })
      .catch((reason: unknown) => {
        throw isBrokenConnection(reason) ? new BrokenConnection("Broken connection", { cause: reason }) : reason;
      });
    return { status: answer.statusCode, text: await read(answer.statusCode, answer.body) };
  }

  readonly #readWhole: BodyReader = (_status, body) => this.#readText(body);

  async #readText(body: AsyncIterable<unknown>): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.#chunksOf(body)) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  }

  /** Gives the strings of the list in it to `take`; the text is what stands around them. */
  async #readAround(body: AsyncIterable<unknown>, take: ListedString): Promise<string> {
    const scanner = new ListScanner(take);
    for await (const chunk of this.#chunksOf(body)) {
      try {
        scanner.push(chunk);
      } catch (reason) {
        throw reason instanceof RangeError ? tooLarge() : reason;
      }
    }
    return scanner.rest();
  }

  async *#chunksOf(body: AsyncIterable<unknown>): AsyncGenerator<Buffer, void, undefined> {
    let length = 0;
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) throw new Error("Expected bytes");
      length += chunk.length;
      this.#bytesReceived += chunk.length;
      // Leaving the loop destroys the body and with it the connection.
      if (length > this.#maximumAnswerBytes) throw tooLarge();
      yield chunk;
    }
  }

  /** Bitcoin Core answers errors of methods with status 500 and 404, so a body that is JSON-RPC counts whatever the status. */
  #readHttpAnswer({ status, text }: HttpAnswer): unknown {
    if (status === 401 || status === 403) {
      throw new ServiceError("upstream_unavailable", "The node refused the service's credentials");
    }
    let answer: unknown;
    try {
      answer = this.#readJson(text);
    } catch {
      throw unusableAnswer(status === 200 ? "is not JSON" : `has HTTP status ${status}`);
    }
    if (status === 200 || Array.isArray(answer) || isErrorAnswer(answer)) return answer;
    throw unusableAnswer(`has HTTP status ${status}`);
  }
}

function tooLarge(): ServiceError {
  return unusableAnswer("is larger than the service accepts");
}

function envelope(call: UpstreamCall, id: number): unknown {
  return { jsonrpc: "2.0", id, method: call.method, params: call.params };
}

function isErrorAnswer(answer: unknown): boolean {
  return isObject(answer) && isObject(answer["error"]) && typeof answer["error"]["code"] === "number";
}

/** An abort by the caller is thrown on; everything else becomes the result of the calls it struck. */
function failureOf(reason: unknown, options: UpstreamCallOptions): ServiceError {
  if (options.signal?.aborted === true) throw options.signal.reason;
  if (isServiceError(reason)) return reason;
  const cause = describeFailure(reason);
  if (reason instanceof Error && reason.name === "TimeoutError") {
    return new ServiceError("upstream_timeout", "The node did not answer in time", { cause });
  }
  if (reason instanceof Error && /^(?:UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/.test(errorCode(reason))) {
    return new ServiceError("upstream_timeout", "The node could not be reached in time", { cause });
  }
  if (reason instanceof Error && /^UND_ERR_(?:DESTROYED|CLOSED)$/.test(errorCode(reason))) return closedError();
  return new ServiceError("upstream_unavailable", "The node could not be reached", { cause });
}

function closedError(): ServiceError {
  return new ServiceError("upstream_unavailable", "The connection to the node is closed");
}

/** Name and code alone: texts of sockets and parsers hold addresses and bytes. */
function describeFailure(reason: unknown): Error {
  const origin = reason instanceof BrokenConnection ? reason.cause : reason;
  if (!(origin instanceof Error)) return new Error("Unknown failure");
  return new Error(`${origin.name} ${errorCode(origin)}`.trimEnd());
}

function isBrokenConnection(reason: unknown): boolean {
  return reason instanceof Error && /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(errorCode(reason));
}

function errorCode(reason: Error): string {
  return "code" in reason && typeof reason.code === "string" ? reason.code : "";
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
