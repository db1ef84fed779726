import type { SecuritySchemeFacts } from "@nodewright/runtime";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { SendOptions } from "../contract/exchange.ts";
import type { RunOptions } from "../contract/options.ts";
import type { BaseUrl } from "./base-url.ts";
import type { Secret } from "@nodewright/secret-mask";

/** Parts of a request with a key. */
interface KeyParts {
  /** Percent-encoded pair. */
  readonly query?: string;
  /** Headers by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Cookie pair. */
  readonly cookie?: string;
}

/** Credentials of a request: a key at its place, and headers in place of the run's, `undefined` for one that is omitted. */
export interface Credentials {
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export const keyPlaceholder = "$API_KEY";
const basicPlaceholder = "$BASIC_CREDENTIALS";

/** Location of a key when the description does not define one. */
const usualScheme: SecuritySchemeFacts = { kind: "api-key", location: "query", parameter: "apikey" };

type PlaceScheme = Pick<SecuritySchemeFacts, "kind" | "location" | "parameter" | "scheme">;

/**
 * Returns a function that finds the key's location for each operation: the first alternative of its security that a single key satisfies,
 * else the first scheme of the suite with a key.
 */
export function createKeyPlaces(suite: ConformanceSuite): (operation: string) => PlaceScheme {
  const isKey = (scheme: SecuritySchemeFacts | undefined): scheme is SecuritySchemeFacts =>
    scheme !== undefined && (scheme.kind === "api-key" || scheme.kind === "bearer" || scheme.kind === "other-http");
  const usual = Object.values(suite.security).find(isKey) ?? usualScheme;
  const places = new Map<string, SecuritySchemeFacts>();
  for (const operation of suite.protocol === "http" ? suite.operations : []) {
    for (const requirement of operation.security ?? []) {
      const [only, ...others] = requirement;
      const scheme = only === undefined || others.length > 0 ? undefined : suite.security[only.scheme];
      if (isKey(scheme) && !places.has(operation.name)) places.set(operation.name, scheme);
    }
  }
  return (operation) => places.get(operation) ?? usual;
}

/** Returns a key at the location of a scheme; for bearer tokens by RFC 6750, section 2.1. The `$` of a placeholder is not encoded. */
export function writeKey({ kind, location, parameter, scheme = "" }: PlaceScheme, key: string): KeyParts {
  const encoded = key.startsWith("$") ? key : encodeURIComponent(key);
  if (kind === "bearer") return { headers: { authorization: `Bearer ${key}` } };
  if (kind === "other-http") return { headers: { authorization: `${scheme} ${key}`.trim() } };
  if (location === "query") return { query: `${encodeURIComponent(parameter)}=${encoded}` };
  if (location === "cookie") return { cookie: `${parameter}=${encoded}` };
  return { headers: { [parameter.toLowerCase()]: key } };
}

/** Returns the credentials of Basic authentication in base64 (RFC 7617). */
export function writeBasic({ user, password }: { readonly user: string; readonly password: string }): string {
  return Buffer.from(`${user}:${password}`).toString("base64");
}

const credentialHeader =
  /^(?:authorization|cookie|(?:x-)?(?:api|app|access|auth|client|private|project)?-?(?:key|token|secret|auth))$/;

/**
 * Returns the credentials of a request as they are sent, and as reports show them: those of the run, or where the request has another key
 * or none, these in place of the run's key, or in place of its headers with credentials when it has no key.
 */
export function credentialsOf(
  options: RunOptions,
  key?: SendOptions["key"],
): { readonly sent: Credentials; readonly shown: Credentials } {
  const { apiKey } = options;
  if (key === undefined) return { sent: { key: apiKey }, shown: apiKey === undefined ? {} : { key: keyPlaceholder } };
  if (apiKey !== undefined) {
    if (key === "none") return { sent: {}, shown: {} };
    const isAlike = apiKey !== "" && key.value.startsWith(apiKey.slice(0, 4));
    return { sent: { key: key.value }, shown: { key: isAlike ? "$WRONG_KEY" : key.value } };
  }
  const own = Object.entries(credentialHeaders(options));
  const replaced = (write: (value: string, name: string) => string | undefined): Credentials => ({
    headers: Object.fromEntries(own.map(([name, value]) => [name, write(value, name)])),
  });
  if (key === "none") return { sent: replaced(() => undefined), shown: replaced(() => undefined) };
  return {
    sent: replaced((value, name) => otherCredentials(name, value, key.value)),
    shown: replaced(() => "$WRONG_CREDENTIALS"),
  };
}

/** Returns the headers of a run with credentials other than the key, by lower-case name. */
export function credentialHeaders({
  basic,
  headers = {},
}: Pick<RunOptions, "basic" | "headers">): Readonly<Record<string, string>> {
  const given = Object.entries(headers).filter(([name]) => credentialHeader.test(name));
  return {
    ...(basic === undefined ? {} : { authorization: `Basic ${writeBasic(basic)}` }),
    ...Object.fromEntries(given),
  };
}

/** Returns the value of a header with other credentials; for Basic authentication, with another password. */
function otherCredentials(name: string, own: string, value: string): string {
  const [scheme = ""] = /^\S+ /.exec(own) ?? [];
  if (name === "cookie") return own.replaceAll(/=[^;]*/g, `=${value}`);
  if (!/^basic $/i.test(scheme)) return `${scheme}${value}`;
  const [user = ""] = Buffer.from(own.slice(scheme.length), "base64").toString("utf8").split(":");
  return `${scheme}${writeBasic({ user, password: value })}`;
}

/** Returns all strings that no report may contain. */
export function secretsOf(options: RunOptions, baseUrl: BaseUrl): readonly Secret[] {
  const basic = options.basic ?? baseUrl.basic;
  return [
    ...(options.apiKey === undefined ? [] : [{ value: options.apiKey, placeholder: keyPlaceholder }]),
    ...(basic === undefined
      ? []
      : [
          { value: writeBasic(basic), placeholder: basicPlaceholder },
          { value: basic.password, placeholder: "$PASSWORD" },
        ]),
    ...Object.entries(options.headers ?? {}).flatMap(([name, value]) => secretsOfHeader(name, value)),
    ...baseUrl.secrets,
    ...(options.secrets ?? []),
  ];
}

/** Headers without secrets, and words that occur in any response. */
const plainHeaders: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "cache-control",
  "content-type",
  "origin",
  "user-agent",
]);
/** Minimum length of a secret part of a header: shorter ones occur in responses by chance. */
const minimumPartLength = 6;

/** Returns a header's value, and its parts that are secret by themselves: `Bearer abc`, `Token token="abc"`, `session=abc; theme=dark`. */
export function secretsOfHeader(name: string, value: string): readonly Secret[] {
  if (plainHeaders.has(name)) return [];
  const placeholder = `$${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
  const [, scheme = "", credentials = ""] = /^(\S+) (\S.*)$/.exec(value) ?? [];
  const parameters = (credentials === "" || /[=;]$/.test(scheme) ? value : credentials).split(/[,;]\s*/);
  const values = parameters.flatMap((one) => /^[^=\s]+=\s*"?(.*?)"?$/.exec(one.trim())?.[1] ?? []);
  const parts = [credentials, ...values].filter(({ length }) => length >= minimumPartLength);
  const basic = /^basic$/i.test(scheme) ? Buffer.from(credentials, "base64").toString("utf8") : "";
  const password = basic.slice(basic.indexOf(":") + 1);
  return [
    ...[value, ...new Set(parts)].map((one) => ({ value: one, placeholder })),
    ...(basic === "" ? [] : [{ value: password, placeholder: "$PASSWORD" }]),
  ];
}
