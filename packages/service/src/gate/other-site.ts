import type { IncomingHttpHeaders } from "node:http";

/** Values of `Sec-Fetch-Site` (Fetch Metadata Request Headers, section 2.4) of what a person or a page of the same origin asks for. */
const ownSites: ReadonlySet<unknown> = new Set(["same-origin", "none"]);

/**
 * Returns whether a browser sends a request for a page of another origin. No page can forge the headers that say so: `Sec-Fetch-Site`,
 * and `Origin` (RFC 6454, section 7) of browsers that do not send that.
 */
export function isSentForOtherSite(headers: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return !ownSites.has(site);
  const { origin } = headers;
  return origin !== undefined && hostOf(origin) !== headers.host?.toLowerCase();
}

/** `undefined` for an opaque origin, which is written `null`. */
function hostOf(origin: string): string | undefined {
  const [, host] = /^https?:\/\/([^/]+)$/i.exec(origin) ?? [];
  return host?.toLowerCase();
}
