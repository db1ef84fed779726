import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createEthereumGraphql } from "@nodewright/ethereum-api/server";
import { createHttpUpstream, type Upstream } from "@nodewright/upstream";
import fastify from "fastify";
import {
  createEthereumContext,
  createEthereumNode,
  type EthereumContext,
  type EthereumNode,
  type EthereumNodeOptions,
  handlers,
  resolvers,
  scalars,
  startDemoChain,
} from "../src/index.ts";

interface Answer {
  readonly status: number;
  /** Number of calls to the node that the request made, without those in the background. */
  readonly calls: number;
  readonly data: unknown;
  readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
}

export interface ServedInterface {
  readonly upstream: Upstream;
  readonly node: EthereumNode;
  ask(query: string, variables?: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** Sends a query like `ask`, with the body of the request as it is sent. */
  askText(body: string): Promise<Answer>;
  stop(): Promise<void>;
}

/** Serves the interface over the node at a URL. */
export async function serve(
  url: string,
  options: EthereumNodeOptions = {},
  timeoutMilliseconds = 5_000,
): Promise<ServedInterface> {
  const upstream = createHttpUpstream({ url, timeoutMilliseconds });
  const node = createEthereumNode(upstream, options);
  const app = fastify();
  const contexts: EthereumContext[] = [];
  const context = (): EthereumContext => {
    const created = createEthereumContext(node);
    contexts.push(created);
    return created;
  };
  // As in the service: the memory of a request's responses counts until it is over.
  await app.register(
    createEthereumGraphql({ handlers, resolvers, scalars, context, execute: (run, { budget }) => budget.spend(run) }),
    { prefix: "/graphql" },
  );
  const askText = async (payload: string): Promise<Answer> => {
    contexts.length = 0;
    const headers = { "content-type": "application/json" };
    const reply = await app.inject({ method: "POST", url: "/graphql", headers, payload });
    const body = reply.json<{ data?: unknown; errors?: Answer["errors"] }>();
    const calls = contexts.at(-1)?.calls.count ?? 0;
    return { status: reply.statusCode, calls, data: body.data, errors: body.errors ?? [] };
  };
  return {
    upstream,
    node,
    askText,
    ask: (query, variables = {}) => askText(JSON.stringify({ query, variables })),
    async stop() {
      await app.close();
      await upstream.close();
    },
  };
}

/** Serves the interface over a demo chain of its own, which mines blocks on demand. */
export async function serveDemoChain(options: EthereumNodeOptions = {}): Promise<ServedInterface> {
  const chain = await startDemoChain({ miningIntervalMilliseconds: 0 });
  if (chain === undefined) throw new Error("This test needs anvil");
  const served = await serve(chain.url, options);
  return {
    ...served,
    async stop() {
      await served.stop();
      await chain.stop();
    },
  };
}

export interface RpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Response of a fake node to a call: a result, or an error. */
export type RpcReply =
  | { readonly result: unknown }
  | { readonly error: { code: number; message: string; data?: unknown } };

export interface MadeUpNode {
  readonly url: string;
  /** Methods of each request, in order. */
  readonly requests: string[][];
  stop(): Promise<void>;
}

/**
 * Starts a node on loopback with the given responses; a method without one is unknown to it. When `reply` throws, it ends the connection
 * without a response.
 */
export async function startMadeUpNode(
  reply: (call: RpcCall) => RpcReply | undefined | Promise<RpcReply | undefined>,
): Promise<MadeUpNode> {
  const requests: string[][] = [];
  const unknown: RpcReply = { error: { code: -32601, message: "the method does not exist/is not available" } };
  const answer = async (call: RpcCall) => ({ jsonrpc: "2.0", id: call.id, ...((await reply(call)) ?? unknown) });
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as RpcCall | RpcCall[];
    requests.push((Array.isArray(body) ? body : [body]).map(({ method }) => method));
    try {
      response.end(JSON.stringify(Array.isArray(body) ? await Promise.all(body.map(answer)) : await answer(body)));
    } catch {
      response.destroy();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a node's response to a call, to be forwarded. */
export async function requestNode(upstream: Upstream, { method, params }: RpcCall): Promise<RpcReply> {
  const [result] = await upstream.batch([{ method, params }]);
  if (result?.ok === true) return { result: result.result };
  if (result === undefined || result.error.name !== "UpstreamRpcError") throw new Error("The node did not answer");
  const { code, message, data } = result.error;
  return { error: { code, message, ...(data === undefined ? {} : { data }) } };
}
