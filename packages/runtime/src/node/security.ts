import type { FastifyRequest } from "fastify";
import { TLSSocket, type PeerCertificate } from "node:tls";
import type { HttpOperation, SecurityRequirementFacts, SecuritySchemeFacts } from "../operations/operation.ts";
import { isServiceError, ServiceError } from "../errors/service-error.ts";

/** API key of a request, from the header, query parameter or cookie that the document names. */
export interface ApiKeyCredentials {
  readonly kind: "api-key";
  readonly key: string;
}

/** Credentials of RFC 7617. */
export interface BasicCredentials {
  readonly kind: "basic";
  readonly username: string;
  readonly password: string;
}

/** Credentials of RFC 6750; also those of OAuth 2 and OpenID Connect. */
export interface BearerCredentials {
  readonly kind: "bearer";
  readonly token: string;
}

/** Credentials of an HTTP scheme that is neither Basic nor Bearer. */
export interface OtherHttpCredentials {
  readonly kind: "other-http";
  /** Lower-case word before the credentials, as in `digest`. */
  readonly scheme: string;
  readonly text: string;
}

/** Credentials of a client whose certificate the TLS layer has accepted. */
export interface MutualTlsCredentials {
  readonly kind: "mutual-tls";
  readonly certificate: PeerCertificate;
}

/** Credentials of a request, by the kind of its security scheme. */
export type Credentials =
  | ApiKeyCredentials
  | BasicCredentials
  | BearerCredentials
  | OtherHttpCredentials
  | MutualTlsCredentials;

/** Input of a security handler's decision. */
export interface SecurityDemand {
  readonly operation: HttpOperation;
  /** Scopes that the document requires; empty where schemes have none. */
  readonly scopes: readonly string[];
}

/**
 * Function that decides whether credentials are valid. Returns its additions to the context of handlers, or undefined when they are not:
 * the response is 401. Throws `ServiceError` `forbidden` for a known client without permission: the response is 403.
 */
export type SecurityHandler<Given extends Credentials, Context> = (
  credentials: Given,
  request: FastifyRequest,
  demand: SecurityDemand,
) => Partial<Context> | undefined | Promise<Partial<Context> | undefined>;

/** Security handlers by name of their scheme. */
export type SecurityHandlers<Context> = Readonly<Record<string, SecurityHandler<never, Context> | undefined>>;

/** The schemes of an API by name. */
export type SecuritySchemes = Readonly<Record<string, SecuritySchemeFacts>>;

/** Security requirements of a document, and the handlers that decide. Without handlers nothing is checked. */
export interface RestSecurity<Context> {
  readonly schemes: SecuritySchemes;
  readonly handlers: SecurityHandlers<Context> | undefined;
}

/** Returns schemes with their handlers, which generated code types by scheme. */
export function restSecurity<Context>(schemes: SecuritySchemes, handlers: object | undefined): RestSecurity<Context> {
  if (handlers === undefined) return { schemes, handlers };
  return { schemes, handlers: { ...(handlers as SecurityHandlers<Context>) } };
}

/** Function that checks a request to an operation; returns the additions to its context. Throws `SecurityRefusal`. */
export type SecurityCheck = (operation: HttpOperation, request: FastifyRequest) => Promise<object>;

/** Error when none of the alternatives admits the request. */
export class SecurityRefusal extends Error {
  override readonly name = "SecurityRefusal";
  readonly error: ServiceError;
  /** Value of `WWW-Authenticate`. */
  readonly challenge: string;

  constructor(error: ServiceError, challenge: string) {
    super(error.message);
    this.error = error;
    this.challenge = challenge;
  }
}

/**
 * Creates the check of every operation's security requirements. Throws `Error` where an operation needs a scheme that has no handler: such
 * a server must not start.
 */
export function createSecurityCheck<Context>(
  operations: Iterable<HttpOperation>,
  schemes: SecuritySchemes,
  handlers: SecurityHandlers<Context>,
): SecurityCheck {
  assertHandlers(operations, schemes, handlers);
  return async (operation, request) => {
    const alternatives = operation.security ?? [];
    if (alternatives.length === 0) return {};
    let refusal: ServiceError | undefined;
    // A client with credentials is not treated as anonymous, even where anonymous clients are admitted.
    for (const requirement of alternatives.filter(({ length }) => length > 0)) {
      const verdict = await tryRequirement(requirement, { operation, request, schemes, handlers });
      if (isServiceError(verdict)) refusal ??= verdict;
      else if (verdict !== undefined) return verdict;
    }
    if (alternatives.some(({ length }) => length === 0)) return {};
    throw new SecurityRefusal(
      refusal ?? new ServiceError("unauthenticated", "Credentials are missing or not accepted"),
      challengeOf(alternatives, schemes, refusal !== undefined),
    );
  };
}

interface Attempt<Context> {
  readonly operation: HttpOperation;
  readonly request: FastifyRequest;
  readonly schemes: SecuritySchemes;
  readonly handlers: SecurityHandlers<Context>;
}

