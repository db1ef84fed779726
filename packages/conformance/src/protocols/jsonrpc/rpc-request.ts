import { writeLosslessJson } from "@nodewright/runtime";
import type { PlainRequest } from "../../contract/exchange.ts";

/** What stands in `params`; absent where a request has none. */
export type RpcParams = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A member of `id` that a request may have. */
export type RequestId = string | number | null;

/** One call as it is written into a request. */
export interface RpcCallText {
  readonly method: string;
  readonly params?: RpcParams | undefined;
  readonly id: RequestId;
}

/** The text of a request object of JSON-RPC 2.0, section 4. */
export function requestText({ method, params, id }: RpcCallText): string {
  return writeLosslessJson({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
}

/** The HTTP request that carries a body to the endpoint. */
export function rpcPost(body: string, headers: Readonly<Record<string, string>> = {}): PlainRequest {
  return {
    method: "POST",
    path: "",
    query: "",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body,
  };
}
