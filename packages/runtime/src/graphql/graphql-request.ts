import type { FastifyRequest } from "fastify";
import { isDeeperThan } from "../json/json-depth.ts";
import { readLosslessJson } from "../json/lossless-json.ts";
import { countJsonValues } from "../json/json-values.ts";
import { readJsonText, readTextBody } from "../node/json-body.ts";
import { ServiceError } from "../errors/service-error.ts";
import { assertVariableName, limitPassed } from "./document-limits.ts";
import type { GraphqlRequest } from "./graphql-engine.ts";

type Members = Readonly<Record<string, unknown>>;

export const jsonMediaType = "application/json";
const responseMediaType = "application/graphql-response+json";

/** Reads the request of a POST (GraphQL over HTTP, section 5.4). Throws `ServiceError`. */
export function readPostRequest(request: FastifyRequest, maximumDepth: number): GraphqlRequest {
  assertJson(request.headers["content-type"]);
  assertUncoded(request.headers["content-encoding"]);
  const bytes = request.body instanceof Uint8Array ? request.body : new Uint8Array();
  const text = readTextBody(bytes);
  assertValues(text);
  return readMembers(readJsonText(text, maximumDepth));
}

/** Reads the request of a GET (section 5.3): `variables` and `extensions` are JSON text. Throws `ServiceError`. */
export function readGetRequest(request: FastifyRequest, maximumDepth: number): GraphqlRequest {
  const { query, operationName, variables, extensions } = request.query as Members;
  return readMembers({
    query: emptyAsAbsent(query),
    operationName,
    variables: readParameter("variables", variables, maximumDepth),
    extensions: readParameter("extensions", extensions, maximumDepth),
  });
}

/** Returns the media type of the response: the preferred one of the two in `Accept`, JSON where it prefers neither. */
export function negotiateMediaType(accept: string | undefined): string {
  // The values of nearly all clients.
  if (accept === undefined || accept === "*/*" || accept === jsonMediaType) return jsonMediaType;
  const wanted = accept.split(",").map(readRange);
  const best = wanted
    .filter(({ name, quality }) => quality > 0 && mediaTypeByRange.has(name))
    .reduce<MediaRange | undefined>((left, right) => (left && left.quality >= right.quality ? left : right), undefined);
  return mediaTypeByRange.get(best?.name ?? "") ?? jsonMediaType;
}

interface MediaRange {
  readonly name: string;
  readonly quality: number;
}

const mediaTypeByRange: ReadonlyMap<string, string> = new Map([
  [responseMediaType, responseMediaType],
  [jsonMediaType, jsonMediaType],
  ["application/*", jsonMediaType],
  ["*/*", jsonMediaType],
]);

/** Reads `application/json;q=0.5` with its quality (RFC 9110, section 12.4.2). */
function readRange(text: string): MediaRange {
  const [name = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith("q="));
  const value = quality === undefined ? 1 : Number(quality.slice(2));
  return { name, quality: Number.isFinite(value) ? value : 0 };
}

/** Throws unless the type is JSON: any other could be sent by a page of another origin without a preflight. */
function assertJson(contentType: string | undefined): void {
  if (contentType === jsonMediaType) return;
  const [name = "", ...parameters] = (contentType ?? "").split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  if (name === jsonMediaType && isUtf8) return;
  throw new ServiceError("unsupported_media_type", "A GraphQL request is application/json in UTF-8");
}

function assertUncoded(coding = "identity"): void {
  if (coding.toLowerCase() === "identity") return;
  throw new ServiceError("unsupported_media_type", "The body of a GraphQL request is sent as it is, not compressed");
}

function readMembers(value: unknown): GraphqlRequest {
  if (!isMembers(value))
    throw new ServiceError("invalid_request", "A GraphQL request is a JSON object; batches are not supported");
  const query = member(value, "query");
  // No operation can have the empty name: clients send it for none.
  const operationName = emptyAsAbsent(member(value, "operationName")) ?? undefined;
  const variables = member(value, "variables") ?? {};
  const extensions = member(value, "extensions") ?? {};
  if (typeof query !== "string") throw noQuery(extensions);
  if (operationName !== undefined && typeof operationName !== "string") {
    throw new ServiceError("invalid_request", "operationName has to be a string");
  }
  if (!isMembers(variables)) throw new ServiceError("invalid_request", "variables has to be an object");
  if (!isMembers(extensions)) throw new ServiceError("invalid_request", "extensions has to be an object");
  assertNames(variables);
  return { query, operationName, variables };
}

/**
 * Creates the error for a missing query. Clients that send the digest of a query in its place know this message, and then send the query
 * itself.
 */
function noQuery(extensions: unknown): ServiceError {
  const isPersisted = isMembers(extensions) && Object.hasOwn(extensions, "persistedQuery");
  const message = isPersisted ? "PersistedQueryNotSupported" : "A GraphQL request needs a query, a string";
  return new ServiceError("invalid_request", message);
}

/** Maximum number of values: variables are read value by value, each with its path. */
const maximumValues = 10_000;

function assertValues(text: string): void {
  // Each takes two characters.
  if (text.length <= maximumValues * 2) return;
  const values = countJsonValues(text);
  if (values <= maximumValues) return;
  const message = `The request has ${values} values, more than the limit of ${maximumValues}; send fewer variables, or shorter lists`;
  throw limitPassed("variables", maximumValues, values, message);
}

/** Checks the lengths of names: an unknown name is compared with all known ones. */
function assertNames(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    assertVariableName(name.length);
    assertNames(inner);
  }
}

/** Reads a parameter that is JSON text. A repeated one is not text, and is rejected later. */
function readParameter(name: string, text: unknown, maximumDepth: number): unknown {
  if (typeof text !== "string") return text;
  if (text === "") return undefined;
  assertValues(text);
  if (isDeeperThan(text, maximumDepth)) throw new ServiceError("invalid_request", `${name} is nested too deep`);
  try {
    return readLosslessJson(text);
  } catch (error) {
    throw new ServiceError("parse_error", `${name} is not valid JSON`, { cause: error });
  }
}

function emptyAsAbsent(value: unknown): unknown {
  return value === "" ? undefined : value;
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function member(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
