import type { FastifyRequest } from "fastify";
import type { ContentFacts, HttpOperation, ParameterFacts } from "../operation.ts";
import { createParameterReader, decodeScalar, type RawParameters, readCookies } from "../parameter-text.ts";
import { ServiceError } from "../service-error.ts";
import { readJsonBody, readTextBody } from "./json-body.ts";

/** Reads the wire value of an operation's whole input. Throws `ServiceError` for a body that can't be read. */
export type InputReader = (request: FastifyRequest) => Readonly<Record<string, unknown>>;

type Raw = RawParameters & { readonly request: FastifyRequest };

/** Prepares the reading of an operation's inputs. `parameterNames` are those of its path, by position. */
export function createInputReader(
  operation: HttpOperation,
  parameterNames: readonly string[],
  maximumDepth: number,
): InputReader {
  const readRaw = createRawReader(operation.parameters, parameterNames);
  const inputs = operation.parameters.map((facts) => ({
    property: facts.property,
    default: facts.default,
    read: createParameterReader(facts),
  }));
  const readBody = operation.body === undefined ? undefined : createBodyReader(operation.body, maximumDepth);
  return (request) => {
    const raw = readRaw(request);
    const values: Record<string, unknown> = {};
    for (const input of inputs) {
      const value = input.read(raw) ?? input.default;
      if (value !== undefined) values[input.property] = value;
    }
    const body = readBody?.(request);
    if (body !== undefined) values["body"] = body;
    return values;
  };
}

/** Gathers the places that the operation's parameters stand in, and no others. */
function createRawReader(
  parameters: readonly ParameterFacts[],
  parameterNames: readonly string[],
): (request: FastifyRequest) => Raw {
  const hasCookies = parameters.some((facts) => facts.location === "cookie");
  return (request) => ({
    request,
    path: readPath(request, parameterNames),
    query: request.query as RawParameters["query"],
    headers: request.headers,
    cookies: hasCookies ? readCookies(request.headers.cookie) : noCookies,
  });
}

const noCookies: RawParameters["cookies"] = {};

function readPath(request: FastifyRequest, parameterNames: readonly string[]): Readonly<Record<string, string>> {
  const positional = request.params as Readonly<Record<string, string | undefined>>;
  const path: Record<string, string> = {};
  for (let position = 0; position < parameterNames.length; position += 1) {
    const name = parameterNames[position];
    const text = positional[`p${position}`];
    if (name !== undefined && text !== undefined) path[name] = text;
  }
  return path;
}

function createBodyReader(
  facts: NonNullable<HttpOperation["body"]>,
  maximumDepth: number,
): (request: FastifyRequest) => unknown {
  return (request) => {
    const bytes = request.body;
    if (!(bytes instanceof Uint8Array) || bytes.length === 0) return undefined;
    const content = findContent(facts.contents, request.headers["content-type"]);
    switch (content.form) {
      case "json":
        return readJsonBody(bytes, maximumDepth);
      case "text":
        return decodeScalar(content.decoding ?? "string", readTextBody(bytes));
      default:
        return bytes;
    }
  };
}

/** A text is taken under any media type, because Esplora's clients send theirs under several; JSON must not be called anything else. */
function findContent(contents: readonly ContentFacts[], header: string | undefined): ContentFacts {
  const mediaType = mediaTypeOf(header);
  const exact = contents.find((content) => mediaType === undefined || mediaTypeOf(content.mediaType) === mediaType);
  const content = exact ?? contents.find((candidate) => candidate.form !== "json");
  if (content !== undefined) return content;
  const accepted = contents.map(({ mediaType: name }) => name).join(", ");
  throw new ServiceError("unsupported_media_type", `The request body has to be ${accepted}`);
}

/** `Application/JSON; charset=utf-8` gives `application/json`. */
function mediaTypeOf(header: string | undefined): string | undefined {
  const [name = ""] = (header ?? "").split(";");
  return name.trim() === "" ? undefined : name.trim().toLowerCase();
}
