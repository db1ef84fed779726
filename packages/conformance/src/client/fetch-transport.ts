import {
  isSequence,
  sequenceBytes,
  sequenceMilliseconds,
  type Transport,
  type WireAnswer,
  type WireLimits,
  type WireRequest,
} from "./transport.ts";
import { type Trouble, trouble, troubleOf } from "./trouble.ts";

/** Carries requests by a `fetch` that is given: for servers in the same process. That undoes content codings itself. */
export function createFetchTransport(send: typeof fetch): Transport {
  return { exchange: (request, limits) => exchange(send, request, limits), close: async () => undefined };
}

async function exchange(send: typeof fetch, request: WireRequest, limits: WireLimits): Promise<WireAnswer | Trouble> {
  const late = AbortSignal.timeout(limits.timeoutMilliseconds);
  try {
    const response = await send(request.url, {
      method: request.method,
      headers: request.headers,
      redirect: "manual",
      signal: limits.signal === undefined ? late : AbortSignal.any([late, limits.signal]),
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    return await readResponse(response, limits.maxBytes);
  } catch (reason) {
    const found = troubleOf(reason);
    return found.kind === "timeout"
      ? trouble("timeout", `no whole answer came in ${limits.timeoutMilliseconds / 1_000} s`)
      : found;
  }
}

async function readResponse(response: Response, maxBytes: number): Promise<WireAnswer> {
  const headers = new Map([...response.headers].map(([name, value]) => [name.toLowerCase(), value]));
  const isOpenEnded = isSequence(headers);
  const limit = isOpenEnded ? Math.min(maxBytes, sequenceBytes) : maxBytes;
  const { bytes, isCut } = await readStream(response.body, limit, isOpenEnded ? sequenceMilliseconds : undefined);
  return { status: response.status, headers, bytes, isCut, isSequence: isOpenEnded };
}

async function readStream(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  milliseconds: number | undefined,
): Promise<{ readonly bytes: Uint8Array; readonly isCut: boolean }> {
  if (body === null) return { bytes: new Uint8Array(), isCut: false };
  const reader = body.getReader();
  let isCut = false;
  const stop = (): void => {
    isCut = true;
    void reader.cancel().catch(() => undefined);
  };
  const timer = milliseconds === undefined ? undefined : setTimeout(stop, milliseconds);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      length += next.value.length;
      if (length > limit) stop();
    }
  } finally {
    clearTimeout(timer);
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), isCut };
}
