import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** Answers a request whose body has come whole. */
export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export interface Listening {
  readonly url: string;
  /** What was asked, in order. */
  readonly asked: readonly IncomingMessage[];
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

/** A server that answers as it is told, with what it was asked. For tests alone. */
export async function listen(answer: Answer): Promise<Listening> {
  const asked: IncomingMessage[] = [];
  const bodies: string[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      asked.push(request);
      bodies.push(Buffer.concat(chunks).toString());
      answer(request, response, bodies.at(-1) ?? "");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/node`,
    asked,
    bodies,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
