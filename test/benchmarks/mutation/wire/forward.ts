import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, type RequestListener, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import type { Dispatch } from "./message.ts";

/** A listener behind a socket of its own, reached through one function. */
export interface Backend {
  readonly dispatch: Dispatch;
  close(): Promise<void>;
}

/** Runs a listener of `node:http` on the loopback interface and forwards requests to it. */
export async function startBackend(listener: RequestListener): Promise<Backend> {
  const server = createServer(listener);
  // Connections wait for as long as a world is scored: one that is closed while it is taken again fails a request.
  server.keepAliveTimeout = 0;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  return {
    dispatch: async ({ method, url, headers, body }) => {
      const { host: _host, connection: _connection, expect: _expect, "content-length": _length, ...kept } = headers;
      const withLength = body.length > 0 ? { ...kept, "content-length": String(body.length) } : kept;
      const request = httpRequest({ host: "127.0.0.1", port, agent, method, path: url, headers: withLength });
      request.end(body);
      const [response] = (await once(request, "response")) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of response) {
        chunks.push(chunk as Buffer);
      }
      return { status: response.statusCode ?? 500, headers: headersOf(response), body: Buffer.concat(chunks) };
    },
    close: async () => {
      agent.destroy();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** Headers with the letters of their names, but for those that the server in front says itself. */
function headersOf(response: IncomingMessage): Record<string, string | readonly string[]> {
  const headers: Record<string, string | readonly string[]> = {};
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    const name = response.rawHeaders[index] ?? "";
    const value = response.rawHeaders[index + 1] ?? "";
    if (!["connection", "keep-alive", "transfer-encoding", "date"].includes(name.toLowerCase())) {
      headers[name] = value;
    }
  }
  return headers;
}
