import type { FastifyRequest } from "fastify";

/** Path and query of a request, as it was sent. */
export interface RequestTarget {
  /** Path below the plugin's prefix, percent-encoded, with its slash. */
  readonly path: string;
  /** Query, percent-encoded, without question mark. */
  readonly query: string;
}

/** Creates the reader of targets below a prefix, whose segments may be parameters of the framework: they are counted. */
export function createTargetReader(prefix: string): (request: FastifyRequest) => RequestTarget {
  const segments = prefix.split("/").filter((segment) => segment !== "").length;
  return ({ url }) => {
    const target = url.startsWith("/") ? url : withoutAuthority(url);
    const end = endOfPath(target);
    const whole = end === -1 ? target : target.slice(0, end);
    const path = withoutSegments(whole, segments);
    return { path: path === "" ? "/" : path, query: target[end] === "?" ? withoutFragment(target.slice(end + 1)) : "" };
  };
}

/** Returns the position of the query or the fragment; -1 where there is neither. */
function endOfPath(target: string): number {
  const question = target.indexOf("?");
  const hash = target.indexOf("#");
  return question === -1 || (hash !== -1 && hash < question) ? hash : question;
}

/** Removes the authority of the absolute form of a request target (RFC 9112, section 3.2.2). */
function withoutAuthority(url: string): string {
  const slash = url.indexOf("/", url.indexOf("://") + 3);
  return slash === -1 ? "/" : url.slice(slash);
}

function withoutSegments(path: string, count: number): string {
  let start = 0;
  for (let segment = 0; segment < count; segment += 1) {
    start = path.indexOf("/", start + 1);
    if (start === -1) return "";
  }
  return path.slice(start);
}

function withoutFragment(query: string): string {
  const hash = query.indexOf("#");
  return hash === -1 ? query : query.slice(0, hash);
}
