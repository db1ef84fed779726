import { Agent } from "undici";
import { readBody } from "./read-body.ts";
import type { Transport, WireAnswer, WireLimits, WireRequest } from "./transport.ts";
import { type Trouble, trouble, troubleOf } from "./trouble.ts";

const keepAliveMilliseconds = 4_000;
const connectMilliseconds = 10_000;

/**
 * Carries requests over connections that are kept open. One that the server has closed meanwhile is no fault of it: the request is
 * sent again over a new one.
 */
export function createUndiciTransport(): Transport {
  const shared = { connect: { timeout: connectMilliseconds }, allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  const kept = new Agent({ ...shared, pipelining: 1, keepAliveTimeout: keepAliveMilliseconds });
  const fresh = new Agent({ ...shared, pipelining: 0 });
  return {
    exchange: async (request, limits) => {
      const signal = signalOf(limits);
      if (!limits.isRepeatable) return exchange(fresh, request, limits, signal);
      const answer = await exchange(kept, request, limits, signal);
      const isLost = "kind" in answer && answer.kind === "reset";
      if (!isLost || (await limits.mayRepeat?.()) === false) return answer;
      return exchange(fresh, request, limits, signal);
    },
    close: async () => {
      await Promise.all([kept.destroy(), fresh.destroy()]);
    },
  };
}

async function exchange(
  agent: Agent,
  request: WireRequest,
  limits: WireLimits,
  signal: AbortSignal,
): Promise<WireAnswer | Trouble> {
  const { origin, path } = splitUrl(request.url);
  try {
    const { statusCode, headers, body } = await agent.request({
      origin,
      path,
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal,
    });
    const head = { status: statusCode, headers: joinHeaders(headers) };
    if (request.method === "HEAD") {
      // Destroyed it would say so as an error that nobody listens to.
      await body.dump();
      return { ...head, bytes: new Uint8Array(), isCut: false, isSequence: false };
    }
    return explain(await readBody(head, body, limits.maxBytes), limits);
  } catch (reason) {
    return explain(troubleOf(reason), limits);
  }
}

/** Says of what came too late how long it was waited for. */
export function explain(answer: WireAnswer | Trouble, { timeoutMilliseconds }: WireLimits): WireAnswer | Trouble {
  if (!("kind" in answer) || answer.kind !== "timeout") return answer;
  return trouble("timeout", `no whole answer came in ${timeoutMilliseconds / 1_000} s`);
}

/** Returns the signal that ends a request, by its time or by the run. */
export function signalOf({ timeoutMilliseconds, signal }: WireLimits): AbortSignal {
  const late = AbortSignal.timeout(timeoutMilliseconds);
  return signal === undefined ? late : AbortSignal.any([late, signal]);
}

/** The path stays as it is written: `URL` would resolve `..` and `%2e`. */
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