/** Throws for a scheme without a handler. A scheme that the document requires and does not describe has none and admits no request. */
function assertHandlers<Context>(
  operations: Iterable<HttpOperation>,
  schemes: SecuritySchemes,
  handlers: SecurityHandlers<Context>,
): void {
  for (const { name, security = [] } of operations) {
    for (const { scheme } of security.flat()) {
      if (!Object.hasOwn(schemes, scheme)) continue;
      if (!Object.hasOwn(handlers, scheme) || handlers[scheme] === undefined) {
        throw new Error(`${name} needs the security scheme "${scheme}", which has no handler`);
      }
    }
  }
}

/** Returns the additions of all schemes of an alternative; undefined when one of them is not satisfied; the error that forbids. */
async function tryRequirement<Context>(
  requirement: SecurityRequirementFacts,
  { operation, request, schemes, handlers }: Attempt<Context>,
): Promise<object | ServiceError | undefined> {
  const additions = {};
  for (const { scheme, scopes } of requirement) {
    const facts = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined;
    const credentials = facts === undefined ? undefined : readCredentials(facts, request);
    if (credentials === undefined) return undefined;
    try {
      // The handlers' table is typed by scheme: each accepts the credentials of its own scheme.
      const addition = await handlers[scheme]?.(credentials as never, request, { operation, scopes });
      if (addition === undefined) return undefined;
      Object.assign(additions, addition);
    } catch (error) {
      if (isServiceError(error) && error.code === "unauthenticated") return undefined;
      if (isServiceError(error) && error.code === "forbidden") return error;
      throw error;
    }
  }
  return additions;
}

function readCredentials(facts: SecuritySchemeFacts, request: FastifyRequest): Credentials | undefined {
  switch (facts.kind) {
    case "api-key": {
      const key = readKey(facts, request);
      return key === undefined || key === "" ? undefined : { kind: "api-key", key };
    }
    case "basic":
      return readBasic(authorization(request, "basic"));
    case "bearer": {
      const token = authorization(request, "bearer");
      return token === undefined ? undefined : { kind: "bearer", token };
    }
    case "other-http": {
      const scheme = (facts.scheme ?? "").toLowerCase();
      const text = authorization(request, scheme);
      return text === undefined ? undefined : { kind: "other-http", scheme, text };
    }
    case "mutual-tls":
      return readCertificate(request);
  }
}

/** Returns the credentials of an `Authorization` header (RFC 9110, section 11.4); undefined for another scheme. */
function authorization({ headers }: FastifyRequest, scheme: string): string | undefined {
  const header = headers.authorization ?? "";
  const space = header.indexOf(" ");
  const word = space === -1 ? header : header.slice(0, space);
  const text = space === -1 ? "" : header.slice(space + 1).trim();
  return word.toLowerCase() === scheme && text !== "" ? text : undefined;
}

function readBasic(text: string | undefined): BasicCredentials | undefined {
  if (text === undefined || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const pair = Buffer.from(text, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon === -1 ? undefined : { kind: "basic", username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}

function readKey({ location, parameter }: SecuritySchemeFacts, request: FastifyRequest): string | undefined {
  switch (location) {
    case "header":
      return onlyText(request.headers[parameter.toLowerCase()]);
    case "query":
      return new URLSearchParams(queryOf(request.url)).get(parameter) ?? undefined;
    case "cookie":
      return readCookie(request.headers.cookie ?? "", parameter);
  }
}

function onlyText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0];
}

function queryOf(url: string): string {
  const mark = url.indexOf("?");
  return mark === -1 ? "" : url.slice(mark + 1);
}

/** Reads a cookie (RFC 6265, section 5.4). */
function readCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return undefined;
}

function readCertificate({ raw: { socket } }: FastifyRequest): MutualTlsCredentials | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  return { kind: "mutual-tls", certificate: socket.getPeerCertificate() };
}

/** Returns the challenge with the accepted schemes (RFC 9110, section 11.6.1). */
function challengeOf(
  alternatives: readonly SecurityRequirementFacts[],
  schemes: SecuritySchemes,
  isForbidden: boolean,
): string {
  const challenges = alternatives.flat().flatMap(({ scheme, scopes }) => {
    const facts = Object.hasOwn(schemes, scheme) ? schemes[scheme] : undefined;
    return facts === undefined ? [] : (challenge(facts, scopes, isForbidden) ?? []);
  });
  return [...new Set(challenges)].join(", ");
}

function challenge(
  { kind, location, parameter, scheme = "" }: SecuritySchemeFacts,
  scopes: readonly string[],
  isForbidden: boolean,
): string | undefined {
  switch (kind) {
    case "basic":
      return 'Basic realm="api", charset="UTF-8"';
    case "bearer":
      return bearerChallenge(scopes, isForbidden);
    case "api-key":
      return `ApiKey realm="api", in="${location}", name=${quoted(parameter)}`;
    case "other-http":
      return `${scheme} realm="api"`;
    case "mutual-tls":
      return undefined;
  }
}

/** Returns the challenge of RFC 6750, section 3. */
function bearerChallenge(scopes: readonly string[], isForbidden: boolean): string {
  const error = isForbidden ? ', error="insufficient_scope"' : "";
  return `Bearer realm="api"${error}${scopes.length === 0 ? "" : `, scope=${quoted(scopes.join(" "))}`}`;
}

/** Returns a quoted string (RFC 9110, section 5.6.4), without characters that a header can't contain. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[^\x20-\x7e]/g, "").replaceAll(/["\\]/g, "\\$&")}"`;
}
