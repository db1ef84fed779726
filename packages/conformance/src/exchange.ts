import { showJson, shorten } from "./json-difference.ts";
import type { RunOptions } from "./options.ts";
import type { RecordedExchange } from "./report.ts";
import type { KeyPlacement } from "./suite.ts";

/** A request before the key is put into it. */
export interface PlainRequest {
  readonly method: string;
  /** Appended to the base URL, percent-encoded: `/tx/00`. */
  readonly path: string;
  /** Percent-encoded, without question mark; empty when there is none. */
  readonly query: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** An answer that was received whole. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** The bytes as UTF-8; `undefined` when they are none. */
  readonly text: string | undefined;
}

/** One request, sent, with what came back or why nothing did. */
export interface Exchange {
  readonly request: PlainRequest;
  readonly answer?: Answer;
  /** In words, without the URL: it may hold the key. */
  readonly trouble?: string;
  /** True when the server said again and again that it is too busy (429). */
  readonly isThrottled: boolean;
  /** True when the key that was sent stands in the answer. */
  readonly echoesKey: boolean;
}

/** Where a key goes when the document does not say. */
const usualKeyPlacement: KeyPlacement = { location: "query", parameter: "apikey" };

/** How often a request is sent that is answered 429. */
const attempts = 4;
const longestPauseMilliseconds = 5_000;
/** Characters of a body that a report keeps. */
const recordedBodyLength = 4_000;
const keyInReports = "$API_KEY";

/** Sends requests to one interface, with or without a key. */
export class Sender {
  readonly #options: RunOptions;
  readonly #placement: KeyPlacement;

  constructor(options: RunOptions, placement: KeyPlacement | undefined) {
    this.#options = options;
    this.#placement = placement ?? usualKeyPlacement;
  }

  /** Sends with the run's key. Never throws. */
  async send(request: PlainRequest): Promise<Exchange> {
    return this.#send(request, this.#options.apiKey);
  }

  /** Sends with another key, or with none. Never throws. */
  async sendWithKey(request: PlainRequest, key: string | undefined): Promise<Exchange> {
    return this.#send(request, key);
  }

  /** What a report says of an exchange: the key is not in it. */
  record({ request, answer }: Exchange): RecordedExchange {
    const { url, headers } = this.#address(request, keyInReports);
    const { body } = request;
    return {
      method: request.method,
      url,
      headers,
      ...(body === undefined ? {} : { body: this.withoutKey(bodyText(body)) }),
      ...(answer === undefined ? {} : { answer: this.#recordAnswer(answer) }),
    };
  }

  /** A server that echoes the key must not get it into a report. */
  withoutKey(text: string): string {
    const key = this.#options.apiKey;
    if (key === undefined || key === "") return text;
    return text.replaceAll(key, keyInReports).replaceAll(encodeURIComponent(key), keyInReports);
  }

  async #send(request: PlainRequest, key: string | undefined): Promise<Exchange> {
    for (let attempt = 1; ; attempt += 1) {
      const exchange = await this.#sendOnce(request, key);
      if (exchange.answer?.status !== 429) return exchange;
      if (attempt === attempts) return { ...exchange, isThrottled: true };
      await pause(pauseBefore(exchange.answer, attempt));
    }
  }

