import type { Budget } from "./budget.ts";
import type { RunOptions } from "../contract/options.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { BaseUrl } from "./base-url.ts";
import {
  createKeyPlaces,
  credentialHeaders,
  type CredentialParts,
  keyPlaceholder,
  otherCredentials,
  secretsOf,
  secretsOfHeader,
  writeBasic,
  writeKey,
} from "./credentials.ts";
import type {
  ReceivedResponse,
  PlainRequest,
  RecordedExchange,
  RecordedRequest,
  SendOptions,
} from "../contract/exchange.ts";
import { Interruption } from "./interruption.ts";
import { isBusy, waitOf } from "./busy.ts";
import { createPacer } from "./pacer.ts";
import { recordExchange, recordRequest } from "./record-exchange.ts";
import { createSecretMask, type SecretMask } from "@nodewright/secret-mask";
import type { WireResponse, WireRequest } from "./transport.ts";
import { createFetchTransport, createUndiciTransport } from "./transports.ts";

/** Context of a sent request. */
interface SendContext extends SendOptions {
  /** Operation whose budget is used when `operations` is absent. */
  readonly operation: string;
  /** Whether the request may write, and is never sent twice. */
  readonly writes: boolean;
  /** Called with the exchange, also without a response; not for responses that only ask to retry later. */
  readonly onRecord?: (record: RecordedExchange) => void;
}

/** Sends the requests of a run: at its rate, within its budget, with its key. */
export interface Sender {
  readonly mask: SecretMask;
  /** Whether the run has a key of any kind. */
  readonly hasKey: boolean;
  /** Whether further headers may contain credentials. */
  readonly hasSecretHeaders: boolean;
  /** Sends a request. Throws an `Interruption` when there is no response to check. */
  send(request: PlainRequest, context: SendContext): Promise<ReceivedResponse>;
  /** Operations with the key in a response. */
  readonly keyEchoes: ReadonlySet<string>;
  /** Returns what would be sent, in the form of reports. */
  show(request: PlainRequest, operation: string): RecordedRequest;
  close(): Promise<void>;
}

/** Listener of all responses, for latencies and statuses. */
export type ResponseListener = (context: SendContext, response: ReceivedResponse) => void;

const usualRate = 200;
const usualTimeoutMilliseconds = 10_000;
const usualMaxResponseBytes = 64 * 1024 * 1024;
/** Maximum number of attempts for a request to a busy target. */
const attempts = 6;
/** Maximum wait for a busy target in a run without a time limit. */
const longestWaitMilliseconds = 120_000;

export interface SenderParts {
  readonly suite: ConformanceSuite;
  readonly options: RunOptions;
  readonly baseUrl: BaseUrl;
  readonly budget: Budget;
  readonly onResponse?: ResponseListener;
}

export function createSender({ suite, options, baseUrl, budget, onResponse }: SenderParts): Sender {
  const transport = options.fetch === undefined ? createUndiciTransport() : createFetchTransport(options.fetch);
  const pacer = createPacer(options.rate ?? usualRate, options.signal);
  const mask = createSecretMask(secretsOf(options, baseUrl));
  const placeOf = createKeyPlaces(suite);
  const keyEchoes = new Set<string>();
  const address = createAddress(options, baseUrl, placeOf);
  const limits = {
    timeoutMilliseconds: options.timeoutMilliseconds ?? usualTimeoutMilliseconds,
    maxBytes: options.maxResponseBytes ?? usualMaxResponseBytes,
    signal: options.signal,
  };

  const sendOnce = async (request: PlainRequest, context: SendContext, isLast: boolean): Promise<ReceivedResponse> => {
    const startedAt = new Date();
    const start = performance.now();
    const sent = address(request, context.operation, keyOf(options, context.key), otherHeadersOf(options, context.key));
    const left = budget.deadline - start;
    const response = await transport.exchange(sent, {
      ...limits,
      timeoutMilliseconds: Math.max(1, Math.ceil(Math.min(limits.timeoutMilliseconds, left))),
      isRepeatable: !context.writes,
      mayRepeat: async () =>
        budget.take(context.operations ?? [context.operation]) === undefined && (await pacer.wait(budget.deadline)),
    });
    const milliseconds = performance.now() - start;
    const shown = address(request, context.operation, shownKeyOf(options, context.key), {
      ...otherHeadersOf(options, context.key),
      ...(options.apiKey === undefined && typeof context.key === "object" ? shownOtherHeaders(options) : {}),
    });
    const record = (more: { readonly response?: ReceivedResponse; readonly trouble?: string }): void =>
      context.onRecord?.(recordExchange({ request: shown, startedAt, milliseconds, ...more }, mask));
    if ("kind" in response) {
      const ended = budget.endedBecause();
      if (ended !== undefined && (response.kind === "ended" || response.kind === "timeout")) {
        throw new Interruption({ kind: "ended", text: ended });
      }
      record({ trouble: response.text });
      throw new Interruption({ kind: "no-answer", trouble: response });
    }
    const read = readResponse(response, milliseconds);
    if (holdsKey(mask, read)) keyEchoes.add(context.operation);
    if (isLast || !isBusy(read, suite.protocol)) record({ response: read });
    if (response.isCut && !response.isSequence) throw new Interruption({ kind: "too-large", limit: limits.maxBytes });
    return read;
  };

  const send = async (request: PlainRequest, context: SendContext): Promise<ReceivedResponse> => {
    const operations = context.operations ?? [context.operation];
    for (let attempt = 1; ; attempt += 1) {
      const refusal = budget.take(operations);
      if (refusal !== undefined) throw new Interruption(refusal);
      if (!(await pacer.wait(budget.deadline))) {
        budget.releaseBytes(operations);
        throw new Interruption({
          kind: "ended",
          text: budget.endedBecause() ?? "its time ends before the target may be called again",
        });
      }
      const response = await sendOnce(request, context, attempt === attempts);
      if (!isBusy(response, suite.protocol)) {
        pacer.speedUp();
        onResponse?.(context, response);
        return response;
      }
      const wait = waitOf(response, attempt);
      if (attempt === attempts)
        throw new Interruption({
          kind: "busy",
          text: `the target reported ${attempts} times that it is too busy (${response.status})`,
        });
      if (wait > Math.min(longestWaitMilliseconds, budget.deadline - performance.now())) {
        pacer.slowDown(0);
        throw new Interruption({
          kind: "busy",
          text: `the target asks for a retry after ${Math.ceil(wait / 1_000)} s`,
        });
      }
      pacer.slowDown(wait);
    }
  };

  return {
    mask,
    hasKey:
      options.apiKey !== undefined ||
      options.basic !== undefined ||
      baseUrl.basic !== undefined ||
      baseUrl.secrets.length > 0,
    hasSecretHeaders: Object.entries(options.headers ?? {}).some(
      ([name, value]) => secretsOfHeader(name, value).length > 0,
    ),
    send,
    keyEchoes,
    show: (request, operation) => recordRequest(address(request, operation, shownKeyOf(options, undefined)), mask),
    close: () => transport.close(),
  };
}

