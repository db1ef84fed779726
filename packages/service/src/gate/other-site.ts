import type { IncomingHttpHeaders } from "node:http";

/** Values of `Sec-Fetch-Site` (Fetch Metadata Request Headers, section 2.4) of what a person or a page of the same origin asks for. */
const ownSites: ReadonlySet<unknown> = new Set(["same-origin", "none"]);

/**
 * Returns whether a browser sends a request for a page of another origin. No page can forge the headers that say so: `Sec-Fetch-Site`,
 * `Origin` (RFC 6454, section 7) where that is not sent, and `Referer` (RFC 9110, section 10.1.3) where there is neither.
 *
 * Browsers send `Sec-Fetch-Site` to trustworthy origins alone: https and this machine. Over plain http to another host, a GET that a page makes
 * without CORS has no `Origin` either, and a page that asks for `no-referrer` can't be recognised there.
 */
export function isSentForOtherSite(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return !ownSites.has(site);
  const { origin, referer } = headers;
  const own = headers.host?.toLowerCase();
  if (origin !== undefined) return hostOf(origin) !== own;
  return referer !== undefined && (URL.canParse(referer) ? new URL(referer).host : undefined) !== own;
}

/** `undefined` for an opaque origin, which is written `null`. */
function hostOf(origin: string): string | undefined {
  const [, host] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  return host?.toLowerCase();
}
