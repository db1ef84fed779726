import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** Values of `Sec-Fetch-Site` (Fetch Metadata Request Headers, section 2.4) for requests of a person or a page of the same origin. */
const ownSites: ReadonlySet<unknown> = new Set(["same-origin", "none"]);

/**
 * Returns whether a browser sends a request for a page of another origin. No page can forge the headers that show so: `Sec-Fetch-Site`,
 * `Origin` (RFC 6454, section 7) where that is not sent, and `Referer` (RFC 9110, section 10.1.3) where there is neither.
 *
 * Browsers send `Sec-Fetch-Site` only to trustworthy origins: https and this machine. Over plain http to another host, a GET that a page
 * makes without CORS has no `Origin` either, and a page with `no-referrer` can't be recognized there.
 */
export function isSentForOtherSite(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return !ownSites.has(site);
  const { origin, referer } = headers;
  const own = headers.host?.toLowerCase();
  if (origin !== undefined) return own === undefined || hostOf(origin) !== own;
  return referer !== undefined && (own === undefined || URL.parse(referer)?.host !== own);
}

/**
 * Returns whether a browser opens the response as a page of its own (Fetch Metadata Request Headers, sections 2.1 and 2.2), as it does for
 * a link that a person follows. The page with the link can't read it, which is enough where a GET changes nothing.
 */
export function isNavigation({ method, headers }: Pick<IncomingMessage, "method" | "headers">): boolean {
  return method === "GET" && headers["sec-fetch-mode"] === "navigate" && headers["sec-fetch-dest"] === "document";
}

/** Returns the host; `undefined` for an opaque origin, which is written `null`. */
function hostOf(origin: string): string | undefined {
  return /^https?:\/\/([^/]+)$/i.exec(origin)?.[1]?.toLowerCase();
}
