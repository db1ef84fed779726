import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { FastifyInstance, InjectOptions } from "fastify";
import type { Transport, TransportRequest } from "../client/client-options.ts";

/**
 * Returns a transport that sends a client's requests into an instance of the same process, without a socket. The host of the URL is
 * ignored.
 */
export function createInjectTransport(instance: FastifyInstance): Transport {
  return async (request) => {
    const { method, url, headers, body, signal } = request;
    const { pathname, search } = new URL(url);
    const response = await instance.inject({
      method: method as NonNullable<InjectOptions["method"]>,
      url: `${pathname}${search}`,
      headers,
      signal,
      payloadAsStream: true,
      ...(body === undefined ? {} : { payload: payloadOf(body) }),
    });
    const { statusCode: status } = response;
    const header = (name: string): string | undefined => headerText(response.headers[name]);
    const stream = response.stream();
    if (request.streams?.(status, header("content-type")) === true) {
      return { status, body: new Uint8Array(), chunks: stream, header };
    }
    return { status, body: await buffer(stream), header };
  };
}

function payloadOf(body: NonNullable<TransportRequest["body"]>): NonNullable<InjectOptions["payload"]> {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? Buffer.from(body) : Readable.from(body, { objectMode: false });
}

function headerText(value: number | string | readonly string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.join(", ") : String(value);
}
