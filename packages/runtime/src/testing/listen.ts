import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** Responds to a request whose body is complete. */
export type Responder = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server on a free port that records its requests. */
export interface TestServer {
  readonly url: string;
  /** Received requests, in order. */
  readonly requests: readonly IncomingMessage[];
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

/** Starts a server with the given responses, which records its requests. For tests only. */
export async function listen(respond: Responder): Promise<TestServer> {
  const requests: IncomingMessage[] = [];
  const bodies: string[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      requests.push(request);
      bodies.push(Buffer.concat(chunks).toString());
      respond(request, response, bodies.at(-1) ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/node`,
    requests,
    bodies,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
