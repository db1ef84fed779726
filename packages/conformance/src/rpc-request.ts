import type { PlainRequest } from "./exchange.ts";

/** A JSON-RPC request as an HTTP request. */
export function rpcRequest(body: string): PlainRequest {
  return { method: "POST", path: "/", query: "", headers: { "content-type": "application/json" }, body };
}
