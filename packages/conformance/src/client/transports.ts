import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Agent } from "undici";
import { type OpenedResponse, receive } from "./read-body.ts";
import type { Transport, WireLimits, WireRequest } from "./transport.ts";

const keepAliveMilliseconds = 4_000;
const connectMilliseconds = 10_000;

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
        receive(() => open(agent, request, signal), limits);
      if (!limits.isRepeatable) return exchange(fresh);
      const first = await exchange(kept);
      const isLost = "kind" in first && first.kind === "reset";
      if (!isLost || (await limits.mayRepeat?.()) === false) return first;
      return exchange(fresh);
    },
    close: async () => {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

/** Creates a transport from a given `fetch`, for servers in the same process. `fetch` decodes content codings itself. */
export function createFetchTransport(send: typeof fetch): Transport {
  return {
    exchange: ({ url, method, headers, body = null }, limits) =>
      receive(async () => {
        const response = await send(url, { method, headers, body, redirect: "manual", signal: signalOf(limits) });
        const stream = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as ReadableStream);
        return { status: response.status, headers: new Map(response.headers), body: stream, encoding: "" };
      }, limits),
    close: async () => undefined,
  };
}

async function open(agent: Agent, request: WireRequest, signal: AbortSignal): Promise<OpenedResponse> {
  const { method, url, headers, body = null } = request;
  const response = await agent.request({ ...splitUrl(url), method, headers, body, signal });
  const head = { status: response.statusCode, headers: joinHeaders(response.headers) };
  if (method !== "HEAD") return { ...head, body: response.body, encoding: head.headers.get("content-encoding") ?? "" };
  // Destroying it would emit an error without a listener.
  await response.body.dump();
  return { ...head, body: Readable.from([]), encoding: "" };
}

/** Returns the signal that aborts a request, by its timeout or by the run. */
function signalOf({ timeoutMilliseconds, signal }: WireLimits): AbortSignal {
  const late = AbortSignal.timeout(timeoutMilliseconds);
  return signal === undefined ? late : AbortSignal.any([late, signal]);
}

/** Splits a URL with its path unchanged: `URL` would resolve `..` and `%2e`. */
function splitUrl(url: string): { readonly origin: string; readonly path: string } {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  const query = url.indexOf("?");
  if (start === -1 || (query !== -1 && query < start)) {
    return query === -1 ? { origin: url, path: "/" } : { origin: url.slice(0, query), path: `/${url.slice(query)}` };
  }
  return { origin: url.slice(0, start), path: url.slice(start) };
}

function joinHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): ReadonlyMap<string, string> {
  const joined = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) joined.set(name.toLowerCase(), typeof value === "string" ? value : value.join(", "));
  }
  return joined;
}
