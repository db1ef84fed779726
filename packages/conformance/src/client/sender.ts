import { createSecretMask, type SecretMask } from "@nodewright/secret-mask";
import type {
  ReceivedResponse,
  PlainRequest,
  RecordedExchange,
  RecordedRequest,
  SendOptions,
} from "../contract/exchange.ts";
import type { RunOptions } from "../contract/options.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { BaseUrl } from "./base-url.ts";
import type { Budget } from "./budget.ts";
import { isBusy, waitOf } from "./busy.ts";
import {
  createKeyPlaces,
  type Credentials,
  credentialsOf,
  secretsOf,
  secretsOfHeader,
  writeBasic,
  writeKey,
} from "./credentials.ts";
import { Interruption } from "./interruption.ts";
import { createRateLimiter, type RateLimiter } from "./rate-limiter.ts";
import { recordExchange, recordRequest } from "./record-exchange.ts";
import {
  createFetchTransport,
  createUndiciTransport,
  type Transport,
  type WireResponse,
  type WireRequest,
} from "./transport.ts";

/** Context of a sent request. */
interface SendContext extends SendOptions {
  /** Operation whose budget is used when `operations` is absent. */
  readonly operation: string;
  /** Whether the request may write, and is never sent twice. */
  readonly writes: boolean;
  /** Called with the exchange, also without a response; not for responses that only ask to retry later. */
  readonly onRecord?: (record: RecordedExchange) => void;
}

/** Listener of all responses, for latencies and statuses. */
export type ResponseListener = (context: SendContext, response: ReceivedResponse) => void;

const usualRate = 200;
const usualTimeoutMilliseconds = 10_000;
const usualMaxResponseBytes = 64 * 1024 * 1024;
/** Maximum number of attempts for a request to a busy target. */
const attempts = 6;
/** Maximum wait for a busy target in a run without a time limit. */
const maximumWaitMilliseconds = 120_000;

interface SenderParts {
  readonly suite: ConformanceSuite;
  readonly options: RunOptions;
  readonly baseUrl: BaseUrl;
  readonly budget: Budget;
  readonly onResponse?: ResponseListener;
}

/** Sends the requests of a run: at its rate, within its budget, with its key. */
export class Sender {
  readonly mask: SecretMask;
  /** Operations with the key in a response. */
  readonly keyEchoes: Set<string> = new Set();
  readonly #parts: SenderParts;
  readonly #transport: Transport;
  readonly #rateLimiter: RateLimiter;
  readonly #placeOf: ReturnType<typeof createKeyPlaces>;

  constructor(parts: SenderParts) {
    const { suite, options, baseUrl } = parts;
    this.#parts = parts;
    this.mask = createSecretMask(secretsOf(options, baseUrl));
    this.#transport = options.fetch === undefined ? createUndiciTransport() : createFetchTransport(options.fetch);
    this.#rateLimiter = createRateLimiter(options.rate ?? usualRate, options.signal);
    this.#placeOf = createKeyPlaces(suite);
  }

  /** Whether the run has a key of any kind. */
  get hasKey(): boolean {
    const { options, baseUrl } = this.#parts;
    return options.apiKey !== undefined || (options.basic ?? baseUrl.basic) !== undefined || baseUrl.secrets.length > 0;
  }

