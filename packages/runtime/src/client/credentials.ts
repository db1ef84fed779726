import type { HttpCall, SecuritySchemeFacts } from "../operations/operation.ts";
import { base64 } from "./redaction.ts";

/** A key or token, or a function that returns it each time one is needed. */
export type Credential = string | (() => string | Promise<string>);

/** Credentials of RFC 7617. */
export interface BasicCredential {
  readonly username: string;
  readonly password: string;
}

/** Credentials of HTTP's Basic scheme, or a function that returns them each time they are needed. */
export type BasicCredentialOption = BasicCredential | (() => BasicCredential | Promise<BasicCredential>);

/** Credentials by the names of a client's security options. */
export type Credentials = Readonly<Record<string, Credential | BasicCredentialOption | undefined>>;

/** Facts of a generated client about the security schemes of its API. */
export interface SecurityFacts {
  readonly schemes?: Readonly<Record<string, SecuritySchemeFacts>>;
  /** Names of schemes by name of a security option. */
  readonly security?: Readonly<Record<string, string>>;
}

interface NamedScheme extends SecuritySchemeFacts {
  readonly name: string;
}

/** Additions of credentials to a request. */
export interface SecurityAdditions {
  /** Percent-encoded query pairs. */
  readonly query: readonly string[];
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  /** Strings that no error may contain. */
  readonly secrets: readonly string[];
}

/** Function that determines the credentials of an operation's requests. */
export type SecurityWriter = (operation: Pick<HttpCall, "name" | "security">) => Promise<SecurityAdditions>;

const nothing: SecurityAdditions = { query: [], headers: {}, cookies: [], secrets: [] };

/**
 * Creates the writer of credentials: those of an operation's first alternative that needs some and whose schemes all have some. An
 * operation without such an alternative is sent none.
 */
export function createSecurityWriter(
  { schemes = {}, security = {} }: SecurityFacts,
  given: object = {},
): SecurityWriter {
  const credentials = given as Credentials;
  const known = new Map<string, () => Promise<SecurityAdditions>>();
  for (const [name, facts] of Object.entries(schemes)) {
    // The certificate belongs to the connection.
    if (facts.kind === "mutual-tls") known.set(name, async () => nothing);
  }
  for (const [option, name] of Object.entries(security)) {
    const facts = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
    const credential = Object.hasOwn(credentials, option) ? credentials[option] : undefined;
    if (facts !== undefined && credential !== undefined) {
      known.set(name, () => writeCredential({ ...facts, name }, credential));
    }
  }
  return async ({ security = [] }) => {
    const requirement = known.size === 0 ? undefined : security.find((needed) => isMet(needed, known));
    if (requirement === undefined) return nothing;
    const additions = await Promise.all(requirement.map(({ scheme }) => known.get(scheme)?.() ?? nothing));
    return additions.reduce(combine, nothing);
  };
}

function isMet(requirement: readonly { readonly scheme: string }[], known: ReadonlyMap<string, unknown>): boolean {
  return requirement.length > 0 && requirement.every(({ scheme }) => known.has(scheme));
}

async function writeCredential(
  scheme: NamedScheme,
  credential: Credential | BasicCredentialOption,
): Promise<SecurityAdditions> {
  const given = typeof credential === "function" ? await credential() : credential;
  const text = credentialText(scheme, given);
  const secrets = typeof given === "string" ? [given] : [given.password, text.slice("Basic ".length)];
  switch (scheme.kind === "api-key" ? scheme.location : "header") {
    case "query":
      return { ...nothing, query: [`${encodeURIComponent(scheme.parameter)}=${encodeURIComponent(text)}`], secrets };
    case "cookie":
      return { ...nothing, cookies: [`${scheme.parameter}=${encodeURIComponent(text)}`], secrets };
    case "header": {
      const name = scheme.kind === "api-key" ? scheme.parameter.toLowerCase() : "authorization";
      return { ...nothing, headers: { [name]: text }, secrets };
    }
  }
}

/** Returns the credentials of RFC 9110, section 11.4. */
function credentialText({ name, kind, scheme = "" }: NamedScheme, given: string | BasicCredential): string {
  if (kind === "basic") {
    if (typeof given === "string") throw new TypeError(`The security scheme ${name} takes a username and a password`);
    return `Basic ${base64(`${given.username}:${given.password}`)}`;
  }
  if (typeof given !== "string") throw new TypeError(`The security scheme ${name} takes a text`);
  if (kind === "bearer") return `Bearer ${given}`;
  return kind === "other-http" ? `${scheme} ${given}` : given;
}

function combine(left: SecurityAdditions, right: SecurityAdditions): SecurityAdditions {
  return {
    query: [...left.query, ...right.query],
    headers: { ...left.headers, ...right.headers },
    cookies: [...left.cookies, ...right.cookies],
    secrets: [...left.secrets, ...right.secrets],
  };
}
