import { type Level, type Rule, rule } from "../contract/rule.ts";
import { isRecord } from "../types/is-record.ts";
import type { Answer, PlainRequest } from "../contract/exchange.ts";
import { legacyMediaType, preflightHeader, responseMediaType } from "./graphql-request.ts";
import { mediaTypeOf } from "../wire/media-type.ts";

/** One thing that GraphQL over HTTP asks of an answer. */
export interface AuditCheck {
  readonly rule: Rule;
  /** What is wrong, in one sentence without values; undefined when nothing is. */
  readonly problemOf: (answer: Answer) => string | undefined;
}

/** A request and everything that its answer is held to. */
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

/** Values of the wrong kind for a parameter, with what they are called. */
const wrongObjects: readonly (readonly [unknown, string])[] = [
  [{ obj: "ect" }, "an object"],
  [0, "a number"],
  [false, "a boolean"],
  [["array"], "a list"],
];
const wrongTexts: readonly (readonly [unknown, string])[] = [["string", "a text"], ...wrongObjects.slice(1)];

/**
 * The rules of GraphQL over HTTP that do not depend on the schema: those that the audit suite of `graphql-http` knows, with its levels
 * and its ids as their sources. Requests that several rules are about are sent once.
 */
export const protocolAudits: readonly ProtocolAudit[] = [
  {
    name: "accept-graphql-response",
    request: post({ query: typename }, responseMediaType),
    checks: [
      check(
        "G501",
        "22EB",
        "SHOULD",
        "application/graphql-response+json is served to those who accept it",
        all(status(200), type(responseMediaType)),
      ),
      check(
        "G502",
        "34A2",
        "SHOULD",
        "A query that is a string is answered as application/graphql-response+json",
        status(200),
      ),
    ],
  },
  {
    name: "accept-json",
    request: post({ query: typename }, legacyMediaType),
    checks: [
      check(
        "G503",
        "4655",
        "MUST",
        "application/json is served to those who accept it",
        all(status(200), type(legacyMediaType)),
      ),
      check(
        "G504",
        "13EE",
        "MUST",
        "A query that is a string is answered as application/json",
        all(status(200), noErrors),
      ),
    ],
  },
  {
    name: "accept-anything",
    request: post({ query: typename }, "*/*"),
    checks: [
      check(
        "G505",
        "47DE",
        "SHOULD",
        "application/json is served to those who accept anything",
        all(status(200), type(legacyMediaType)),
      ),
    ],
  },
  {
    name: "accept-nothing-named",
    request: post({ query: typename }),
    checks: [
      check(
        "G506",
        "80D8",
        "SHOULD",
        "application/json is served to those who name nothing",
        all(status(200), type(legacyMediaType)),
      ),
      check("G507", "82A3", "MUST", "Answers are in UTF-8", all(status(200), utf8)),
      check("G508", "78D5", "MUST", "Requests are read as UTF-8 where they do not say", status(200)),
      check("G509", "2C94", "MUST", "POST is served", status(200)),
      check("G510", "03D4", "MUST", "Requests in application/json are served", status(200)),
    ],
  },
  {
    name: "request-in-utf-8",
    request: {
      ...post({ query: "# Run🏃Swim🏊\n{ __typename }" }),
      headers: { "content-type": "application/json; charset=utf-8" },
    },
    checks: [check("G511", "BF61", "MUST", "Requests in UTF-8 are served", status(200))],
  },
  {
    name: "get",
    request: get({ query: typename }),
    checks: [check("G512", "5A70", "MAY", "GET is served", status(200))],
  },
  {
    // Carries out nothing: the meta field has no resolver, and there is no other.
    name: "mutation-by-get",
    request: get({ query: "mutation { __typename }" }, responseMediaType),
    needsGet: true,
    needsMutations: true,
    checks: [
      check("G513", "9C48", "MUST", "A mutation by GET is refused", between(400, 499)),
      {
        rule: rule("G570", "SHOULD", "A mutation by GET is refused with 405", "GraphQL over HTTP, section GET"),
        problemOf: status(405),
      },
    ],
  },
  {
    name: "no-content-type",
    request: { ...post({ query: typename }), headers: {} },
    checks: [check("G514", "9ABE", "SHOULD", "A request without Content-Type is refused", between(400, 499))],
  },
  {
    name: "no-body",
    isNoRequest: true,
    request: { method: "POST", path: "", query: "", headers: { "content-type": legacyMediaType } },
    checks: [check("G515", "A5BF", "MAY", "A request without a body is refused with 400", status(400))],
  },
  {
    name: "no-query",
    isNoRequest: true,
    request: post({ notquery: typename }, responseMediaType),
    checks: [check("G516", "423L", "MAY", "A request without query is refused with 400", status(400))],
  },
  ...wrongParameter("query", wrongObjects, 517, "LKJ"),
  ...wrongParameter("operationName", wrongObjects, 521, "6C0"),
  ...wrongParameter("variables", wrongTexts, 525, "476"),
  ...wrongParameter("extensions", wrongTexts, 529, "58B"),
  ...served(
    "operation-name",
    { operationName: "Query", query: "query Query { __typename }" },
    "A string for operationName",
    533,
    "8161",
    "B8B3",
  ),
  ...served("variables-null", { query: typename, variables: null }, "null for variables", 535, "94B0", "0220", true),
  ...served(
    "operation-name-null",
    { query: typename, operationName: null },
    "null for operationName",
    537,
    "94B1",
    "0221",
    true,
  ),
  // That null is as good as nothing stands in a note, and notes bind nobody: what extensions have to be is a map. The specification itself
  // knows an operation name that is null, and clients send variables that are.
  ...served(
    "extensions-null",
    { query: typename, extensions: null },
    "null for extensions",
    539,
    "94B2",
    "0222",
    true,
    "SHOULD",
  ),
  ...served("variables", { query: switched, variables: switchedOn }, "A map for variables", 541, "2EA1", "28B9"),
  ...served(
    "extensions",
    { query: typename, extensions: { some: "value" } },
    "A map for extensions",
    543,
    "428F",
    "1B7A",
  ),
  {
    name: "get-variables-as-graphql-response",
    request: get({ query: switched, variables: JSON.stringify(switchedOn) }, responseMediaType),
    needsGet: true,
    checks: [
      check(
        "G545",
        "D6D5",
        "MAY",
        "Variables by GET are read as JSON, as application/graphql-response+json",
        all(status(200), noErrors),
      ),
    ],
  },
  {
    name: "get-variables-as-json",
    request: get({ query: switched, variables: JSON.stringify(switchedOn) }, legacyMediaType),
    needsGet: true,
    checks: [
      check(
        "G546",
        "6A70",
        "MAY",
        "Variables by GET are read as JSON, as application/json",
        all(status(200), noErrors),
      ),
    ],
  },
  {
    name: "broken-json-as-json",
    isNoRequest: true,
    request: { ...post({}, legacyMediaType), body: '{ "not a JSON' },
    checks: [
      check("G547", "B6DC", "MAY", "A body that is no JSON is answered with 2xx, 4xx or 5xx", (answer) =>
        isBetween(answer, 200, 299) || isBetween(answer, 400, 599)
          ? undefined
          : "The status is none of 2xx, 4xx and 5xx",
      ),
      check("G548", "BCF8", "SHOULD", "A body that is no JSON is refused with 400, as application/json", status(400)),
    ],
  },
  {
    name: "broken-json-as-graphql-response",
    isNoRequest: true,
    request: { ...post({}, responseMediaType), body: '{ "not a JSON' },
    checks: [
      check(
        "G549",
        "B7N8",
        "SHOULD",
        "A body that is no JSON is refused with 400, as application/graphql-response+json",
        status(400),
      ),
    ],
  },
  {
    name: "misspelt-query",
    isNoRequest: true,
    request: post({ qeury: typename }),
    checks: [
      check("G550", "8764", "MAY", "Parameters that are invalid are refused with 4xx or 5xx", between(400, 599)),
      check("G551", "3E3A", "MAY", "Parameters that are invalid are refused with 400", status(400)),
    ],
  },
  {
    name: "syntax-error-as-json",
    request: post({ query: "{" }, legacyMediaType),
    checks: [
      check(
        "G552",
        "572B",
        "SHOULD",
        "A document that can't be parsed is told with 200, as application/json",
        status(200),
      ),
    ],
  },
  {
    name: "invalid-document-as-json",
    request: post({ query: noField }, legacyMediaType),
    checks: [
      check(
        "G553",
        "FDE2",
        "SHOULD",
        "A document that is not valid is told with 200, as application/json",
        status(200),
      ),
    ],
  },
  {
    name: "wrong-variable-as-json",
    request: post({ query: nullForId, variables: { id: null } }, legacyMediaType),
    checks: [
      check("G554", "7B9B", "SHOULD", "Variables that are wrong are told with 200, as application/json", status(200)),
    ],
  },
  {
    name: "syntax-error-as-graphql-response",
    request: post({ query: "{" }, responseMediaType),
    checks: [
      check("G555", "865D", "SHOULD", "A document that can't be parsed is refused with 4xx or 5xx", between(400, 599)),
      check("G556", "556A", "SHOULD", "A document that can't be parsed is refused with 400", status(400)),
      check("G557", "D586", "SHOULD", "A document that can't be parsed has no data", noData),
    ],
  },
  {
    name: "invalid-document-as-graphql-response",
    request: post({ query: noField }, responseMediaType),
    checks: [
      check("G558", "51FE", "SHOULD", "A document that is not valid is refused with 4xx or 5xx", between(400, 599)),
      check("G559", "74FF", "SHOULD", "A document that is not valid is refused with 400", status(400)),
      check("G560", "5E5B", "SHOULD", "A document that is not valid has no data", noData),
    ],
  },
  {
    name: "wrong-variable-as-graphql-response",
    request: post({ query: nullForId, variables: { id: null } }, responseMediaType),
    checks: [check("G561", "86EE", "SHOULD", "Variables that are wrong are refused with 400", status(400))],
  },
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

function check(id: string, audit: string, level: Level, title: string, problemOf: AuditCheck["problemOf"]): AuditCheck {
  return { rule: rule(id, level, title, `GraphQL over HTTP; audit ${audit} of graphql-http`), problemOf };
}

function wrongParameter(
  parameter: string,
  wrong: readonly (readonly [unknown, string])[],
  firstId: number,
  audit: string,
): readonly ProtocolAudit[] {
  return wrong.map(([value, called], index) => ({
    name: `${parameter.toLowerCase()}-is-${called.split(" ")[1] ?? ""}`,
    isNoRequest: parameter === "query",
    request: post({ query: typename, [parameter]: value }),
    checks: [
      check(
        `G${firstId + index}`,
        `${audit}${index}`,
        "MAY",
        `${parameter} that is ${called} is refused with 400`,
        status(400),
      ),
    ],
  }));
}

/** A parameter that has to be taken, under both media types. */
function served(
  name: string,
  body: Readonly<Record<string, unknown>>,
  what: string,
  firstId: number,
  ownAudit: string,
  legacyAudit: string,
  isHeldToErrors = false,
  legacyLevel: Level = "MUST",
): readonly ProtocolAudit[] {
  const own = isHeldToErrors ? all(status(200), noErrors) : status(200);
  return [
    {
      name: `${name}-as-graphql-response`,
      request: post(body, responseMediaType),
      checks: [check(`G${firstId}`, ownAudit, "SHOULD", `${what} is taken, as ${responseMediaType}`, own)],
    },
    {
      name: `${name}-as-json`,
      request: post(body, legacyMediaType),
      checks: [
        check(
          `G${firstId + 1}`,
          legacyAudit,
          legacyLevel,
          `${what} is taken, as ${legacyMediaType}`,
          all(status(200), noErrors),
        ),
      ],
    },
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

function isBetween(answer: Answer, lowest: number, highest: number): boolean {
  return answer.status >= lowest && answer.status <= highest;
}

function status(wanted: number): AuditCheck["problemOf"] {
  return (answer) => (answer.status === wanted ? undefined : `The status is ${answer.status} instead of ${wanted}`);
}

function between(lowest: number, highest: number): AuditCheck["problemOf"] {
  return (answer) =>
    isBetween(answer, lowest, highest)
      ? undefined
      : `The status is ${answer.status} and not from ${lowest} to ${highest}`;
}

function type(wanted: string): AuditCheck["problemOf"] {
  return (answer) => (mediaTypeOf(answer) === wanted ? undefined : `The content type is not ${wanted}`);
}

function utf8(answer: Answer): string | undefined {
  const charset = /charset="?([^";\s]+)/i.exec(answer.headers.get("content-type") ?? "")?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) return "The content type names another charset than UTF-8";
  return answer.text === undefined ? "The body is not UTF-8" : undefined;
}

function noErrors(answer: Answer): string | undefined {
  const body = bodyOf(answer);
  if (body === undefined) return "The body is no JSON object";
  return Object.hasOwn(body, "errors") ? "The answer has errors" : undefined;
}

function noData(answer: Answer): string | undefined {
  const body = bodyOf(answer);
  if (body === undefined) return "The body is no JSON object";
  return Object.hasOwn(body, "data") ? "The answer has data" : undefined;
}

function bodyOf({ text }: Answer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function all(...checks: readonly AuditCheck["problemOf"][]): AuditCheck["problemOf"] {
  return (answer) => {
    for (const one of checks) {
      const problem = one(answer);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}
