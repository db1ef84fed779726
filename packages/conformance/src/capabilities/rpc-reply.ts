import { isRecord } from "@nodewright/api-model";
import { parseJson } from "../basics/parse-json.ts";

/** Parts of a single JSON-RPC response that indicate how its method is offered; adapters check its envelope. */
export interface RpcReply {
  /** Absent when there is no error. */
  readonly error?: { readonly code: number | undefined; readonly message: string; readonly data: string };
  readonly result?: unknown;
}

const longestError = 16_384;

/** Parses leniently: returns `undefined` when it is not a single response. Long bodies, which are results, are not parsed. */
export function readRpcReply(text: string | undefined, longest: number = longestError): RpcReply | undefined {
  if (text === undefined) return undefined;
  if (text.length > longest) return {};
  const value = parseJson(text);
  if (!isRecord(value)) return undefined;
  const { error, result } = value;
  if (!isRecord(error)) return { result };
  const { code, message, data } = error;
  return {
    error: {
      code: typeof code === "number" ? code : undefined,
      message: typeof message === "string" ? message : "",
      data: data === undefined ? "" : JSON.stringify(data),
    },
  };
}
