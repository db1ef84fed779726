// OpenAPI 3.1, section 4.8.16: Responses Object.
import {
  createNameAllocator,
  type Failure,
  type HttpBinding,
  type NameAllocator,
  type StatusPattern,
  type Success,
} from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import type { ReadContent } from "./content-reader.ts";
import type { NamedExamples } from "./named-examples.ts";
import { suggestion } from "./parameter-style.ts";
import type { Reading } from "./reading.ts";
import type { ReadResponse, ResponseReader } from "./response-reader.ts";

export interface Responses {
  readonly successes: readonly [Success, ...Success[]];
  readonly failures: readonly Failure[];
  /** Examples by numeric status code. */
  readonly examples: ReadonlyMap<number, NamedExamples>;
  /** Link Objects; those of failures with their status. */
  readonly links: readonly (readonly [name: string, link: SourceValue, status?: StatusPattern])[];
}

interface StatusResponse extends ReadResponse {
  readonly status: StatusPattern;
  readonly source: Success["source"];
}

/** Names of failures for status codes that identify them (RFC 9110, section 15, and RFC 6585). */
const statusNames: Readonly<Record<number, string>> = {
  300: "MultipleChoices",
  301: "MovedPermanently",
  302: "Found",
  303: "SeeOther",
  304: "NotModified",
  307: "TemporaryRedirect",
  308: "PermanentRedirect",
  400: "BadRequest",
  401: "Unauthorized",
  402: "PaymentRequired",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  406: "NotAcceptable",
  408: "RequestTimeout",
  409: "Conflict",
  410: "Gone",
  411: "LengthRequired",
  412: "PreconditionFailed",
  413: "ContentTooLarge",
  414: "UriTooLong",
  415: "UnsupportedMediaType",
  416: "RangeNotSatisfiable",
  417: "ExpectationFailed",
  422: "UnprocessableContent",
  423: "Locked",
  424: "FailedDependency",
  426: "UpgradeRequired",
  428: "PreconditionRequired",
  429: "TooManyRequests",
  431: "RequestHeaderFieldsTooLarge",
  451: "UnavailableForLegalReasons",
  500: "InternalServerError",
  501: "NotImplemented",
  502: "BadGateway",
  503: "ServiceUnavailable",
  504: "GatewayTimeout",
};

const patterns = ["1XX", "2XX", "3XX", "4XX", "5XX", "default"] as const;

/** Status codes of responses without a body, whatever the document defines (RFC 9110, section 6.4.1). */
const statusesWithoutBody: ReadonlySet<StatusPattern> = new Set([204, 205, 304]);

/** Reads the responses of an operation, separated into successes and failures. */
export function readResponses(
  reading: Reading,
  responses: ResponseReader,
  operation: SourceValue,
  { method, origin }: { readonly method: HttpBinding["method"]; readonly origin: string },
): Responses {
  const described = readStatuses(reading, responses, operation).map((one) =>
    method === "HEAD" || statusesWithoutBody.has(one.status) ? { ...one, contents: [] } : one,
  );
  const successes = successResponses(described);
  const failures = described.filter((one) => !successes.includes(one) && classOf(one.status) !== 1);
  const names = createNameAllocator();
  if (successes.length === 0 && !hasSuccess(operation)) reportNoSuccess(reading, operation, origin);
  return {
    successes: atLeastOne(
      successes.flatMap((one) => successesOf(one)),
      operation,
    ),
    failures: failures.map((one) => failureOf(one, names)),
    examples: new Map(
      described.flatMap((one) =>
        typeof one.status === "number" ? [[one.status, examplesOf(one.status, one)] as const] : [],
      ),
    ),
    links: [
      ...successes.flatMap(({ links }) => links),
      ...failures.flatMap(({ links, status }) => links.map(([name, link]) => [name, link, status] as const)),
    ],
  };
}

function readStatuses(reading: Reading, responses: ResponseReader, operation: SourceValue): readonly StatusResponse[] {
  const owner = operation.member("responses");
  if (owner === undefined) return [];
  return owner.members.flatMap(([text, item]) => {
    if (text.startsWith("x-")) return [];
    const status = readStatus(text);
    if (status === undefined)
      reading.report("wrong-status", owner.keySource(text), { status: text, suggestion: suggestion(text, patterns) });
    // Read even so, to report the errors in it.
    const response = responses.read(item);
    return status === undefined || response === undefined ? [] : [{ ...response, status, source: item.source }];
  });
}

