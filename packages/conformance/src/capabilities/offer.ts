import type { Answer } from "../contract/exchange.ts";
import type { Availability } from "../contract/capability-facts.ts";
import { readRpcReply } from "./rpc-reply.ts";

/** What one answer says of how its operation is offered. */
export interface Offer {
  readonly availability: Extract<Availability, "available" | "missing" | "disabled" | "needs archive">;
  readonly reason: string;
  /** True: what was sent was refused for its parameters, which are looked at before anything stands behind the method. */
  readonly isWeak?: boolean;
}

const available: Offer = { availability: "available", reason: "it was answered" };
const looked: Offer = { ...available, isWeak: true };

/** Longer texts are no refusals. */
const longestRefusal = 4_000;

/** Error codes that gateways of nodes use for methods that are switched off. */
const disabledCodes: ReadonlySet<number | undefined> = new Set([-32612, -32604]);
const disabledWords =
  /\b(?:disabled|not enabled|not (?:currently )?allowed|not whitelisted|not permitted|blocked|forbidden|restricted|turned off|switched off|not available on|upgrade (?:your|to)|your plan|current plan|subscription)\b/i;
const missingWords =
  /\b(?:method|function|command|namespace|endpoint|action|call|rpc)\b|\b(?:not (?:available|supported|implemented|exist)|unsupported|unimplemented|unknown)\b/i;
/** The whole of a message, whatever its code. */
const unimplementedWords =
  /^(?:(?:this )?(?:command|method|function))? ?(?:is )?(?:unimplemented|not (?:yet )?implemented|not supported)\.?$|^this (?:implementation|node|server) does not (?:implement|support) [\w ]{0,24}(?:commands|methods)\.?$/i;
const invalidParameters = -32_602;
const archiveWords =
  /missing trie node|\bpruned\b|\barchive\b|historical (?:state|data|blocks?)|state .{0,40}(?:not available|unavailable)|state already discarded|distance to target block exceeds|block(?: data)? not available \(pruned/i;

/** Reads how a method of JSON-RPC is offered; undefined when the answer does not say. */
export function rpcOffer({ status, text }: Answer): Offer | undefined {
  const reply = readRpcReply(text);
  if (reply === undefined) return status === 200 ? undefined : httpOffer(status, new Map(), text ?? "");
  const { error } = reply;
  if (error === undefined) return available;
  const { code, message, data } = error;
  const said = `${message} ${data}`;
  const reason = `it was answered with the error ${code ?? "without a code"}: ${shorten(message)}`;
  if (isArchiveText(said)) return { availability: "needs archive", reason };
  if (/"(?:not-implemented|no-node)"/.test(data)) return { availability: "missing", reason };
  if (disabledCodes.has(code) || (isRefusalCode(code) && disabledWords.test(said)))
    return { availability: "disabled", reason };
  const isUnknown = code === -32601 && (message === "" || missingWords.test(message));
  if (isUnknown || isUnimplemented(error)) return { availability: "missing", reason };
  return code === invalidParameters ? looked : available;
}

/** True when an error, whatever its code, says that its method has nothing behind it. */
export function isUnimplemented({ code, message }: { readonly code: unknown; readonly message: string }): boolean {
  return unimplementedWords.test(message) || (code === -32_004 && missingWords.test(message));
}

function isRefusalCode(code: number | undefined): boolean {
  return code === undefined || code === -32601 || (code >= -32099 && code <= -32000) || code === 403;
}

/** True when an error says that the target does not keep what was asked for. */
export function isArchiveText(text: string): boolean {
  return archiveWords.test(text);
}

/**
 * Reads how an operation of HTTP is offered. A status alone does not say it: what comes with it has to be a refusal too, or a fault
 * of the server would pass for a choice of its operator.
 */
export function httpOffer(status: number, headers: ReadonlyMap<string, string>, text: string): Offer | undefined {
  if (status === 401 || (status >= 500 && status !== 501)) return undefined;
  if (text.length >= longestRefusal) return available;
  const reason = `it was answered with the status ${status}`;
  const allow = headers.get("allow");
  const isMissing = text.trim() === "" || missingWords.test(text) || /not-implemented/.test(text);
  if (status === 501 && isMissing) return { availability: "missing", reason };
  if (status === 405 && allow !== undefined)
    return { availability: "missing", reason: `${reason}, and Allow: ${allow}` };
  if (status === 403 && disabledWords.test(text))
    return { availability: "disabled", reason: `${reason}: ${shorten(text)}` };
  return available;
}

/** What an answer with data says: that its operation is there. A refusal may have any reason. */
export function graphqlOffer(text: string): Offer | undefined {
  if (!/^\s*\{\s*(?:"\w+"\s*:\s*\[\s*\]\s*,\s*)?"data"\s*:\s*\{/.test(text)) return undefined;
  const isFirstThere = /"data"\s*:\s*\{\s*"\w+"\s*:\s*(?!null)/.test(text);
  return isFirstThere || !/"errors"\s*:\s*\[\s*\{/.test(text) ? available : undefined;
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
