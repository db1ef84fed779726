import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { maximumKeyLength } from "../registry/api-key.ts";

/**
 * Returns the one key that a request presents: in its target, in `X-API-Key` or as a Basic password (RFC 7617) of any user.
 *
 * `undefined` when there is none, when two of them differ, and when one of them can't be a key.
 */
export function presentedKey(targetKeys: readonly string[], request: IncomingMessage): string | undefined {
  const keys = hasKeyHeader(request.headers) ? [...targetKeys, ...keysOfHeaders(request.rawHeaders)] : targetKeys;
  const first = keys[0];
  if (first === undefined || first.length === 0 || first.length > maximumKeyLength) return undefined;
  for (let at = 1; at < keys.length; at++) if (keys[at] !== first) return undefined;
  return first;
}

/**
 * Returns whether only Basic credentials identify the sender of a request. A browser adds stored ones to any request of a page; a page that
 * sends a key in another form knows the key.
 */
export function hasBasicAlone(targetKeys: readonly string[], headers: IncomingHttpHeaders): boolean {
  return targetKeys.length === 0 && headers["x-api-key"] === undefined && headers.authorization !== undefined;
}

/** Removes the key headers for code after the gate, so that nothing there can show them. */
export function removeKeyHeaders(request: IncomingMessage): void {
  if (!hasKeyHeader(request.headers)) return;
  delete request.headers["x-api-key"];
  delete request.headers.authorization;
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    if (isKeyHeader(request.rawHeaders[at])) request.rawHeaders[at + 1] = "";
  }
}

function hasKeyHeader(headers: IncomingHttpHeaders): boolean {
  return headers["x-api-key"] !== undefined || headers.authorization !== undefined;
}

function isKeyHeader(name: string | undefined): boolean {
  const lower = name?.toLowerCase();
  return lower === "x-api-key" || lower === "authorization";
}

/** Returns the keys in the raw list, in which a repeated header is neither joined nor dropped. */
function keysOfHeaders(rawHeaders: readonly string[]): string[] {
  const keys: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase();
    const value = rawHeaders[at + 1] ?? "";
    if (name === "x-api-key") keys.push(value);
    if (name === "authorization" && /^basic(?: |$)/i.test(value)) keys.push(...basicPasswords(value.slice(6)));
  }
  return keys;
}

/**
 * Returns the passwords: empty, which is not a valid key, when it is missing; no password when there is no user either: some clients send that by
 * default.
 */
function basicPasswords(encoded: string): readonly string[] {
  const text = Buffer.from(encoded, "base64").toString("utf8");
  if (text === ":") return [];
  const colon = text.indexOf(":");
  return [colon === -1 ? "" : text.slice(colon + 1)];
}
