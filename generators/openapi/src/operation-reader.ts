import type { Direction } from "@nodewright/api-model";
// OpenAPI 3.1, section 4.8.10: Operation Object.
import {
  checkExtensions,
  type Documentation,
  type HttpBinding,
  extensionsFrom,
  type Operation,
  readRelations,
} from "@nodewright/model";
import type { SourceValue, SourceRange } from "@nodewright/source";
import { type Responses, readResponses } from "./responses.ts";
import { pairExamples } from "./example-cases.ts";
import { ParameterReader } from "./parameter-reader.ts";
import type { PathItem } from "./path-item.ts";
import type { Reading } from "./reading.ts";
import { RequestBodyReader } from "./request-body-reader.ts";
import { ResponseReader } from "./response-reader.ts";
import { readRequirements } from "./security-reader.ts";

/** An operation without its links, which are read when all operations are known. */
export interface ReadOperation {
  readonly operation: Operation;
  readonly place: SourceValue;
  readonly links: Responses["links"];
}

/** Facts about an operation that are known before its own members are read. */
export interface OperationFrame {
  readonly name: string;
  readonly origin: string;
  readonly binding: HttpBinding;
  readonly pathItem: PathItem;
  readonly place: SourceValue;
  /** Returns the range of a path parameter in the path template; absent if requests have no path to match. */
  readonly pathParameterSource?: (name: string) => SourceRange;
}

/** Reader of operations with the same direction of requests and responses. */
export class OperationReader {
  readonly #reading: Reading;
  readonly #document: SourceValue;
  readonly #isOutgoing: boolean;
  readonly parameters: ParameterReader;
  readonly bodies: RequestBodyReader;
  readonly responses: ResponseReader;

  /** `request` is the direction of the requests: in webhooks and callbacks the API is the client. */
  constructor(reading: Reading, document: SourceValue, request: Direction) {
    const response = request === "request" ? "response" : "request";
    this.#reading = reading;
    this.#document = document;
    this.#isOutgoing = request === "request";
    this.parameters = new ParameterReader(reading, request);
    this.bodies = new RequestBodyReader(reading, request);
    this.responses = new ResponseReader(reading, response);
  }

  read({ name, origin, binding, pathItem, place, pathParameterSource }: OperationFrame): ReadOperation {
    const reading = this.#reading;
    checkExtensions(place, reading.sink);
    const body = this.bodies.read(place, binding.method);
    const responses = readResponses(reading, this.responses, place, { method: binding.method, origin });
    const parameters = this.parameters.readAll({
      path: binding.path,
      pathItem,
      place,
      reserved: reservedInputs(body?.body.contents.length ?? 0, responses),
      ...(pathParameterSource === undefined ? {} : { pathParameterSource }),
    });
    // The security requirements of the document apply to clients, not to the API when it is the client.
    const mayBeSecured = this.#isOutgoing || place.has("security");
    const security = mayBeSecured ? readRequirements(reading, this.#document, place) : undefined;
    const relations = readRelations(place.member("x-relations")?.items ?? [], reading.sink);
    const operation: Operation = {
      name,
      origin,
      binding,
      tags: reading.members.list(place, "tags").flatMap((tag) => tag.string ?? []),
      parameters: parameters.map(({ parameter }) => parameter),
      ...(body === undefined ? {} : { body: body.body }),
      successes: responses.successes,
      failures: responses.failures,
      examples: pairExamples(reading, { origin, parameters, body, responses }),
      links: [],
      ...(relations.length === 0 ? {} : { relations }),
      extensions: extensionsFrom((name) => place.member(name)?.value),
      ...(security === undefined ? {} : { security }),
      source: place.source,
      documentation: readDocumentation(reading, pathItem, place),
    };
    return { operation, place, links: responses.links };
  }
}

/** Returns the names of inputs that are not parameters: the body, its media type, and the accepted media type. */
function reservedInputs(bodies: number, { successes }: Responses): readonly string[] {
  const isNegotiated = new Set(successes.map(({ status }) => status)).size < successes.length;
  return ["body", ...(bodies > 1 ? ["contentType"] : []), ...(isNegotiated ? ["accept"] : [])];
}

/** Returns the documentation of the operation, else that of its path item. */
function readDocumentation(reading: Reading, pathItem: PathItem, place: SourceValue): Documentation {
  const summary = reading.members.text(place, "summary") ?? pathItem.member("summary")?.string;
  const description = reading.members.text(place, "description") ?? pathItem.member("description")?.string;
  const isDeprecated = reading.members.flag(place, "deprecated") === true;
  return {
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(isDeprecated ? { deprecated: true } : {}),
  };
}
