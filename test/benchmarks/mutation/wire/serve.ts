import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Dispatch } from "./message.ts";

/** A server that runs until it is closed. */
export interface RunningServer {
  readonly origin: string;
  /** Requests that it was sent so far. */
  readonly requests: () => number;
  close(): Promise<void>;
}

/** How a server treats its sockets, where that is not Node's way. */
export interface ServeOptions {
  readonly configure?: (server: Server) => void;
  /** Writes the answer in place of one write of the whole body. */
  readonly write?: (response: ServerResponse, body: Buffer) => void;
}

/** Serves on a free port of the loopback interface. */
export async function serve(dispatch: Dispatch, options: ServeOptions = {}): Promise<RunningServer> {
  let requests = 0;
  const server = createServer((incoming, outgoing) => {
    requests += 1;
    void answer(dispatch, incoming, outgoing, options);
  });
  options.configure?.(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function answer(
  dispatch: Dispatch,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: ServeOptions,
): Promise<void> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) {
      chunks.push(chunk as Buffer);
    }
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(incoming.headers)) {
      // Express and Yoga get the body whole.
      if (value !== undefined && name !== "transfer-encoding") {
        headers[name] = Array.isArray(value) ? value.join(", ") : value;
      }
    }
    const method = incoming.method ?? "GET";
    const result = await dispatch({ method, url: incoming.url ?? "/", headers, body: Buffer.concat(chunks) });
    outgoing.statusCode = result.status;
    for (const [name, value] of Object.entries(result.headers)) {
      if (name.toLowerCase() !== "content-length") {
        outgoing.setHeader(name, value);
      }
    }
    if (method === "HEAD" || result.status === 204 || result.status === 304) {
      const length = Object.entries(result.headers).find(([name]) => name.toLowerCase() === "content-length")?.[1];
      if (length !== undefined && result.status !== 204) {
        outgoing.setHeader("content-length", String(length));
      }
      outgoing.end();
    } else if (options.write === undefined) {
      outgoing.setHeader("content-length", result.body.length);
      outgoing.end(result.body);
    } else {
      options.write(outgoing, result.body);
    }
  } catch (error) {
    outgoing.statusCode = 500;
    outgoing.end(String(error));
  }
}
