import { once } from "node:events";
import { createReadStream, existsSync } from "node:fs";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ReadyNode } from "../support/service.ts";

/** What a client asked for below `/api`, and the status that it got. */
interface Exchange {
  readonly method: string;
  /** Below `/api`, with the query. */
  readonly path: string;
  readonly status: number;
}

/** A server before the service: its clients need no key. */
export interface ReverseProxy {
  /** Without a slash at its end. */
  readonly origin: string;
  /** In the order of the answers. */
  readonly exchanges: readonly Exchange[];
  stop(): Promise<void>;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/**
 * Serves the index REST interface of a node below `/api`, as the sites do whose addresses clients know, and adds the key. Anything
 * else is a file of `site`, or `index.html` there: a page that finds its way by its address.
 */
export async function startReverseProxy(node: ReadyNode, site?: string): Promise<ReverseProxy> {
  const exchanges: Exchange[] = [];
  const server = createServer((incoming, answer) => {
    const path = incoming.url ?? "/";
    const served = path.startsWith("/api/")
      ? forward(node, path.slice("/api".length), incoming, answer)
      : serveFile(site, path, answer);
    served.catch(() => answer.destroy());
    const { method = "" } = incoming;
    if (path.startsWith("/api/"))
      answer.on("finish", () => exchanges.push({ method, path: path.slice("/api".length), status: answer.statusCode }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    exchanges,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function forward(
  { endpoint, apikey }: ReadyNode,
  path: string,
  incoming: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const { host: _, ...headers } = incoming.headers;
  const outgoing = request(`${endpoint}/indexer/rest${path}`, {
    method: incoming.method ?? "GET",
    headers: { ...headers, "x-api-key": apikey },
  });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  incoming.pipe(outgoing);
  const [response] = await answered;
  answer.writeHead(response.statusCode ?? 502, response.headers);
  await pipeline(response, answer);
}

async function serveFile(site: string | undefined, path: string, answer: ServerResponse): Promise<void> {
  const { pathname } = new URL(path, "http://site");
  const file = site === undefined ? undefined : join(site, extname(pathname) === "" ? "index.html" : pathname);
  if (file === undefined || !existsSync(file)) {
    answer.writeHead(404).end();
    return;
  }
  answer.writeHead(200, { "content-type": contentTypes[extname(file)] ?? "application/octet-stream" });
  await pipeline(createReadStream(file), answer);
}
