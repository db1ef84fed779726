import type { RunOptions } from "../contract/options.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { Secret } from "@nodewright/secret-mask";

/** A parsed base URL, with its secrets. */
export interface BaseUrl {
  /** URL without query and credentials. A path keeps its trailing slash, since `/graphql/` may be served where `/graphql` redirects. */
  readonly address: string;
  /** Percent-encoded pairs of each request; empty without pairs. */
  readonly query: string;
  readonly basic?: { readonly user: string; readonly password: string };
  readonly secrets: readonly Secret[];
}

const keyPlaceholder = "$URL_KEY";
const keyParameter =
  /^(?:x[-_]?)?(?:api|app|access|auth|dkey|client|project|secret)?[-_]?(?:key|token|secret|auth|sig|signature|password|dkey)$/i;

/**
 * Parses a base URL. Path segments that look like keys, as node providers issue them (`/v2/<key>`), and values of parameters with the name
 * of a key are secret. Returns `undefined` when it is not an HTTP URL.
 */
export function readBaseUrl(text: string): BaseUrl | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  const user = decodeURIComponent(url.username);
  const password = decodeURIComponent(url.password);
  const path = url.pathname === "/" ? "" : url.pathname;
  return {
    address: `${url.protocol}//${url.host}${path}`,
    query: url.search.slice(1),
    ...(user === "" && password === "" ? {} : { basic: { user, password } }),
    secrets: [
      ...path.split("/").filter(looksLikeKey),
      ...[...url.searchParams]
        .filter(([name, value]) => keyParameter.test(name) || looksLikeKey(value))
        .map(([, value]) => value),
    ].map((value) => ({ value, placeholder: keyPlaceholder })),
  };
}

/**
 * Parses the base URL of a run.
 *
 * @throws {TypeError} for a suite of another format, which would be misread, and for an invalid URL.
 */
export function readTarget(suite: ConformanceSuite, { baseUrl }: Pick<RunOptions, "baseUrl">): BaseUrl {
  if (suite.format !== 2)
    throw new TypeError(`The suite is of format ${String(suite.format)}; this runner plays format 2`);
  const read = readBaseUrl(baseUrl);
  if (read === undefined) throw new TypeError("The base URL has to be an http or https address");
  return read;
}

/**
 * Returns whether a path segment has at least 20 letters and digits, mixed unlike words: `/v1/mainnet-beta-archive-node` is not a key, a
 * UUID is one.
 */
function looksLikeKey(segment: string): boolean {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(segment)) return true;
  if (!/^[A-Za-z0-9_.~-]{20,}$/.test(segment)) return false;
  const digits = segment.replace(/\D/g, "").length;
  const borders = segment.match(/[a-z][A-Z]|[A-Za-z][0-9]|[0-9][A-Za-z]/g)?.length ?? 0;
  return digits >= 2 && borders >= 3 ? true : borders >= 6;
}