  async #sendOnce(request: PlainRequest, key: string | undefined): Promise<Exchange> {
    const { url, headers } = this.#address(request, key);
    const send = this.#options.fetch ?? fetch;
    try {
      const response = await send(url, {
        method: request.method,
        headers,
        redirect: "manual",
        signal: AbortSignal.timeout(this.#options.timeoutMilliseconds ?? 10_000),
        ...(request.body === undefined ? {} : { body: request.body }),
      });
      const bytes = await readAnswer(response);
      const answer = { status: response.status, headers: response.headers, bytes, text: this.#readText(bytes) };
      return { request, answer, isThrottled: false, echoesKey: holdsKey(response.headers, bytes, key) };
    } catch (reason) {
      return { request, trouble: troubleOf(reason), isThrottled: false, echoesKey: false };
    }
  }

  #address(
    { path, query, headers }: PlainRequest,
    key: string | undefined,
  ): {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
  } {
    const { location, parameter } = this.#placement;
    const hasKey = key !== undefined && this.#options.apiKey !== undefined;
    const keyPair = hasKey && location === "query" ? `${encodeURIComponent(parameter)}=${encodeValue(key)}` : "";
    const encoded = [query, keyPair].filter((part) => part !== "").join("&");
    return {
      url: `${this.#options.baseUrl.replace(/\/$/, "")}${path}${encoded === "" ? "" : `?${encoded}`}`,
      headers: {
        ...headers,
        ...(hasKey && location === "header" ? { [parameter.toLowerCase()]: key } : {}),
        ...(hasKey && location === "cookie" ? { cookie: withCookie(headers["cookie"], `${parameter}=${key}`) } : {}),
      },
    };
  }

  #recordAnswer({ status, headers, bytes, text }: Answer): RecordedExchange["answer"] & {} {
    const shown = text ?? Buffer.from(bytes).toString("hex");
    return {
      status,
      headers: Object.fromEntries([...headers].map(([name, value]) => [name, this.withoutKey(value)])),
      body: this.withoutKey(shorten(shown, recordedBodyLength)),
    };
  }

  /** Already without the key, so that no part of it can be cut out of a longer text. */
  #readText(bytes: Uint8Array): string | undefined {
    const text = textOf(bytes);
    return text === undefined ? undefined : this.withoutKey(text);
  }
}

/** How long, and how many bytes, of an answer are read that goes on and on. */
const streamMilliseconds = 1_000;
const streamBytes = 65_536;

/** The whole answer; of a sequence of items what has come in a while, for it may have no end. */
async function readAnswer(response: Response): Promise<Uint8Array> {
  const isEndless = /^(?:text\/event-stream|application\/(?:x-ndjson|jsonl|json-seq|x-jsonlines))/i.test(
    response.headers.get("content-type") ?? "",
  );
  if (!isEndless || response.body === null) return new Uint8Array(await response.arrayBuffer());
  const reader = response.body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  const timer = setTimeout(stop, streamMilliseconds);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done && length < streamBytes; next = await reader.read()) {
      chunks.push(next.value);
      length += next.value.length;
    }
  } finally {
    clearTimeout(timer);
    stop();
  }
  return Buffer.concat(chunks);
}

/** What of an exchange stands in place of an answer. */
export function troubleText(exchange: Exchange): string {
  return exchange.trouble ?? "no answer came";
}

function withCookie(cookies: string | undefined, cookie: string): string {
  return cookies === undefined ? cookie : `${cookies}; ${cookie}`;
}

/** The `$` of the placeholder stays readable. */
function encodeValue(value: string): string {
  return value === keyInReports ? value : encodeURIComponent(value);
}

/** Whether a key, right or wrong, stands in an answer: as it is or percent-encoded. */
function holdsKey(headers: Headers, bytes: Uint8Array, key: string | undefined): boolean {
  if (key === undefined || key === "") return false;
  const texts = [Buffer.from(bytes).toString("latin1"), ...[...headers].map(([, value]) => value)];
  return texts.some((text) => text.includes(key) || text.includes(encodeURIComponent(key)));
}

function bodyText(body: string | Uint8Array): string {
  return typeof body === "string" ? body : Buffer.from(body).toString("hex");
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function troubleOf(reason: unknown): string {
  if (!(reason instanceof Error)) return `the request failed: ${showJson(reason)}`;
  if (reason.name === "TimeoutError") return "no answer came in time";
  const cause = reason.cause instanceof Error && "code" in reason.cause ? ` (${String(reason.cause.code)})` : "";
  return `the connection failed${cause}`;
}

function pauseBefore(answer: Answer, attempt: number): number {
  const seconds = Number(answer.headers.get("retry-after") ?? Number.NaN);
  const asked = Number.isFinite(seconds) ? seconds * 1_000 : 100 * 2 ** attempt;
  return Math.min(Math.max(asked, 50), longestPauseMilliseconds);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
