import { isRecord } from "@nodewright/api-model";
import { mediaTypeOf, readJson } from "../../../client/read-content.ts";
import type { ReceivedResponse, PlainRequest } from "../../../contract/exchange.ts";
import { type Level, type Rule, rule } from "../../../contract/rule.ts";
import { getWith, jsonPost, legacyMediaType as json, responseMediaType as own } from "../contract/graphql-request.ts";

/** Result of an audit. */
export interface AuditResponse {
  readonly received: ReceivedResponse;
  /** The body; `undefined` when it is not a JSON object. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

/** A requirement of GraphQL over HTTP for a response. */
export interface AuditCheck {
  readonly rule: Rule;
  /** Returns the violation, in one sentence without values; `undefined` for a valid response. */
  readonly problemOf: (response: AuditResponse) => string | undefined;
}

/** A request with all checks of its response. */
export interface ProtocolAudit {
  /** Name in kebab-case, unique. */
  readonly name: string;
  readonly request: PlainRequest;
  readonly checks: readonly AuditCheck[];
  /** Whether the request has nothing to execute, so that `neverDone` is checked too. */
  readonly isNoRequest: boolean;
  /** Whether all checks are optional for servers and the request has something to execute. */
  readonly isOptional: boolean;
  /** Whether the audit requires support for GET. */
  readonly needsGet: boolean;
  /** Whether the audit requires a schema with mutations. */
  readonly needsMutations: boolean;
}

/** `name | request | checks`, in the syntax of `checkOf`, and the request itself. */
type Row = readonly [audit: string, request: PlainRequest];

const mediaTypes: Readonly<Record<string, string>> = { own, json };

const query = "{ __typename }";
const named = "query Query { __typename }";
const mutation = "mutation { __typename }";
/** Document that requires its variable but nothing of the schema: introspection may be disabled. */
const switched = "query Switched($on: Boolean!) { __typename @include(if: $on) }";
const on = { on: true };
const nullForId = { query: "query CoerceFailure($id: ID!) { __typename }", variables: { id: null } };
const nullForBoolean = { query: switched, variables: { on: null } };
const both = `${own}, ${json};q=0.9`;
const brokenJson = '{ "not a JSON';

const objects: readonly (readonly [string, unknown])[] = [
  ["object", { obj: "ect" }],
  ["number", 0],
  ["boolean", false],
  ["list", ["array"]],
];
const texts = [["text", "string"] as const, ...objects.slice(1)];

const rows: readonly Row[] = [
  ["accept-graphql-response | Accept of its own | 501 SHOULD 22EB 200 own; 502 SHOULD 34A2 200", post({ query }, own)],
  ["accept-json | Accept of JSON | 503 MUST 4655 200 json; 504 MUST 13EE 200 no-errors", post({ query }, json)],
  // graphql-http requires application/json, the default until 2025. Since then it is the media type of GraphQL (section Legacy Watershed).
  ["accept-anything | Accept of anything | 505 SHOULD 47DE 200 json|own", post({ query }, "*/*")],
  [
    "accept-nothing-named | A request without Accept | 506 SHOULD 80D8 200 json|own; 507 MUST 82A3 200 utf8",
    post({ query }),
  ],
  ["charset-left-out | A request that names no charset | 508 MUST 78D5 200", post({ query })],
  ["post | POST | 509 MUST 2C94 200; 510 MUST 03D4 200 = Requests in JSON are served", post({ query })],
  ["request-in-utf-8 | A request in UTF-8 | 511 MUST BF61 200", inUtf8("# Run🏃Swim🏊\n{ __typename }")],
  ["get | GET | 512 MAY 5A70 200", getWith({ query })],
  // Executes nothing: the meta field has no resolver, and no other field is selected.
  ["mutation-by-get | A mutation by GET | 513 MUST 9C48 4xx; 570 SHOULD - 405", getWith({ query: mutation }, own)],
  ["no-content-type | A request without Content-Type | 514 SHOULD 9ABE 4xx", { ...post({ query }), headers: {} }],
  ["no-body | A request without a body | 515 MAY A5BF 400", jsonPost(undefined)],
  ["no-query | A request without query | 516 MAY 423L 400", post({ notquery: query }, own)],
  ...wrong("query", objects, 517, "LKJ"),
  ...wrong("operationName", objects, 521, "6C0"),
  ...wrong("variables", texts, 525, "476"),
  ...wrong("extensions", texts, 529, "58B"),
  ...bothTypes("operation-name", { query: named, operationName: "Query" }, "534 MUST B8B3 OK", "533 SHOULD 8161 200"),
  ...bothTypes("variables-null", { query, variables: null }, "536 MUST 0220 OK", "535 SHOULD 94B0 OK"),
  ...bothTypes("operation-name-null", { query, operationName: null }, "538 MUST 0221 OK", "537 SHOULD 94B1 OK"),
  // That null equals an absent member is stated in a note, which is not normative; `extensions` must be a map. The specification allows a
  // null operation name, and clients send null variables.
  ...bothTypes("extensions-null", { query, extensions: null }, "540 SHOULD 0222 OK", "539 SHOULD 94B2 OK"),
  ...bothTypes("variables", { query: switched, variables: on }, "542 MUST 28B9 OK", "541 SHOULD 2EA1 200"),
  ...bothTypes("extensions", { query, extensions: { some: "value" } }, "544 MUST 1B7A OK", "543 SHOULD 428F 200"),
  [`get-variables-as-graphql-response | Variables by GET, as ${own} | 545 MAY D6D5 OK`, byGet(own)],
  [`get-variables-as-json | Variables by GET, as ${json} | 546 MAY 6A70 OK`, byGet(json)],
  ["misspelt-query | A misspelt parameter | 550 MAY 8764 4xx|5xx; 551 MAY 3E3A 400", post({ qeury: query })],
  ...bothTypes("broken-json", brokenJson, "547 MAY B6DC 2xx|4xx|5xx; 548 SHOULD BCF8 400", "549 SHOULD B7N8 400"),
  ...bothTypes(
    "syntax-error",
    { query: "{" },
    "552 SHOULD 572B 200",
    "555 SHOULD 865D 4xx|5xx; 556 SHOULD 556A 400; 557 SHOULD D586 no-data",
  ),
  ...bothTypes(
    "invalid-document",
    { query: "{ nodewrightNoSuchField }" },
    "553 SHOULD FDE2 200",
    "558 SHOULD 51FE 4xx|5xx; 559 SHOULD 74FF 400; 560 SHOULD 5E5B no-data",
  ),
  // In a valid document, unlike the audit's: servers may refuse that one for its unused variable.
  ["status-of-wrong-variables | Variables that are refused | 410 SHOULD - refused 4xx|5xx", post(nullForBoolean, both)],
  ...bothTypes("wrong-variable", nullForId, "554 SHOULD 7B9B 200", "561 SHOULD 86EE 400"),
];

/** Audits with nothing to execute, for which `neverDone` is checked too. */
const noRequests = /^(?:no-body|no-query|query-is-.*|broken-json-.*|misspelt-query)$/;
/** Audits that require support for GET. */
const getRequests = /^(?:mutation-by-get|get-variables-.*)$/;

/** Returns the audits of parameters of an invalid kind. */
function wrong(
  name: string,
  values: readonly (readonly [string, unknown])[],
  id: number,
  source: string,
): readonly Row[] {
  return values.map(([kind, value], index) => {
    const what = `${name} that is of the type ${kind}`;
    return [
      `${name.toLowerCase()}-is-${kind} | ${what} | ${id + index} MAY ${source}${index} 400`,
      post({ query, [name]: value }),
    ];
  });
}

/** Returns the audits of a request under both media types. */
function bothTypes(name: string, body: object | string, jsonChecks: string, ownChecks: string): readonly Row[] {
  const what = `A request with ${name.replaceAll("-", " ")}`;
  return [
    [`${name}-as-json | ${what}, as ${json} | ${jsonChecks}`, post(body, json)],
    [`${name}-as-graphql-response | ${what}, as ${own} | ${ownChecks}`, post(body, own)],
  ];
}

/**
 * Rules of GraphQL over HTTP that are independent of the schema: those of the audit suite `graphql-http`, with its levels, and its ids as
 * sources.
 */
export const protocolAudits: readonly ProtocolAudit[] = rows.map(([audit, request]) => {
  const [name = "", what = "", checks = ""] = audit.split(" | ");
  const isNoRequest = noRequests.test(name);
  return {
    name,
    request,
    checks: checks.split("; ").map((check) => checkOf(what, check)),
    isNoRequest,
    isOptional: !isNoRequest && !/\b(?:MUST|SHOULD)\b/.test(checks),
    needsGet: getRequests.test(name),
    needsMutations: name === "mutation-by-get",
  };
});

/** Check that the response to anything but a GraphQL request has no data. `graphql-http` has no audit for it. */
export const neverDone: AuditCheck = {
  rule: rule("G571", "MUST", "A body that is not a GraphQL request has no data", "GraphQL over HTTP, section Request"),
  problemOf: ({ received, body }) => {
    const isDone = body !== undefined && Object.hasOwn(body, "data") && !Object.hasOwn(body, "errors");
    return isDone && Math.floor(received.status / 100) === 2 ? "The response has data, and no errors" : undefined;
  },
};

/** Returns the rules of all audits, by their ids. */
export function auditRules(): readonly Rule[] {
  const rules = [...protocolAudits.flatMap(({ checks }) => checks.map((one) => one.rule)), neverDone.rule];
  return rules.toSorted((one, other) => one.id.localeCompare(other.id));
}

/**
 * Parses a check: number of its rule, level, audit of `graphql-http`, required results (`OK`: 200 without errors), and after `=` a title in
 * place of these.
 */
function checkOf(what: string, check: string): AuditCheck {
  const [columns = "", title] = check.replace(" OK", " 200 no-errors").split(" = ");
  const [id, level, source, ...wanted] = columns.split(" ");
  const from = source === "-" ? "GraphQL over HTTP" : `GraphQL over HTTP; audit ${source} of graphql-http`;
  return {
    rule: rule(`G${id}`, level as Level, title ?? `${what}: ${wanted.map(wordsOf).join(", ")}`, from),
    problemOf: (response) => {
      // Some statuses are refusals only under GraphQL's own media type.
      const isOther =
        wanted.includes("refused") &&
        (mediaTypeOf(response.received) !== own || noMember(response, "data") !== undefined);
      if (isOther) return undefined;
      const checked = wanted.filter((one) => one !== "refused");
      return checked.map((one) => problemOf(one, response)).find((problem) => problem !== undefined);
    },
  };
}

function wordsOf(wanted: string): string {
  const words = wanted.split("|").map((one) => mediaTypes[one] ?? { utf8: "UTF-8" }[one] ?? one.replace("-", " "));
  return `${/^\d/.test(wanted) ? "status " : ""}${words.join(" or ")}`;
}

/**
 * Returns how a response differs from the required results. `400`, `4xx|5xx`: status; `own`, `json` and `json|own`: media type; `utf8`; `no-errors` and
 * `no-data`: members of the response.
 */
function problemOf(wanted: string, response: AuditResponse): string | undefined {
  const { status, text, headers } = response.received;
  if (/^\d/.test(wanted)) {
    const isWanted = new RegExp(`^(?:${wanted.replaceAll("x", "\\d")})$`).test(String(status));
    return isWanted ? undefined : `The status is ${status} instead of ${wanted}`;
  }
  if (/own|json/.test(wanted)) {
    const isWanted = wanted.split("|").some((one) => mediaTypes[one] === mediaTypeOf(response.received));
    return isWanted ? undefined : `The content type is not ${wordsOf(wanted)}`;
  }
  if (wanted === "utf8") {
    const charset = /charset="?([^";\s]+)/i.exec(headers.get("content-type") ?? "")?.[1];
    if (charset !== undefined && !/^utf-?8$/i.test(charset)) return "The content type names another charset than UTF-8";
    return text === undefined ? "The body is not UTF-8" : undefined;
  }
  return noMember(response, wanted.replace("no-", ""));
}

function noMember({ body }: AuditResponse, member: string): string | undefined {
  if (body === undefined) return "The body is not a JSON object";
  return Object.hasOwn(body, member) ? `The response has ${member}` : undefined;
}

/** Returns the result of an audit. */
export function auditResponse(received: ReceivedResponse): AuditResponse {
  const body = readJson(received);
  return { received, body: "value" in body && isRecord(body.value) ? body.value : undefined };
}

function post(body: object | string, accept?: string): PlainRequest {
  return jsonPost(typeof body === "string" ? body : JSON.stringify(body), accept);
}

function inUtf8(text: string): PlainRequest {
  return { ...post({ query: text }), headers: { "content-type": `${json}; charset=utf-8` } };
}

function byGet(accept: string): PlainRequest {
  return getWith({ query: switched, variables: JSON.stringify(on) }, accept);
}
