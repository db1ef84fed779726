import type { FastifyInstance, InjectOptions } from "fastify";
import type { Transport } from "../client/client-options.ts";

/** Sends a client's requests into an instance of the same process, without a socket. The host of the URL is left out. */
export function createInjectTransport(instance: FastifyInstance): Transport {
  return async ({ method, url, headers, body, signal }) => {
    const { pathname, search } = new URL(url);
    const response = await instance.inject({
      method: method as NonNullable<InjectOptions["method"]>,
      url: `${pathname}${search}`,
      headers,
      signal,
      ...(body === undefined ? {} : { payload: typeof body === "string" ? body : Buffer.from(body) }),
    });
    return {
      status: response.statusCode,
      body: response.rawPayload,
      header: (name) => headerText(response.headers[name]),
    };
  };
}

function headerText(value: number | string | readonly string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.join(", ") : String(value);
}
