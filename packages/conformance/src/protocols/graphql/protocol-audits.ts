import { type Level, type Rule, rule } from "../../contract/rule.ts";
import type { PlainRequest } from "../../contract/exchange.ts";
import { legacyMediaType, preflightHeader, responseMediaType } from "./graphql-request.ts";
import {
  all,
  type AuditCheck,
  between,
  bodyOf,
  isBetween,
  noData,
  noErrors,
  status,
  type,
  utf8,
} from "./audit-checks.ts";

/** A request and everything that its response is checked for. */
export interface ProtocolAudit {
  /** kebab-case, unique. */
  readonly name: string;
  readonly request: PlainRequest;
  readonly checks: readonly AuditCheck[];
  /** True: there is nothing in it to carry out, so that `neverDone` counts too. */
  readonly isNoRequest?: boolean;
  /** True: it says nothing where the target does not serve GET. */
  readonly needsGet?: boolean;
  /** True: it says nothing where the schema has no mutations. */
  readonly needsMutations?: boolean;
}

const typename = "{ __typename }";
/** Needs its variable and nothing of the schema: introspection may be switched off. */
const switched = "query Switched($on: Boolean!) { __typename @include(if: $on) }";
const switchedOn = { on: true };
const noField = "{ nodewrightNoSuchField }";
const nullForId = "query CoerceFailure($id: ID!) { __typename }";
const brokenJson = '{ "not a JSON';
const noRequest = { isNoRequest: true };
const [must, should, may] = [checkOf("MUST"), checkOf("SHOULD"), checkOf("MAY")];

/** Values of the wrong kind for a parameter, with what they are called. */
const wrongObjects: readonly (readonly [unknown, string])[] = [
  [{ obj: "ect" }, "an object"],
  [0, "a number"],
  [false, "a boolean"],
  [["array"], "a list"],
];
const wrongTexts: readonly (readonly [unknown, string])[] = [["string", "a text"], ...wrongObjects.slice(1)];

/** What a protocol audit is beyond its name, request and checks. */
type Conditions = Omit<ProtocolAudit, "name" | "request" | "checks">;

/**
 * The rules of GraphQL over HTTP that do not depend on the schema: those of the audit suite of `graphql-http`, with its levels and its ids
 * as their sources. Requests that several rules are about are sent once.
 */