function readStatus(text: string): StatusPattern | undefined {
  if (/^[1-5][0-9]{2}$/.test(text)) return Number(text);
  return patterns.find((pattern) => pattern === text);
}

/** Returns the first digit of a status; 0 for `default`. */
function classOf(status: StatusPattern): number {
  if (typeof status === "number") return Math.floor(status / 100);
  return status === "default" ? 0 : Number(status[0]);
}

/**
 * Returns the responses that are successes: 2xx, with exact status codes before their class. 3xx responses redirect, which most clients
 * follow automatically: they are successes only if there is no other. 1xx responses only announce others. If only `default` is described,
 * it is the success too.
 */
function successResponses(described: readonly StatusResponse[]): readonly StatusResponse[] {
  for (const wanted of [2, 3]) {
    const successes = described.filter(({ status }) => classOf(status) === wanted);
    if (successes.length > 0) return successes.toSorted((left, right) => rankOf(left) - rankOf(right));
  }
  return described.filter(({ status }) => status === "default").map((one) => ({ ...one, status: "2XX" as const }));
}

function rankOf({ status }: StatusResponse): number {
  return typeof status === "number" ? 0 : 1;
}

/** Returns one success for each media type that clients can distinguish from the others. */
function successesOf({ status, contents, headers, description, source }: StatusResponse): readonly Success[] {
  const shared = { status, headers, description, source };
  const [first, ...others] = preferredFirst(contents);
  if (first === undefined) return [shared];
  const isEquivalent = (other: ReadContent): boolean => isSameContent(first, other);
  const equivalents = others.filter(isEquivalent).map(({ content }) => content);
  return [
    { ...shared, content: first.content, ...(equivalents.length === 0 ? {} : { equivalents }) },
    ...others.filter((other) => !isEquivalent(other)).map(({ content }) => ({ ...shared, content })),
  ];
}

/** Moves JSON to the front: clients that request no media type receive it. */
function preferredFirst(contents: readonly ReadContent[]): readonly ReadContent[] {
  const first = contents.find(({ content }) => content.form === "json");
  return first === undefined ? contents : [first, ...contents.filter((one) => one !== first)];
}

/**
 * Returns the examples of the body that clients receive. For failures, whose bodies are the same in all media types, returns the first ones
 * found.
 */
function examplesOf(status: number, { contents }: ReadResponse): NamedExamples {
  const examples =
    status >= 400
      ? contents.find((content) => content.examples.size > 0)?.examples
      : preferredFirst(contents)[0]?.examples;
  return examples ?? new Map();
}

/**
 * Returns whether another content is JSON with another media type, such as `text/json`, or `text/plain` with the schema of the JSON next to
 * it.
 */
function isSameContent(json: ReadContent, other: ReadContent): boolean {
  if (json.content.form !== "json" || !["json", "text"].includes(other.content.form)) return false;
  return json.schema !== undefined && other.schema !== undefined && isSameSchema(other.schema, json.schema);
}

function isSameSchema(left: SourceValue, right: SourceValue): boolean {
  // Document generators write the same schema once for each media type.
  return left.node === right.node || JSON.stringify(left.value) === JSON.stringify(right.value);
}

function failureOf({ status, description, contents, headers, source }: StatusResponse, names: NameAllocator): Failure {
  return {
    name: names.allocate(failureName(status)),
    status,
    message: description,
    contents: contents.map(({ content }) => content),
    headers,
    source,
  };
}

function failureName(status: StatusPattern): string {
  if (typeof status === "number") return statusNames[status] ?? `Status${status}`;
  if (status === "default") return "Unexpected";
  if (status === "3XX") return "Redirection";
  return status === "4XX" ? "ClientError" : "ServerError";
}

function atLeastOne(successes: readonly Success[], operation: SourceValue): Responses["successes"] {
  const [first, ...others] = successes;
  if (first !== undefined) return [first, ...others];
  return [{ status: "2XX", headers: [], description: "", source: operation.source }];
}

/** Returns whether a success is described. A reference that cannot be resolved counts, and so do responses that are reported as invalid. */
function hasSuccess(operation: SourceValue): boolean {
  const responses = operation.member("responses");
  const isNamed = responses?.members.some(([status]) => /^[23]|^default$/.test(status)) ?? false;
  return isNamed || (responses !== undefined && responses.members.length === 0);
}

function reportNoSuccess(reading: Reading, operation: SourceValue, origin: string): void {
  const { source } = operation.member("responses") ?? operation;
  reading.habits.note("no-success", source, (first, others) => reading.report("no-success", first, { origin, others }));
}