function keyOf({ apiKey }: RunOptions, key: SendOptions["key"]): string | undefined {
  if (key === undefined) return apiKey;
  return key === "none" || apiKey === undefined ? undefined : key.value;
}

/** Returns how reports show another key, when it does not resemble the run's. */
function shownKeyOf({ apiKey }: RunOptions, key: SendOptions["key"]): string | undefined {
  if (key === "none" || apiKey === undefined) return undefined;
  if (key === undefined) return keyPlaceholder;
  const start = apiKey.slice(0, 4);
  return start !== "" && key.value.startsWith(start) ? "$WRONG_KEY" : key.value;
}

/**
 * Returns replacements of the headers with credentials, for a run without a key whose request is sent with other credentials or none;
 * `undefined` for an omitted header.
 */
function otherHeadersOf(options: RunOptions, key: SendOptions["key"]): Readonly<Record<string, string | undefined>> {
  if (key === undefined || options.apiKey !== undefined) return {};
  if (key !== "none") return otherCredentials(options, key.value);
  return Object.fromEntries(Object.keys(credentialHeaders(options)).map((name) => [name, undefined]));
}

/** Returns other credentials as reports show them, with the user of the run. */
function shownOtherHeaders(options: RunOptions): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(credentialHeaders(options)).map((name) => [name, "$WRONG_CREDENTIALS"]));
}

type Address = (
  request: PlainRequest,
  operation: string,
  key: string | undefined,
  others?: Readonly<Record<string, string | undefined>>,
) => WireRequest;

function createAddress(options: RunOptions, baseUrl: BaseUrl, placeOf: ReturnType<typeof createKeyPlaces>): Address {
  const basic = options.basic ?? baseUrl.basic;
  const usual: Readonly<Record<string, string>> = {
    "accept-encoding": "gzip",
    "user-agent": "nodewright-conform",
    ...(basic === undefined ? {} : { authorization: `Basic ${writeBasic(basic)}` }),
    ...options.headers,
  };
  return ({ method, path, query, headers, body }, operation, key, others = {}) => {
    const kept = Object.entries({ ...usual, ...others }).filter((entry) => entry[1] !== undefined);
    const parts: CredentialParts =
      key === undefined ? { query: "", headers: {}, cookie: "" } : writeKey(placeOf(operation), key);
    const queries = [baseUrl.query, query, parts.query].filter((one) => one !== "").join("&");
    const cookie = [headers["cookie"] ?? "", parts.cookie].filter((one) => one !== "").join("; ");
    return {
      method,
      url: `${path === "" ? baseUrl.address : baseUrl.address.replace(/\/+$/, "")}${path}${queries === "" ? "" : `?${queries}`}`,
      headers: { ...Object.fromEntries(kept), ...headers, ...parts.headers, ...(cookie === "" ? {} : { cookie }) },
      ...(body === undefined ? {} : { body }),
    };
  };
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

function holdsKey(mask: SecretMask, { headers, text = "" }: ReceivedResponse): boolean {
  return mask.holdsSecret(text) || [...headers.values()].some((value) => mask.holdsSecret(value));
}
