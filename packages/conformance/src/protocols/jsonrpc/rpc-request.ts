import { writeLosslessJson } from "@nodewright/runtime";
import type { PlainRequest } from "../../contract/exchange.ts";

/** Value of `params`; absent when a request has none. */
export type RpcParams = readonly unknown[] | Readonly<Record<string, unknown>>;

/** An `id` that a request may have. */
export type RequestId = string | number | null;

/** A call, before it is serialized. */
export interface RpcCallText {
  readonly method: string;
  readonly params?: RpcParams | undefined;
  readonly id: RequestId;
}

/** Serializes a request object of JSON-RPC 2.0, section 4. */
export function requestText({ method, params, id }: RpcCallText): string {
  return writeLosslessJson({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
}

/** Returns the HTTP request that sends a body to the endpoint. */
export function rpcPost(body: string, headers: Readonly<Record<string, string>> = {}): PlainRequest {
  return {
    method: "POST",
    path: "",
    query: "",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body,
  };
}