export const protocolAudits: readonly ProtocolAudit[] = [
  audit("accept-graphql-response", post({ query: typename }, responseMediaType), [
    should(
      501,
      "22EB",
      `${responseMediaType} is served to those who accept it`,
      all(status(200), type(responseMediaType)),
    ),
    should(502, "34A2", `A query that is a string is served as ${responseMediaType}`, status(200)),
  ]),
  audit("accept-json", post({ query: typename }, legacyMediaType), [
    must(503, "4655", `${legacyMediaType} is served to those who accept it`, all(status(200), type(legacyMediaType))),
    must(504, "13EE", `A query that is a string is served as ${legacyMediaType}`, all(status(200), noErrors)),
  ]),
  audit("accept-anything", post({ query: typename }, "*/*"), [
    should(
      505,
      "47DE",
      `${legacyMediaType} is served to those who accept anything`,
      all(status(200), type(legacyMediaType)),
    ),
  ]),
  audit("accept-nothing-named", post({ query: typename }), [
    should(
      506,
      "80D8",
      `${legacyMediaType} is served to those who name nothing`,
      all(status(200), type(legacyMediaType)),
    ),
    must(507, "82A3", "Responses are in UTF-8", all(status(200), utf8)),
    must(508, "78D5", "Requests are read as UTF-8 where they do not say", status(200)),
    must(509, "2C94", "POST is served", status(200)),
    must(510, "03D4", `Requests in ${legacyMediaType} are served`, status(200)),
  ]),
  audit(
    "request-in-utf-8",
    {
      ...post({ query: "# Run🏃Swim🏊\n{ __typename }" }),
      headers: { "content-type": `${legacyMediaType}; charset=utf-8` },
    },
    [must(511, "BF61", "Requests in UTF-8 are served", status(200))],
  ),
  audit("get", get({ query: typename }), [may(512, "5A70", "GET is served", status(200))]),
  // Carries out nothing: the meta field has no resolver, and there is no other.
  audit(
    "mutation-by-get",
    get({ query: "mutation { __typename }" }, responseMediaType),
    [
      must(513, "9C48", "A mutation by GET is refused", between(400, 499)),
      {
        rule: rule("G570", "SHOULD", "A mutation by GET is refused with 405", "GraphQL over HTTP, section GET"),
        problemOf: status(405),
      },
    ],
    { needsGet: true, needsMutations: true },
  ),
  audit("no-content-type", { ...post({ query: typename }), headers: {} }, [
    should(514, "9ABE", "A request without Content-Type is refused", between(400, 499)),
  ]),
  audit(
    "no-body",
    { method: "POST", path: "", query: "", headers: { "content-type": legacyMediaType } },
    [may(515, "A5BF", "A request without a body is refused with 400", status(400))],
    noRequest,
  ),
  audit(
    "no-query",
    post({ notquery: typename }, responseMediaType),
    [may(516, "423L", "A request without query is refused with 400", status(400))],
    noRequest,
  ),
  ...wrongParameter("query", wrongObjects, 517, "LKJ"),
  ...wrongParameter("operationName", wrongObjects, 521, "6C0"),
  ...wrongParameter("variables", wrongTexts, 525, "476"),
  ...wrongParameter("extensions", wrongTexts, 529, "58B"),
  ...served(
    "operation-name",
    { operationName: "Query", query: "query Query { __typename }" },
    "A string for operationName",
    [533, "8161", "B8B3"],
  ),
  ...served(
    "variables-null",
    { query: typename, variables: null },
    "null for variables",
    [535, "94B0", "0220"],
    [noErrors],
  ),
  ...served(
    "operation-name-null",
    { query: typename, operationName: null },
    "null for operationName",
    [537, "94B1", "0221"],
    [noErrors],
  ),
  // That null is as good as nothing stands in a note, and notes bind nobody: what extensions have to be is a map. The specification itself
  // knows an operation name that is null, and clients send variables that are.
  ...served(
    "extensions-null",
    { query: typename, extensions: null },
    "null for extensions",
    [539, "94B2", "0222"],
    [noErrors],
    should,
  ),
  ...served("variables", { query: switched, variables: switchedOn }, "A map for variables", [541, "2EA1", "28B9"]),
  ...served("extensions", { query: typename, extensions: { some: "value" } }, "A map for extensions", [
    543,
    "428F",
    "1B7A",
  ]),
  ...[responseMediaType, legacyMediaType].map((mediaType, index) =>
    audit(
      `get-variables-as-${mediaType === legacyMediaType ? "json" : "graphql-response"}`,
      get({ query: switched, variables: JSON.stringify(switchedOn) }, mediaType),
      [
        may(
          545 + index,
          ["D6D5", "6A70"][index] ?? "",
          `Variables by GET are read as JSON, as ${mediaType}`,
          all(status(200), noErrors),
        ),
      ],
      { needsGet: true },
    ),
  ),
  audit(
    "broken-json-as-json",
    { ...post({}, legacyMediaType), body: brokenJson },
    [
      may(547, "B6DC", "A body that is no JSON is answered with 2xx, 4xx or 5xx", (response) =>
        isBetween(response, 200, 299) || isBetween(response, 400, 599)
          ? undefined
          : "The status is none of 2xx, 4xx and 5xx",
      ),
      should(548, "BCF8", `A body that is no JSON is refused with 400, as ${legacyMediaType}`, status(400)),
    ],
    noRequest,
  ),
  audit(
    "broken-json-as-graphql-response",
    { ...post({}, responseMediaType), body: brokenJson },
    [should(549, "B7N8", `A body that is no JSON is refused with 400, as ${responseMediaType}`, status(400))],
    noRequest,
  ),
  audit(
    "misspelt-query",
    post({ qeury: typename }),
    [
      may(550, "8764", "Parameters that are invalid are refused with 4xx or 5xx", between(400, 599)),
      may(551, "3E3A", "Parameters that are invalid are refused with 400", status(400)),
    ],
    noRequest,
  ),
  audit("syntax-error-as-json", post({ query: "{" }, legacyMediaType), [
    should(552, "572B", `A document that can't be parsed is reported with 200, as ${legacyMediaType}`, status(200)),
  ]),
  audit("invalid-document-as-json", post({ query: noField }, legacyMediaType), [
    should(553, "FDE2", `A document that is not valid is reported with 200, as ${legacyMediaType}`, status(200)),
  ]),
  audit("wrong-variable-as-json", post({ query: nullForId, variables: { id: null } }, legacyMediaType), [
    should(554, "7B9B", `Variables that are wrong are reported with 200, as ${legacyMediaType}`, status(200)),
  ]),
  audit(
    "syntax-error-as-graphql-response",
    post({ query: "{" }, responseMediaType),
    refused(555, ["865D", "556A", "D586"], "can't be parsed"),
  ),
  audit(
    "invalid-document-as-graphql-response",
    post({ query: noField }, responseMediaType),
    refused(558, ["51FE", "74FF", "5E5B"], "is not valid"),
  ),
  audit("wrong-variable-as-graphql-response", post({ query: nullForId, variables: { id: null } }, responseMediaType), [
    should(561, "86EE", "Variables that are wrong are refused with 400", status(400)),
  ]),
];

