import type { PlainRequest } from "../../contract/exchange.ts";
import { type Rule, rule } from "../../contract/rule.ts";
import { type AuditCheck, bodyOf, checkOf } from "./audit-checks.ts";
import { legacyMediaType as json, preflightHeader, responseMediaType as own } from "./graphql-request.ts";

/** A request and everything that its response is checked for. */
export interface ProtocolAudit {
  /** kebab-case, unique. */
  readonly name: string;
  readonly request: PlainRequest;
  readonly checks: readonly AuditCheck[];
  /** True: there is nothing in it to carry out, so that `neverDone` counts too. */
  readonly isNoRequest: boolean;
  /** True: it says nothing where the target does not serve GET. */
  readonly needsGet: boolean;
  /** True: it says nothing where the schema has no mutations. */
  readonly needsMutations: boolean;
}

/** A name, what is requested, the request, and what its response has to be. */
type Row = readonly [name: string, what: string, request: PlainRequest, checks: string];

const query = "{ __typename }";
const named = "query Query { __typename }";
/** Needs its variable and nothing of the schema: introspection may be switched off. */
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

/** What has to be is written as in `checkOf`. */
const rows: readonly Row[] = [
  [
    "accept-graphql-response",
    "Accept of its own",
    post({ query }, own),
    "501 SHOULD 22EB 200 own; 502 SHOULD 34A2 200",
  ],
  ["accept-json", "Accept of JSON", post({ query }, json), "503 MUST 4655 200 json; 504 MUST 13EE 200 no-errors"],
  ["accept-anything", "Accept of anything", post({ query }, "*/*"), "505 SHOULD 47DE 200 json"],
  [
    "accept-nothing-named",
    "A request without Accept",
    post({ query }),
    "506 SHOULD 80D8 200 json; 507 MUST 82A3 200 utf8",
  ],
  ["charset-left-out", "A request that names no charset", post({ query }), "508 MUST 78D5 200"],
  ["post", "POST", post({ query }), "509 MUST 2C94 200; 510 MUST 03D4 200 = Requests in JSON are served"],
  ["request-in-utf-8", "A request in UTF-8", inUtf8("# Run🏃Swim🏊\n{ __typename }"), "511 MUST BF61 200"],
  ["get", "GET", get({ query }), "512 MAY 5A70 200"],
  // Carries out nothing: the meta field has no resolver, and there is no other.
  [
    "mutation-by-get",
    "A mutation by GET",
    get({ query: "mutation { __typename }" }, own),
    "513 MUST 9C48 4xx; 570 SHOULD - 405",
  ],
  ["no-content-type", "A request without Content-Type", { ...post({ query }), headers: {} }, "514 SHOULD 9ABE 4xx"],
  ["no-body", "A request without a body", withBody(undefined), "515 MAY A5BF 400"],
  ["no-query", "A request without query", post({ notquery: query }, own), "516 MAY 423L 400"],
  ...wrong("query", objects, 517, "LKJ"),
  ...wrong("operationName", objects, 521, "6C0"),
  ...wrong("variables", texts, 525, "476"),
  ...wrong("extensions", texts, 529, "58B"),
  ...served("operation-name", { query: named, operationName: "Query" }, "533 SHOULD 8161 200", "534 MUST B8B3"),
  ...served("variables-null", { query, variables: null }, "535 SHOULD 94B0 200 no-errors", "536 MUST 0220"),
  ...served("operation-name-null", { query, operationName: null }, "537 SHOULD 94B1 200 no-errors", "538 MUST 0221"),
  // That null is as good as nothing stands in a note, and notes bind nobody: what extensions have to be is a map. The specification itself
  // knows an operation name that is null, and clients send variables that are.
  ...served("extensions-null", { query, extensions: null }, "539 SHOULD 94B2 200 no-errors", "540 SHOULD 0222"),
  ...served("variables", { query: switched, variables: on }, "541 SHOULD 2EA1 200", "542 MUST 28B9"),
  ...served("extensions", { query, extensions: { some: "value" } }, "543 SHOULD 428F 200", "544 MUST 1B7A"),
  ["get-variables-as-graphql-response", `Variables by GET, as ${own}`, byGet(own), "545 MAY D6D5 200 no-errors"],
  ["get-variables-as-json", `Variables by GET, as ${json}`, byGet(json), "546 MAY 6A70 200 no-errors"],
  ["misspelt-query", "A misspelt parameter", post({ qeury: query }), "550 MAY 8764 4xx|5xx; 551 MAY 3E3A 400"],
  ...mistaken("broken-json", brokenJson, "547 MAY B6DC 2xx|4xx|5xx; 548 SHOULD BCF8 400", "549 SHOULD B7N8 400"),
  ...mistaken(
    "syntax-error",
    { query: "{" },
    "552 SHOULD 572B 200",
    "555 SHOULD 865D 4xx|5xx; 556 SHOULD 556A 400; 557 SHOULD D586 no-data",
  ),
  ...mistaken(
    "invalid-document",
    { query: "{ nodewrightNoSuchField }" },
    "553 SHOULD FDE2 200",
    "558 SHOULD 51FE 4xx|5xx; 559 SHOULD 74FF 400; 560 SHOULD 5E5B no-data",
  ),
  // In a document that is valid, which that of the audit is not: servers may refuse it for its variable that nothing uses.
  [
    "status-of-wrong-variables",
    "Variables that are refused",
    post(nullForBoolean, both),
    "410 SHOULD - refused 4xx|5xx",
  ],
  ...mistaken("wrong-variable", nullForId, "554 SHOULD 7B9B 200", "561 SHOULD 86EE 400"),
];

