import type { ServedInterface } from "../registry/registry.ts";

/** A request target (RFC 9112, section 3.2), taken apart once and without its keys. */
export interface RequestTarget {
  /** The first path segment as sent; empty at the root. */
  readonly nodeId: string;
  /** The path below the first segment, as sent: empty, or beginning with a slash. */
  readonly path: string;
  /** The query without `apikey`: empty, or beginning with a question mark. */
  readonly query: string;
  /** The values of `apikey`, in the order of the query. */
  readonly keys: readonly string[];
}

const none: readonly string[] = [];
const keyParameter = "apikey";

/** Takes `url`, as `IncomingMessage.url` has it, apart. Never throws: what can't be decoded stays as it is. */
export function readRequestTarget(url: string): RequestTarget {
  const local = url.startsWith("/") ? url : withoutAuthority(url);
  const mark = local.indexOf("?");
  const fullPath = mark === -1 ? local : local.slice(0, mark);
  const slash = fullPath.indexOf("/", 1);
  const nodeId = slash === -1 ? fullPath.slice(1) : fullPath.slice(1, slash);
  const path = slash === -1 ? "" : fullPath.slice(slash);
  if (mark === -1) return { nodeId, path, query: "", keys: none };
  return { nodeId, path, ...separateKeys(local.slice(mark + 1)) };
}

/** The interface that a path below a node belongs to, whether the node has it or not: errors take its shape. */
export function interfaceOfPath(path: string): ServedInterface {
  if (path === "" || path === "/") return "rpc";
  if (path === "/graphql" || path === "/graphql/") return "graphql";
  return "rest";
}

/** The absolute form of a request target, as proxies send it, or `*`. */
function withoutAuthority(url: string): string {
  const scheme = /^https?:\/\/[^/?#]*/i.exec(url);
  if (scheme === null) return "/";
  const local = url.slice(scheme[0].length);
  return local.startsWith("/") ? local : `/${local}`;
}

function separateKeys(query: string): Pick<RequestTarget, "query" | "keys"> {
  if (isLoneKey(query)) return { query: "", keys: [query.slice(keyParameter.length + 1)] };
  const keys: string[] = [];
  const others: string[] = [];
  for (const pair of query.split("&")) {
    const equals = pair.indexOf("=");
    const name = equals === -1 ? pair : pair.slice(0, equals);
    if (decodeQueryText(name) === keyParameter) keys.push(equals === -1 ? "" : decodeQueryText(pair.slice(equals + 1)));
    else others.push(pair);
  }
  return { query: others.length === 0 ? "" : `?${others.join("&")}`, keys };
}

/** True for `apikey=…` and nothing else, with nothing to decode: nearly every request. */
function isLoneKey(query: string): boolean {
  return query.startsWith("apikey=") && !/[&%+]/.test(query);
}

/** Percent-decoding as in forms (WHATWG URL, section 5.1). */
function decodeQueryText(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
