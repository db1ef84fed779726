import type { ReceivedResponse } from "../contract/exchange.ts";
import type { Availability } from "../contract/capability-facts.ts";
import { isRecord } from "@nodewright/api-model";
import { parseJson } from "../basics/parse-json.ts";

/** Availability of an operation, as inferred from one response. */
export interface Offer {
  readonly availability: Extract<Availability, "available" | "missing" | "disabled" | "needs archive">;
  readonly reason: string;
  /** Whether only the parameters were refused, which are validated before a missing upstream is noticed. */
  readonly isWeak?: boolean;
}

const available: Offer = { availability: "available", reason: "it succeeded" };
const looked: Offer = { ...available, isWeak: true };

/** Maximum length of a refusal. */
const maximumRefusalLength = 4_000;

/** Error codes of node gateways for disabled methods. */
const disabledCodes: ReadonlySet<number | undefined> = new Set([-32612, -32604]);
const disabledWords =
  /\b(?:disabled|not enabled|not (?:currently )?allowed|not whitelisted|not permitted|blocked|forbidden|restricted|turned off|switched off|not available on|upgrade (?:your|to)|your plan|current plan|subscription)\b/i;
const missingWords =
  /\b(?:method|function|command|namespace|endpoint|action|call|rpc)\b|\b(?:not (?:available|supported|implemented|exist)|unsupported|unimplemented|unknown)\b/i;
/** Pattern of a complete message, with any code. */
const unimplementedWords =
  /^(?:(?:this )?(?:command|method|function))? ?(?:is )?(?:unimplemented|not (?:yet )?implemented|not supported)\.?$|^this (?:implementation|node|server) does not (?:implement|support) [\w ]{0,24}(?:commands|methods)\.?$/i;
const invalidParameters = -32_602;
const archiveWords =
  /missing trie node|\bpruned\b|\barchive\b|historical (?:state|data|blocks?)|state .{0,40}(?:not available|unavailable)|state already discarded|distance to target block exceeds|block(?: data)? not available \(pruned/i;

/** Infers how a JSON-RPC method is offered; `undefined` when the response is inconclusive. */
export function rpcOffer({ status, text }: ReceivedResponse): Offer | undefined {
  const reply = readRpcReply(text);
  if (reply === undefined) return status === 200 ? undefined : httpOffer(status, new Map(), text ?? "");
  const { error } = reply;
  if (error === undefined) return available;
  const { code, message, data } = error;
  const said = `${message} ${data}`;
  const reason = `it has the error ${code ?? "without a code"}: ${shorten(message)}`;
  if (isArchiveText(said)) return { availability: "needs archive", reason };
  if (/"(?:not-implemented|no-node)"/.test(data)) return { availability: "missing", reason };
  if (disabledCodes.has(code) || (isRefusalCode(code) && disabledWords.test(said)))
    return { availability: "disabled", reason };
  const isUnknown = code === -32601 && (message === "" || missingWords.test(message));
  if (isUnknown || isUnimplemented(error)) return { availability: "missing", reason };
  return code === invalidParameters ? looked : available;
}

/** Returns whether an error, with any code, reports that its method is not implemented. */
export function isUnimplemented({ code, message }: { readonly code: unknown; readonly message: string }): boolean {
  return unimplementedWords.test(message) || (code === -32_004 && missingWords.test(message));
}

function isRefusalCode(code: number | undefined): boolean {
  return code === undefined || code === -32601 || (code >= -32099 && code <= -32000) || code === 403;
}

/** Returns whether an error reports that the target does not retain the requested data. */
export function isArchiveText(text: string): boolean {
  return archiveWords.test(text);
}

/**
 * Infers how an HTTP operation is offered. A status is not sufficient: headers or body must be those of a refusal too, since otherwise a
 * fault of the server would pass for an operator's decision.
 */
export function httpOffer(status: number, headers: ReadonlyMap<string, string>, text: string): Offer | undefined {
  if (status === 401 || (status >= 500 && status !== 501)) return undefined;
  if (text.length >= maximumRefusalLength) return available;
  const reason = `it has the status ${status}`;
  const allow = headers.get("allow");
  const isMissing = text.trim() === "" || missingWords.test(text) || /not-implemented/.test(text);
  if (status === 501 && isMissing) return { availability: "missing", reason };
  if (status === 405 && allow !== undefined)
    return { availability: "missing", reason: `${reason}, and Allow: ${allow}` };
  if (status === 403 && disabledWords.test(text))
    return { availability: "disabled", reason: `${reason}: ${shorten(text)}` };
  return available;
}

/** Infers from a response with data that a GraphQL operation is available. A refusal may have any reason. */
export function graphqlOffer(text: string): Offer | undefined {
  if (!/^\s*\{\s*(?:"\w+"\s*:\s*\[\s*\]\s*,\s*)?"data"\s*:\s*\{/.test(text)) return undefined;
  const isFirstThere = /"data"\s*:\s*\{\s*"\w+"\s*:\s*(?!null)/.test(text);
  return isFirstThere || !/"errors"\s*:\s*\[\s*\{/.test(text) ? available : undefined;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

/** Parts of a single JSON-RPC response that indicate how its method is offered; adapters check its envelope. */
interface RpcReply {
  /** Absent when there is no error. */
  readonly error?: { readonly code: number | undefined; readonly message: string; readonly data: string };
  readonly result?: unknown;
}

const maximumErrorLength = 16_384;

/** Parses leniently: returns `undefined` when it is not a single response. Long bodies, which are results, are not parsed. */
export function readRpcReply(text: string | undefined, longest: number = maximumErrorLength): RpcReply | undefined {
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
