import type { ClientFacts, GivenClientOptions } from "./client-options.ts";
import { base64, createRedaction, type Redaction } from "./redaction.ts";

/** Target of a client's requests, with the credentials that each of them carries. */
export interface Endpoint {
  readonly redaction: Redaction;
  /** Returns the URL of a path below the endpoint, with the key. `query` is percent-encoded, without question mark. */
  url(path: string, query?: string): string;
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Creates the endpoint. Throws `TypeError` for an invalid base URL, without repeating it. */
export function createEndpoint(options: GivenClientOptions, keyNames: ClientFacts): Endpoint {
  const base = parseBase(options.baseUrl ?? keyNames.baseUrl ?? "");
  const { apiKey, apiKeyLocation = "query" } = options;
  const inQuery = apiKey !== undefined && apiKeyLocation === "query";
  const inHeader = apiKey !== undefined && apiKeyLocation === "header";
  const keyQuery = inQuery ? `${encodeURIComponent(keyNames.query)}=${encodeURIComponent(apiKey)}` : "";
  const baseQuery = base.search.slice(1);
  const start = `${base.origin}${base.pathname.replace(/\/$/, "")}`;
  return {
    redaction: createRedaction(secretsOf(options, base)),
    url(path, query = "") {
      const queries = [baseQuery, query, keyQuery].filter((part) => part !== "");
      return `${start}${path}${queries.length === 0 ? "" : `?${queries.join("&")}`}`;
    },
    headers: {
      ...options.headers,
      ...basicCredentials(base),
      ...(inHeader ? { [keyNames.header.toLowerCase()]: apiKey } : {}),
    },
  };
}

function parseBase(baseUrl: string): URL {
  const url = URL.parse(baseUrl);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TypeError("The baseUrl of a client is an http or https URL");
  return url;
}

/** Moves credentials out of the URL: `fetch` rejects URLs with credentials, in a message that repeats them. */
function basicCredentials({ username, password }: URL): { readonly authorization?: string } {
  if (username === "" && password === "") return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${base64(credentials)}` };
}

/** Returns the key, and everything else in the options that could be one: in the base URL's query, path, or credentials, or in a header. */
function secretsOf({ apiKey = "", headers = {} }: GivenClientOptions, base: URL): readonly string[] {
  const [, pathKey = ""] = /\/key\/([^/]+)/.exec(base.pathname) ?? [];
  const { authorization = "" } = basicCredentials(base);
  const credentials = [base.password, decodeURIComponent(base.password), authorization.slice("Basic ".length)];
  return [apiKey, pathKey, ...credentials, ...base.searchParams.values(), ...Object.values(headers)].filter(
    (secret) => secret !== "",
  );
}
