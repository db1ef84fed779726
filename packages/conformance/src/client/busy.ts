import type { ReceivedResponse } from "../contract/exchange.ts";

/** Maximum length of a body in which a gateway reports that it is too busy. */
const maximumRefusalLength = 2_000;
const minimumWaitMilliseconds = 50;

/**
 * Returns whether a response only indicates that the target is too busy (RFC 6585, section 4; RFC 9110, section 15.6.4), which JSON-RPC
 * gateways also report as an error object. A 503 without `Retry-After` is an ordinary response.
 */
export function isBusy({ status, headers, text }: ReceivedResponse, protocol: "http" | "rpc" | "graphql"): boolean {
  if (status === 429) return true;
  if (status === 503) return readRetryAfter(headers.get("retry-after"), Date.now()) !== undefined;
  return protocol === "rpc" && text !== undefined && text.length < maximumRefusalLength && isRateLimitText(text);
}

function isRateLimitText(text: string): boolean {
  return (
    /"code"\s*:\s*(?:-32005|-32029|429)\s*[,}]/.test(text) &&
    /rate.?limit|too many requests|request limit|per second|throughput|quota/i.test(text)
  );
}

/** Returns the milliseconds until a busy target is called again: as requested, else increasing with each attempt. `attempt` is from 1. */
export function waitOf(response: ReceivedResponse, attempt: number): number {
  const requested = readRetryAfter(response.headers.get("retry-after"), Date.now());
  return Math.max(minimumWaitMilliseconds, requested ?? 250 * 2 ** (attempt - 1));
}

/**
 * Returns the milliseconds of a `Retry-After`: seconds or an HTTP date (RFC 9110, section 10.2.3); 0 for a past date. Returns `undefined`
 * when it is absent or unreadable.
 */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const date = /[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
