import { type Duplex, pipeline, Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";
import { Agent } from "undici";
import { type Trouble, trouble, troubleOf } from "./trouble.ts";

/** A request as sent, with its key. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

interface WireLimits {
  /** Timeout until the response is complete. */
  readonly timeoutMilliseconds: number;
  /** Maximum size of the decoded body. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether the request may be sent twice; otherwise it writes, and gets a connection of its own. */
  readonly isRepeatable: boolean;
  /** Called before a request is repeated because its kept-alive connection was lost: it counts as a request like any other. */
  mayRepeat?(): Promise<boolean>;
}

/** A response with its content codings decoded. */
export interface WireResponse {
  readonly status: number;
  /** Headers by lower-case name; several with one name are joined with `, `. */
  readonly headers: ReadonlyMap<string, string>;
  readonly bytes: Uint8Array;
  /** Whether the body exceeds what was read. */
  readonly isCut: boolean;
  /** Whether it is a possibly endless sequence, of which only a part was read. */
  readonly isSequence: boolean;
}

/** Sends requests. Redirects are not followed. */
export interface Transport {
  /** Sends a request. Never throws. */
  exchange(request: WireRequest, limits: WireLimits): Promise<WireResponse | Trouble>;
  /** Closes kept-alive connections. */
  close(): Promise<void>;
}

/** A response whose body is not read yet. `encoding`: content codings to decode (RFC 9110, section 8.4), in the header's syntax. */
type OpenedResponse = Pick<WireResponse, "status" | "headers"> & { readonly body: Readable; readonly encoding: string };

const keepAliveMilliseconds = 4_000;
const connectMilliseconds = 10_000;

/** Limits of time and bytes for reading a sequence, which may be endless. */
const sequenceMilliseconds = 1_000;
const sequenceBytes = 65_536;

/** Media types of bodies that are sequences of items. */
const sequenceTypes =
  /^(?:text\/event-stream|multipart\/mixed|application\/(?:x-ndjson|ndjson|jsonl|json-seq|x-jsonlines))/i;

const decoders: ReadonlyMap<string, () => Duplex> = new Map<string, () => Duplex>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
  ["zstd", createZstdDecompress],
]);

/**
 * Creates a transport with kept-alive connections. That the server has closed one meanwhile is not a fault: the request is repeated over a
 * new one.
 */
export function createUndiciTransport(): Transport {
  const shared = { connect: { timeout: connectMilliseconds }, allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  const kept = new Agent({ ...shared, pipelining: 1, keepAliveTimeout: keepAliveMilliseconds });
  const fresh = new Agent({ ...shared, pipelining: 0 });
  return {
    exchange: async (request, limits) => {
      const signal = signalOf(limits);
      const exchange = (agent: Agent): ReturnType<Transport["exchange"]> =>
        receive(open(agent, request, signal), limits);
      if (!limits.isRepeatable) return exchange(fresh);
      const received = await exchange(kept);
      const isLost = "kind" in received && received.kind === "reset";
      return isLost && (await limits.mayRepeat?.()) !== false ? exchange(fresh) : received;
    },
    close: async () => void (await Promise.all([kept.destroy(), fresh.destroy()])),
  };
}

/** Creates a transport from a given `fetch`, for servers in the same process. `fetch` decodes content codings itself. */
export function createFetchTransport(send: typeof fetch): Transport {
  const fetched = async (request: WireRequest, signal: AbortSignal): Promise<OpenedResponse> => {
    const { url, body = null, ...init } = request;
    const { status, headers, body: stream } = await send(url, { ...init, body, redirect: "manual", signal });
    const read = stream === null ? Readable.from([]) : Readable.fromWeb(stream as ReadableStream);
    return { status, headers: new Map(headers), body: read, encoding: "" };
  };
  return {
    exchange: (request, limits) => receive(fetched(request, signalOf(limits)), limits),
    close: async () => undefined,
  };
}

async function open(agent: Agent, request: WireRequest, signal: AbortSignal): Promise<OpenedResponse> {
  const { method, url, headers: sent, body: content = null } = request;
  const response = await agent.request({ ...splitUrl(url), method, headers: sent, body: content, signal });
  const { statusCode: status, body } = response;
  const headers = joinHeaders(response.headers);
  if (method !== "HEAD") return { status, headers, body, encoding: headers.get("content-encoding") ?? "" };
  // Destroying it would emit an error without a listener.
  await body.dump();
  return { status, headers, body: Readable.from([]), encoding: "" };
}

/** Returns the signal that aborts a request, by its timeout or by the run. */
function signalOf({ timeoutMilliseconds, signal }: WireLimits): AbortSignal {
  const late = AbortSignal.timeout(timeoutMilliseconds);
  return signal === undefined ? late : AbortSignal.any([late, signal]);
}

/** Splits a URL with its path unchanged: `URL` would resolve `..` and `%2e`. */
function splitUrl(url: string): { readonly origin: string; readonly path: string } {
  const [, origin = url, path = ""] = /^([^/]*\/\/[^/?]*)(.*)$/s.exec(url) ?? [];
  return { origin, path: path.startsWith("/") ? path : `/${path}` };
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): ReadonlyMap<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return new Map(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat().join(", ")]])));
}