  /** Whether further headers may contain credentials. */
  get hasSecretHeaders(): boolean {
    const headers = Object.entries(this.#parts.options.headers ?? {});
    return headers.some(([name, value]) => secretsOfHeader(name, value).length > 0);
  }

  /** Sends a request. Throws an `Interruption` when there is no response to check. */
  async send(request: PlainRequest, context: SendContext): Promise<ReceivedResponse> {
    const { suite, budget, onResponse } = this.#parts;
    const operations = context.operations ?? [context.operation];
    for (let attempt = 1; ; attempt += 1) {
      const refusal = budget.take(operations);
      if (refusal !== undefined) throw new Interruption(refusal);
      if (!(await this.#rateLimiter.acquire(budget.deadline))) {
        budget.release(operations);
        const text = budget.endedBecause() ?? "its time ends before the target may be called again";
        throw new Interruption({ kind: "ended", text });
      }
      const response = await this.#sendOnce(request, context, attempt === attempts);
      if (!isBusy(response, suite.protocol)) {
        this.#rateLimiter.speedUp();
        onResponse?.(context, response);
        return response;
      }
      this.#slowDown(response, attempt);
    }
  }

  /** Slows down for a busy target; throws when it is not worth to wait for it. */
  #slowDown(response: ReceivedResponse, attempt: number): void {
    const wait = waitOf(response, attempt);
    if (attempt === attempts) {
      const text = `the target reported ${attempts} times that it is too busy (${response.status})`;
      throw new Interruption({ kind: "busy", text });
    }
    const isTooLong = wait > Math.min(maximumWaitMilliseconds, this.#parts.budget.deadline - performance.now());
    this.#rateLimiter.slowDown(isTooLong ? 0 : wait);
    if (!isTooLong) return;
    throw new Interruption({
      kind: "busy",
      text: `the target asks for a retry after ${Math.ceil(wait / 1_000)} s`,
    });
  }

  async #sendOnce(request: PlainRequest, context: SendContext, isLast: boolean): Promise<ReceivedResponse> {
    const { suite, options, budget } = this.#parts;
    const startedAt = new Date();
    const start = performance.now();
    const { sent, shown } = credentialsOf(options, context.key);
    const response = await this.#exchange(this.#write(request, context.operation, sent), context);
    const milliseconds = performance.now() - start;
    const record = (more: { readonly response?: ReceivedResponse; readonly trouble?: string }): void => {
      const written = this.#write(request, context.operation, shown);
      context.onRecord?.(recordExchange({ request: written, startedAt, milliseconds, ...more }, this.mask));
    };
    if ("kind" in response) {
      const ended = budget.endedBecause();
      if (ended !== undefined && (response.kind === "ended" || response.kind === "timeout"))
        throw new Interruption({ kind: "ended", text: ended });
      record({ trouble: response.text });
      throw new Interruption({ kind: "no-response", trouble: response });
    }
    const read = readResponse(response, milliseconds);
    if ([read.text ?? "", ...read.headers.values()].some((text) => this.mask.holdsSecret(text)))
      this.keyEchoes.add(context.operation);
    if (isLast || !isBusy(read, suite.protocol)) record({ response: read });
    if (response.isCut && !response.isSequence) throw new Interruption({ kind: "too-large", limit: this.#maxBytes });
    return read;
  }

  get #maxBytes(): number {
    return this.#parts.options.maxResponseBytes ?? usualMaxResponseBytes;
  }

  #exchange(request: WireRequest, { operation, operations = [operation], writes }: SendContext) {
    const { options, budget } = this.#parts;
    const { signal, timeoutMilliseconds = usualTimeoutMilliseconds } = options;
    const left = Math.min(timeoutMilliseconds, budget.deadline - performance.now());
    return this.#transport.exchange(request, {
      signal,
      maxBytes: this.#maxBytes,
      timeoutMilliseconds: Math.max(1, Math.ceil(left)),
      isRepeatable: !writes,
      mayRepeat: async () =>
        budget.take(operations) === undefined && (await this.#rateLimiter.acquire(budget.deadline)),
    });
  }

  /** Returns what would be sent, in the form of reports. */
  show(request: PlainRequest, operation: string): RecordedRequest {
    return recordRequest(this.#write(request, operation, credentialsOf(this.#parts.options).shown), this.mask);
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  /** Writes a request with credentials; an `undefined` header is omitted. */
  #write(
    { method, path, query, headers, body }: PlainRequest,
    operation: string,
    credentials: Credentials,
  ): WireRequest {
    const { options, baseUrl } = this.#parts;
    const basic = options.basic ?? baseUrl.basic;
    const usual: Readonly<Record<string, string | undefined>> = {
      "accept-encoding": "gzip",
      "user-agent": "nodewright-conform",
      ...(basic === undefined ? {} : { authorization: `Basic ${writeBasic(basic)}` }),
      ...options.headers,
      ...credentials.headers,
    };
    const kept = Object.entries(usual).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const key = credentials.key === undefined ? {} : writeKey(this.#placeOf(operation), credentials.key);
    const queries = [baseUrl.query, query, key.query].filter(Boolean).join("&");
    const cookie = [headers["cookie"], key.cookie].filter(Boolean).join("; ");
    const address = path === "" ? baseUrl.address : baseUrl.address.replace(/\/+$/, "");
    return {
      method,
      url: `${address}${path}${queries === "" ? "" : `?${queries}`}`,
      headers: { ...Object.fromEntries(kept), ...headers, ...key.headers, ...(cookie === "" ? {} : { cookie }) },
      ...(body === undefined ? {} : { body }),
    };
  }
}

function readResponse({ status, headers, bytes, isCut }: WireResponse, milliseconds: number): ReceivedResponse {
  const isJson = /[/+]json\s*(?:;|$)/i.test(headers.get("content-type") ?? "");
  return { status, headers, bytes, text: textOf(bytes, isJson), isCut, milliseconds };
}

/** Decodes UTF-8. Removes a byte order mark, except for JSON, where it is forbidden (RFC 8259, section 8.1) and makes the body invalid. */
function textOf(bytes: Uint8Array, isJson: boolean): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: isJson }).decode(bytes);
  } catch {
    return undefined;
  }
}
