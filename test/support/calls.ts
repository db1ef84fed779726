import { setTimeout as delay } from "node:timers/promises";
import type { ReadyNode } from "./service.ts";

export interface RestAnswer {
  readonly status: number;
  readonly text: string;
}

/** Asks the index REST interface of a node. */
export async function askRest(node: ReadyNode, path: string): Promise<RestAnswer> {
  const response = await fetch(`${node.endpoint}/indexer/rest/${path}`, { headers: { "x-api-key": node.apikey } });
  return { status: response.status, text: await response.text() };
}

/** As `askRest`, for JSON. Throws when the answer is an error. */
export async function readRest(node: ReadyNode, path: string): Promise<unknown> {
  const { status, text } = await askRest(node, path);
  if (status !== 200) throw new Error(`${path} is answered ${status}: ${text}`);
  return JSON.parse(text);
}

/** As `readRest`, for the bytes of an answer. */
export async function readRestBytes(node: ReadyNode, path: string): Promise<Buffer> {
  const response = await fetch(`${node.endpoint}/indexer/rest/${path}`, { headers: { "x-api-key": node.apikey } });
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200) throw new Error(`${path} is answered ${response.status}: ${bytes}`);
  return bytes;
}

export interface RpcResponse {
  readonly result: unknown;
  readonly error: { readonly code: number; readonly message: string } | null;
}

/** Calls a method of a node's JSON-RPC interface. */
export async function askRpc(node: ReadyNode, method: string, ...params: readonly unknown[]): Promise<RpcResponse> {
  const response = await post(node, node.endpoint, { jsonrpc: "2.0", id: "1", method, params });
  return (await response.json()) as RpcResponse;
}

/** Calls methods of a node's JSON-RPC interface in one request; gives the answers in their order. */
export async function askRpcBatch(
  node: ReadyNode,
  calls: readonly { readonly method: string; readonly params: readonly unknown[] }[],
): Promise<readonly RpcResponse[]> {
  const batch = calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call }));
  const response = await post(node, node.endpoint, batch);
  return (await response.json()) as readonly RpcResponse[];
}

export interface GraphqlResponse {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

/** Sends an operation to the GraphQL interface of a node. */
export async function askGraphql(node: ReadyNode, query: string): Promise<GraphqlResponse> {
  const response = await post(node, `${node.endpoint}/graphql`, { query });
  const body = (await response.json()) as Pick<GraphqlResponse, "data" | "errors">;
  return { ...body, status: response.status, retryAfter: response.headers.get("retry-after") };
}

/** The word of the service that serves the node. */
export async function askHealth(node: ReadyNode): Promise<string> {
  return await (await fetch(new URL("/healthz", node.endpoint))).text();
}

/** What runs at a low priority, as optional indexes do, hardly comes to its turn on a busy machine. */
const patienceMilliseconds = 120_000;

/** Waits until `condition` is true; says `what` it waited for when that does not happen. */
export async function waitUntil(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMilliseconds;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`Waited in vain until ${what}`);
    await delay(25);
  }
}

async function post(node: ReadyNode, url: string, body: unknown): Promise<Response> {
  const headers = { "content-type": "application/json", "x-api-key": node.apikey };
  return await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}
