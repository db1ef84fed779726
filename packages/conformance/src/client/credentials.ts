import type { SecuritySchemeFacts } from "@nodewright/runtime";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { RunOptions } from "../contract/options.ts";
import type { BaseUrl } from "./base-url.ts";
import type { Secret } from "@nodewright/secret-mask";

/** Parts of a request with credentials. */
export interface CredentialParts {
  /** Percent-encoded pair; empty without a key in the query. */
  readonly query: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Cookie pair; empty without a key in a cookie. */
  readonly cookie: string;
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
export function writeKey(scheme: PlaceScheme, key: string): CredentialParts {
  const none: CredentialParts = { query: "", headers: {}, cookie: "" };
  const encoded = key.startsWith("$") ? key : encodeURIComponent(key);
  if (scheme.kind === "bearer") return { ...none, headers: { authorization: `Bearer ${key}` } };
  if (scheme.kind === "other-http")
    return { ...none, headers: { authorization: `${scheme.scheme ?? ""} ${key}`.trim() } };
  if (scheme.location === "query") return { ...none, query: `${encodeURIComponent(scheme.parameter)}=${encoded}` };
  if (scheme.location === "cookie") return { ...none, cookie: `${scheme.parameter}=${encoded}` };
  return { ...none, headers: { [scheme.parameter.toLowerCase()]: key } };
}

/** Returns the credentials of Basic authentication in base64 (RFC 7617). */
export function writeBasic({ user, password }: { readonly user: string; readonly password: string }): string {
  return Buffer.from(`${user}:${password}`).toString("base64");
}

const credentialHeader =
  /^(?:authorization|cookie|(?:x-)?(?:api|app|access|auth|client|private|project)?-?(?:key|token|secret|auth))$/;

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

/** Returns the same headers with other credentials; for Basic authentication, with another password. */
export function otherCredentials(
  options: Pick<RunOptions, "basic" | "headers">,
  value: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(credentialHeaders(options)).map(([name, own]) => {
      const [scheme = ""] = /^\S+ /.exec(own) ?? [];
      if (name === "cookie") return [name, own.replaceAll(/=[^;]*/g, `=${value}`)];
      if (!/^basic $/i.test(scheme)) return [name, `${scheme}${value}`];
      const [user = ""] = Buffer.from(own.slice(scheme.length), "base64").toString("utf8").split(":");
      return [name, `${scheme}${writeBasic({ user, password: value })}`];
    }),
  );
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
const shortestPart = 6;

/** Returns a header's value, and its parts that are secret by themselves: `Bearer abc`, `Token token="abc"`, `session=abc; theme=dark`. */
export function secretsOfHeader(name: string, value: string): readonly Secret[] {
  if (plainHeaders.has(name)) return [];
  const placeholder = `$${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
  const [, scheme = "", credentials = ""] = /^(\S+) (\S.*)$/.exec(value) ?? [];
  const parameters = (credentials === "" || /[=;]$/.test(scheme) ? value : credentials).split(/[,;]\s*/);
  const values = parameters.flatMap((one) => /^[^=\s]+=\s*"?(.*?)"?$/.exec(one.trim())?.[1] ?? []);
  const parts = [credentials, ...values].filter(({ length }) => length >= shortestPart);
  const basic = /^basic$/i.test(scheme) ? Buffer.from(credentials, "base64").toString("utf8") : "";
  const password = basic.slice(basic.indexOf(":") + 1);
  return [
    ...[value, ...new Set(parts)].map((one) => ({ value: one, placeholder })),
    ...(basic === "" ? [] : [{ value: password, placeholder: "$PASSWORD" }]),
  ];
}