/** No audit is about it, since nobody needs one: what says nothing to carry out is not carried out. */
export const neverDone: AuditCheck = {
  rule: rule(
    "G571",
    "MUST",
    "What is no GraphQL request is not answered with data",
    "GraphQL over HTTP, section Request",
  ),
  problemOf: (answer) => {
    const body = bodyOf(answer);
    const isDone =
      isBetween(answer, 200, 299) &&
      body !== undefined &&
      Object.hasOwn(body, "data") &&
      !Object.hasOwn(body, "errors");
    return isDone ? "The answer has data, and no errors" : undefined;
  },
};

/** The rules of all audits, by their ids. */
export function auditRules(): readonly Rule[] {
  const rules = [...protocolAudits.flatMap(({ checks }) => checks.map((one) => one.rule)), neverDone.rule];
  return rules.toSorted((one, other) => one.id.localeCompare(other.id));
}

function audit(
  name: string,
  request: PlainRequest,
  checks: readonly AuditCheck[],
  conditions: Conditions = {},
): ProtocolAudit {
  return { name, request, checks, ...conditions };
}

type Check = (id: number, source: string, title: string, problemOf: AuditCheck["problemOf"]) => AuditCheck;

function checkOf(level: Level): Check {
  return (id, source, title, problemOf) => ({
    rule: rule(`G${id}`, level, title, `GraphQL over HTTP; audit ${source} of graphql-http`),
    problemOf,
  });
}

function wrongParameter(
  parameter: string,
  wrong: readonly (readonly [unknown, string])[],
  firstId: number,
  source: string,
): readonly ProtocolAudit[] {
  return wrong.map(([value, called], index) =>
    audit(
      `${parameter.toLowerCase()}-is-${called.split(" ")[1] ?? ""}`,
      post({ query: typename, [parameter]: value }),
      [may(firstId + index, `${source}${index}`, `${parameter} that is ${called} is refused with 400`, status(400))],
      parameter === "query" ? noRequest : {},
    ),
  );
}

/** A parameter that has to be taken, under both media types. */
function served(
  name: string,
  body: Readonly<Record<string, unknown>>,
  what: string,
  [firstId, own, legacy]: readonly [number, string, string],
  ownChecks: readonly AuditCheck["problemOf"][] = [],
  legacyLevel: Check = must,
): readonly ProtocolAudit[] {
  return [
    audit(`${name}-as-graphql-response`, post(body, responseMediaType), [
      should(firstId, own, `${what} is taken, as ${responseMediaType}`, all(status(200), ...ownChecks)),
    ]),
    audit(`${name}-as-json`, post(body, legacyMediaType), [
      legacyLevel(firstId + 1, legacy, `${what} is taken, as ${legacyMediaType}`, all(status(200), noErrors)),
    ]),
  ];
}

/** A document with a mistake, under the media type that has statuses for it. */
function refused(firstId: number, sources: readonly [string, string, string], mistake: string): readonly AuditCheck[] {
  return [
    should(firstId, sources[0], `A document that ${mistake} is refused with 4xx or 5xx`, between(400, 599)),
    should(firstId + 1, sources[1], `A document that ${mistake} is refused with 400`, status(400)),
    should(firstId + 2, sources[2], `A document that ${mistake} has no data`, noData),
  ];
}

function post(body: Readonly<Record<string, unknown>>, accept?: string): PlainRequest {
  return {
    method: "POST",
    path: "",
    query: "",
    headers: { "content-type": legacyMediaType, ...(accept === undefined ? {} : { accept }) },
    body: JSON.stringify(body),
  };
}

function get(parameters: Readonly<Record<string, string>>, accept?: string): PlainRequest {
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return {
    method: "GET",
    path: "",
    query: query.join("&"),
    headers: { ...preflightHeader, ...(accept === undefined ? {} : { accept }) },
  };
}
