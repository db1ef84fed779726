import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A node with less to it, on loopback. */
export interface LessenedNode {
  readonly url: string;
  stop(): Promise<void>;
}

export interface Lessening {
  /** Methods that the node is to answer as one does that has never heard of them; `*` at the end is any text. */
  readonly methods: readonly string[];
  /** Whether it takes no batches. */
  readonly refusesBatches?: boolean;
}

interface Call {
  readonly id: unknown;
  readonly method: string;
}

/** Stands before the node at a URL and takes methods, or batches, away from it. */
export async function lessenNode(url: string, lessening: Lessening): Promise<LessenedNode> {
  const server = createServer((request, response) => {
    answer(url, lessening, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  url: string,
  { methods, refusesBatches = false }: Lessening,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const asked = JSON.parse(await text(request)) as Call | readonly Call[];
  const isGone = ({ method }: Call): boolean =>
    methods.some((name) => (name.endsWith("*") ? method.startsWith(name.slice(0, -1)) : name === method));
  response.setHeader("content-type", "application/json");
  if (!Array.isArray(asked)) {
    const call = asked as Call;
    response.end(isGone(call) ? JSON.stringify(refuse(call)) : await forward(url, call));
    return;
  }
  const calls = asked as readonly Call[];
  if (refusesBatches) {
    response.end(
      JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_600, message: "batches are not supported" } }),
    );
    return;
  }
  const known = calls.filter((call) => !isGone(call));
  const answers = known.length === 0 ? [] : (JSON.parse(await forward(url, known)) as readonly unknown[]);
  response.end(JSON.stringify([...calls.filter(isGone).map(refuse), ...answers]));
}

async function forward(url: string, body: unknown): Promise<string> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return await response.text();
}

function refuse({ id, method }: Call): unknown {
  const message = `the method ${method} does not exist/is not available`;
  return { jsonrpc: "2.0", id, error: { code: -32_601, message } };
}