/** Receives a response within the limits; returns errors of opening and reading as trouble. */
async function receive(
  opened: Promise<OpenedResponse>,
  { maxBytes, timeoutMilliseconds }: WireLimits,
): Promise<WireResponse | Trouble> {
  const received = await opened.then((response) => readBody(response, maxBytes)).catch(troubleOf);
  return "kind" in received && received.kind === "timeout"
    ? trouble("timeout", `no complete response in ${timeoutMilliseconds / 1_000} s`)
    : received;
}

/** Reads a body up to the limit of bytes, and a sequence up to its limits. */
async function readBody(
  { status, headers, body, encoding }: OpenedResponse,
  maxBytes: number,
): Promise<WireResponse | Trouble> {
  const isSequence = sequenceTypes.test(headers.get("content-type") ?? "");
  const limit = isSequence ? Math.min(maxBytes, sequenceBytes) : maxBytes;
  const decoded = decode(body, encoding);
  if (decoded === undefined) return trouble("malformed", "the Content-Encoding of the response is unknown");
  const late = isSequence ? AbortSignal.timeout(sequenceMilliseconds) : undefined;
  late?.addEventListener("abort", () => decoded.destroy());
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of decoded as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > limit) break;
    }
  } catch (reason) {
    if (isBadCoding(reason)) return trouble("malformed", "the response is not in its Content-Encoding");
    if (late?.aborted !== true) return troubleOf(reason);
  } finally {
    decoded.destroy();
    body.destroy();
  }
  const isCut = late?.aborted === true || length > limit;
  return { status, headers, bytes: Buffer.concat(chunks).subarray(0, limit), isCut, isSequence };
}

/**
 * Returns the decoded body; `undefined` for an unknown coding. An empty body needs no decoding, whatever its headers are, like that of
 * HEAD.
 */
function decode(body: Readable, encoding: string): Readable | undefined {
  const codings = encoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim());
  let decoded = body;
  for (const coding of codings.filter((one) => one !== "" && one !== "identity").reverse()) {
    const create = decoders.get(coding);
    if (create === undefined) return undefined;
    // An error of the source destroys its decoder, from which it is read.
    decoded = pipeline(decoded, create(), () => undefined);
  }
  return decoded;
}

function isBadCoding(reason: unknown): boolean {
  const code = reason instanceof Error && "code" in reason ? String(reason.code) : "";
  return /^(?:Z_|ERR_ZLIB|ERR_BROTLI|ERR__ERROR|ERR_PADDING|ZSTD_)/.test(code);
}