/** There is nothing in these to carry out, so that `neverDone` counts too. */
const noRequests = /^(?:no-body|no-query|query-is-.*|broken-json-.*|misspelt-query)$/;
/** These say nothing where the target does not serve GET. */
const getRequests = /^(?:mutation-by-get|get-variables-.*)$/;

/** Parameters of the wrong kind. */
function wrong(
  name: string,
  values: readonly (readonly [string, unknown])[],
  id: number,
  source: string,
): readonly Row[] {
  return values.map(([kind, value], index) => [
    `${name.toLowerCase()}-is-${kind}`,
    `${name} that is of the type ${kind}`,
    post({ query, [name]: value }),
    `${id + index} MAY ${source}${index} 400`,
  ]);
}

/** A parameter that has to be taken, under both media types. */
function served(name: string, body: object, ownCheck: string, jsonCheck: string): readonly Row[] {
  const what = `A request with ${name.replaceAll("-", " ")}`;
  return bothTypes(name, what, body, `${jsonCheck} 200 no-errors`, ownCheck);
}

function mistaken(name: string, body: object | string, jsonCheck: string, ownCheck: string): readonly Row[] {
  return bothTypes(name, `A request with ${name.replaceAll("-", " ")}`, body, jsonCheck, ownCheck);
}

function bothTypes(
  name: string,
  what: string,
  body: object | string,
  jsonCheck: string,
  ownCheck: string,
): readonly Row[] {
  return [
    [`${name}-as-json`, `${what}, as ${json}`, post(body, json), jsonCheck],
    [`${name}-as-graphql-response`, `${what}, as ${own}`, post(body, own), ownCheck],
  ];
}

/**
 * The rules of GraphQL over HTTP that do not depend on the schema: those of the audit suite of `graphql-http`, with its levels and its ids
 * as their sources.
 */
export const protocolAudits: readonly ProtocolAudit[] = rows.map(([name, what, request, checks]) => ({
  name,
  request,
  checks: checks.split("; ").map((check) => checkOf(what, check)),
  isNoRequest: noRequests.test(name),
  needsGet: getRequests.test(name),
  needsMutations: name === "mutation-by-get",
}));

/** No audit is about it, since nobody needs one: what says nothing to carry out is not carried out. */
export const neverDone: AuditCheck = {
  rule: rule(
    "G571",
    "MUST",
    "What is no GraphQL request is not answered with data",
    "GraphQL over HTTP, section Request",
  ),
  problemOf: (response) => {
    const body = bodyOf(response);
    const isDone = body !== undefined && Object.hasOwn(body, "data") && !Object.hasOwn(body, "errors");
    return isDone && Math.floor(response.status / 100) === 2 ? "The response has data, and no errors" : undefined;
  },
};

/** The rules of all audits, by their ids. */
export function auditRules(): readonly Rule[] {
  const rules = [...protocolAudits.flatMap(({ checks }) => checks.map((one) => one.rule)), neverDone.rule];
  return rules.toSorted((one, other) => one.id.localeCompare(other.id));
}

function post(body: object | string, accept?: string): PlainRequest {
  return withBody(typeof body === "string" ? body : JSON.stringify(body), accept);
}

function inUtf8(text: string): PlainRequest {
  return { ...post({ query: text }), headers: { "content-type": `${json}; charset=utf-8` } };
}

function byGet(accept: string): PlainRequest {
  return get({ query: switched, variables: JSON.stringify(on) }, accept);
}

function withBody(body: string | undefined, accept?: string): PlainRequest {
  const headers = { "content-type": json, ...(accept === undefined ? {} : { accept }) };
  return { method: "POST", path: "", query: "", headers, ...(body === undefined ? {} : { body }) };
}

function get(parameters: Readonly<Record<string, string>>, accept?: string): PlainRequest {
  const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const headers = { ...preflightHeader, ...(accept === undefined ? {} : { accept }) };
  return { method: "GET", path: "", query: pairs.join("&"), headers };
}
