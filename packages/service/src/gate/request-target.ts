import type { ServedInterface } from "../registry/registry.ts";

/** A request target (RFC 9112, section 3.2), parsed once and without its keys. */
export interface RequestTarget {
  /** First path segment as sent; empty at the root. */
  readonly nodeId: string;
  /** Path below the first segment and the key, as sent: empty, or beginning with a slash. */
  readonly path: string;
  /** Query without `apikey`: empty, or beginning with a question mark. */
  readonly query: string;
  /** Key in the path, after the segment `key`; then the values of `apikey`, in the order of the query. */
  readonly keys: readonly string[];
  /** Whether a key is in the path, which few nodes allow. */
  readonly hasKeyInPath: boolean;
}

const none: readonly string[] = [];
const keyParameter = "apikey";
const keySegment = "/key/";

/** Parses `url`, as in `IncomingMessage.url`. Never throws: parts that can't be decoded are left unchanged. */
export function readRequestTarget(url: string): RequestTarget {
  const local = url.startsWith("/") ? url : withoutAuthority(url);
  const mark = local.indexOf("?");
  const fullPath = mark === -1 ? local : local.slice(0, mark);
  const slash = fullPath.indexOf("/", 1);
  const nodeId = slash === -1 ? fullPath.slice(1) : fullPath.slice(1, slash);
  const path = slash === -1 ? "" : fullPath.slice(slash);
  const { query, keys } = mark === -1 ? { query: "", keys: none } : separateKeys(local.slice(mark + 1));
  if (!path.startsWith(keySegment)) return { nodeId, path, query, keys, hasKeyInPath: false };
  const end = path.indexOf("/", keySegment.length);
  const key = decodeText(end === -1 ? path.slice(keySegment.length) : path.slice(keySegment.length, end));
  return { nodeId, path: end === -1 ? "" : path.slice(end), query, keys: [key, ...keys], hasKeyInPath: true };
}

/** Returns the interface that a path below a node belongs to, whether the node has it or not: errors take its form. */
export function interfaceOfPath(path: string): ServedInterface {
  if (path === "" || path === "/") return "rpc";
  if (path === "/graphql" || path === "/graphql/") return "graphql";
  return "rest";
}

/** Returns the target without the authority of its absolute form, as proxies send it, or `*`. */
function withoutAuthority(url: string): string {
  const scheme = /^https?:\/\/[^/?#]*/i.exec(url);
  if (scheme === null) return "/";
  const local = url.slice(scheme[0].length);
  return local.startsWith("/") ? local : `/${local}`;
}

function separateKeys(query: string): Pick<RequestTarget, "query" | "keys"> {
  if (isLoneKey(query)) return { query: "", keys: [withoutGluedSlash(query.slice(keyParameter.length + 1))] };
  const keys: string[] = [];
  const others: string[] = [];
  for (const pair of query.split("&")) {
    const equals = pair.indexOf("=");
    const name = equals === -1 ? pair : pair.slice(0, equals);
    if (decodeQueryText(name) === keyParameter)
      keys.push(equals === -1 ? "" : withoutGluedSlash(decodeQueryText(pair.slice(equals + 1))));
    else others.push(pair);
  }
  return { query: others.length === 0 ? "" : `?${others.join("&")}`, keys };
}

/** Returns whether the query is `apikey=…` alone, with nothing to decode: nearly every request. */
function isLoneKey(query: string): boolean {
  return query.startsWith("apikey=") && !/[&%+]/.test(query);
}

/** Removes a trailing slash from the key: clients that append a path to it add one, and no key ends with one. */
function withoutGluedSlash(key: string): string {
  return key.endsWith("/") ? key.slice(0, -1) : key;
}

/** Decodes percent-encoding as in forms (WHATWG URL, section 5.1). */
function decodeQueryText(text: string): string {
  return decodeText(text.replaceAll("+", " "));
}

function decodeText(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
