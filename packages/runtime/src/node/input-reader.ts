import type { Readable } from "node:stream";
import type { FastifyRequest } from "fastify";
import type { ContentFacts, HttpOperation } from "../operations/operation.ts";
import { ServiceError } from "../errors/service-error.ts";
import { createParametersReader, type ParametersReader } from "../wire/read-parameters.ts";
import { defaultWireLimits, type WireLimits } from "../wire/wire-limits.ts";
import { type BodyLimits, readContent } from "./request-content.ts";
import { essenceOf, findContent, negotiateContent } from "../operations/media-type.ts";
import { assertAnnouncedLength } from "./read-bytes.ts";
import { serviceErrorOfWire } from "./wire-failure.ts";

/** A request with the results of the router. */
export interface IncomingRequest {
  readonly request: FastifyRequest;
  /** Values of the path parameters, percent-encoded. */
  readonly parameterNames: Readonly<Record<string, string>>;
  /** Query, percent-encoded, without question mark. */
  readonly query: string;
  /** Content type as it was sent, a valid media type or not. */
  readonly contentType: string | undefined;
}

/** Reader of an operation's input, parameters and body, as a wire value. Throws `ServiceError` for an unreadable request. */
export interface InputReader {
  /** Reads the input; a promise where there is a body. */
  read(incoming: IncomingRequest): WireInput | Promise<WireInput>;
}

type WireInput = Readonly<Record<string, unknown>>;

export interface InputLimits {
  readonly bodyBytes: number;
  readonly maximumDepth: number;
  readonly maximumParts: number | undefined;
}

/** Creates the reader of an operation's inputs. */
export function createInputReader(operation: HttpOperation, limits: InputLimits): InputReader {
  const wireLimits: WireLimits = {
    ...defaultWireLimits,
    maximumDepth: limits.maximumDepth,
    maximumParts: limits.maximumParts ?? defaultWireLimits.maximumParts,
  };
  const readParameters = createParametersReader(operation.parameters, wireLimits);
  const bodyLimits: BodyLimits = { bytes: limits.bodyBytes, wire: wireLimits };
  return {
    read(incoming) {
      const values = readParts(readParameters, incoming);
      if (operation.negotiates === true) values["accept"] = acceptedType(operation, incoming.request.headers.accept);
      return operation.body === undefined ? values : addBody(values, operation.body, operation, incoming, bodyLimits);
    },
  };
}

function readParts(
  readParameters: ParametersReader,
  { request, parameterNames, query }: IncomingRequest,
): Record<string, unknown> {
  try {
    return readParameters({ path: parameterNames, query, headers: request.headers });
  } catch (error) {
    throw serviceErrorOfWire(error);
  }
}

/** Returns the media type that the client prefers among those of the operation's responses. */
function acceptedType({ successes }: HttpOperation, accept: string | undefined): string | undefined {
  const contents = successes.flatMap(({ content }) => content ?? []);
  return negotiateContent(contents, accept)?.mediaType;
}

async function addBody(
  values: Record<string, unknown>,
  { contents }: NonNullable<HttpOperation["body"]>,
  operation: HttpOperation,
  incoming: IncomingRequest,
  limits: BodyLimits,
): Promise<WireInput> {
  const { request } = incoming;
  const stream = request.body;
  if (!isReadable(stream) || request.headers["content-length"] === "0") return values;
  assertAnnouncedLength(request.headers["content-length"], limits.bytes);
  const content = contentOf(contents, incoming.contentType);
  try {
    const body = await readContent(stream, content, { operation, contentType: incoming.contentType, limits });
    if (body === undefined) return values;
    values["body"] = body;
    if (contents.length > 1 || content.mediaType.includes("*")) {
      values["contentType"] = content.mediaType.includes("*") ? incoming.contentType : content.mediaType;
    }
    return values;
  } catch (error) {
    throw serviceErrorOfWire(error);
  }
}

/**
 * Returns the content for a header. Where no JSON is expected under another name, text or bytes are accepted under any: Esplora's clients
 * send text under several.
 */
function contentOf(contents: readonly ContentFacts[], header: string | undefined): ContentFacts {
  const [first] = contents;
  const isUnnamed = header === undefined || header.trim() === "";
  const essence = essenceOf(header);
  const content = isUnnamed ? first : essence === undefined ? undefined : findContent(contents, essence);
  const lenient = contents.length === 1 && first?.form === "text" ? first : undefined;
  const found = content ?? lenient;
  if (found !== undefined) return found;
  const accepted = contents.map(({ mediaType }) => mediaType).join(", ");
  throw new ServiceError("unsupported_media_type", `The request body has to be ${accepted}`);
}

function isReadable(body: unknown): body is Readable {
  return typeof body === "object" && body !== null && "pipe" in body;
}
