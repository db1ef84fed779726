import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { readBody } from "./read-body.ts";
import type { Transport } from "./transport.ts";
import { troubleOf } from "./trouble.ts";
import { explain, signalOf } from "./undici-transport.ts";

/** Carries requests by a `fetch` that is given: for servers in the same process. That undoes content codings itself. */
export function createFetchTransport(send: typeof fetch): Transport {
  return {
    exchange: async ({ url, method, headers, body }, limits) => {
      const init = { method, headers, redirect: "manual", signal: signalOf(limits) } as const;
      try {
        const response = await send(url, body === undefined ? init : { ...init, body });
        const head = { status: response.status, headers: new Map(response.headers) };
        const stream = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as ReadableStream);
        return explain(await readBody(head, stream, limits.maxBytes, ""), limits);
      } catch (reason) {
        return explain(troubleOf(reason), limits);
      }
    },
    close: async () => undefined,
  };
}
