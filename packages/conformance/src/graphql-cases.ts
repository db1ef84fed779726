import { mediaTypeOf, readJson, schemaProblems } from "./body.ts";
import type { Answer, PlainRequest, Sender } from "./exchange.ts";
import { expectationText, resolveExpectation } from "./expectation.ts";
import { isRecord } from "./is-record.ts";
import { jsonDifferences, showJson } from "./json-difference.ts";
import { isAllowed, isPlayed, isWithheld, mayBeMissing, sampleCase } from "./operation-filter.ts";
import type { RunOptions } from "./options.ts";
import type { Judgement, PlannedCase } from "./planned-case.ts";
import type { ConformanceCase, Expectation, GraphqlDocumentSuite, GraphqlSuite } from "./suite.ts";
import { wrongKeys } from "./wrong-keys.ts";

/** A well-formed response (GraphQL specification, section 7.1). */
interface ReadResponse {
  readonly problems: readonly string[];
  /** `undefined` when the response has none. */
  readonly data?: unknown;
  /** Empty when the response has none. */
  readonly errors: readonly GraphqlFailure[];
}

interface GraphqlFailure {
  readonly message: string;
  readonly code: unknown;
}

/** Plans every case of a GraphQL suite. */
export function planGraphqlCases(suite: GraphqlSuite, sender: Sender, options: RunOptions): readonly PlannedCase[] {
  const played = suite.documents.filter(({ document }) => isPlayed(document.name, options));
  const planned = played.flatMap((one) => planDocument(one, sender, options));
  return options.only === undefined ? [...planned, ...planRules(suite, sender)] : planned;
}

function planDocument(one: GraphqlDocumentSuite, sender: Sender, options: RunOptions): readonly PlannedCase[] {
  const documented = one.cases
    .filter(({ group }) => isAllowed(group, one.writes))
    .map((conformanceCase) => planCase(one, conformanceCase, sender, options));
  const keys = options.apiKey === undefined ? [] : planKeyCases(one, sender, options.apiKey);
  return [...documented, ...keys];
}

function planCase(
  one: GraphqlDocumentSuite,
  conformanceCase: ConformanceCase,
  sender: Sender,
  options: RunOptions,
): PlannedCase {
  const { name, group, input } = conformanceCase;
  const expect = resolveExpectation(one.cases, conformanceCase.expect);
  const request = graphqlRequest({ query: one.document.text, variables: input });
  return {
    operation: one.document.name,
    group,
    name,
    expected: expectationText(expect),
    isWithheld: isWithheld(group, one.writes, options),
    send: () => sender.send(request),
    check: (answer): Judgement => {
      const response = readResponse(answer);
      const isMissing = response.errors.some(({ code }) => code === "NOT_IMPLEMENTED");
      if (isMissing && mayBeMissing(one.document.name, options)) return "missing";
      return [...response.problems, ...checkResponse(one, expect, answer, response)];
    },
  };
}

function graphqlRequest(body: Readonly<Record<string, unknown>>): PlainRequest {
  return {
    method: "POST",
    path: "",
    query: "",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}

function checkResponse(
  one: GraphqlDocumentSuite,
  expect: Expectation,
  answer: Answer,
  { data, errors }: ReadResponse,
): readonly string[] {
  switch (expect.kind) {
    case "value":
    case "type": {
      if (errors.length > 0) return [`the answer has the error ${errorText(errors)}`];
      const status =
        answer.status === expect.status ? [] : [`the status is ${answer.status} instead of ${expect.status}`];
      const problems = [...status, ...schemaProblems(one.document.output, data, "data")];
      return expect.kind === "type" ? problems : [...problems, ...jsonDifferences(expect.value, data)];
    }
    case "failure":
      return checkFailure(expect, errors);
    case "refusal":
      if (errors.length === 0) return ["a wrong variable is not refused"];
      return data === undefined || data === null ? [] : ["a request that is refused has data"];
    case "documented":
      return errors.length > 0 ? [] : schemaProblems(one.document.output, data, "data");
    case "same-as":
      throw new Error("An expectation is resolved before an answer is checked");
    default:
      return expect satisfies never;
  }
}

function checkFailure(
  { message, graphqlCode }: Extract<Expectation, { kind: "failure" }>,
  errors: readonly GraphqlFailure[],
): readonly string[] {
  const [first] = errors;
  if (first === undefined) return ["the answer has no error"];
  return [
    ...(message === undefined || first.message === message
      ? []
      : [`the error says ${showJson(first.message)} instead of ${showJson(message)}`]),
    ...(graphqlCode === undefined || first.code === graphqlCode
      ? []
      : [`the error's code is ${showJson(first.code)} instead of ${graphqlCode}`]),
  ];
}

function errorText([first]: readonly GraphqlFailure[]): string {
  return showJson(first?.message);
}

/** Reads a response and checks its form: members, and those of each error. */
function readResponse(answer: Answer): ReadResponse {
  const mediaType = mediaTypeOf(answer);
  const problems: string[] = [];
  if (mediaType !== "application/json" && mediaType !== "application/graphql-response+json") {
    problems.push(`the media type is ${showJson(mediaType)}`);
  }
  const body = answer.text === undefined ? { problem: "the body is not UTF-8" } : readJson(answer.text);
  if ("problem" in body) return { problems: [...problems, body.problem], errors: [] };
  if (!isRecord(body.value)) return { problems: [...problems, "the response is not an object"], errors: [] };
  const { data, errors, extensions, ...rest } = body.value;
  for (const name of Object.keys(rest)) problems.push(`the response has the member ${showJson(name)}`);
  if (extensions !== undefined && !isRecord(extensions)) problems.push("extensions is not an object");
  if (errors === undefined) return { problems, data, errors: [] };
  if (!Array.isArray(errors) || errors.length === 0)
    return { problems: [...problems, "errors is not a list with errors"], data, errors: [] };
  problems.push(...errors.flatMap(errorProblems));
  return { problems, data, errors: errors.map(readFailure) };
}

function readFailure(error: unknown): GraphqlFailure {
  if (!isRecord(error)) return { message: "", code: undefined };
  const { message, extensions } = error;
  return {
    message: typeof message === "string" ? message : "",
    code: isRecord(extensions) ? extensions["code"] : undefined,
  };
}

/** GraphQL specification, section 7.1.2. */
function errorProblems(error: unknown): readonly string[] {
  if (!isRecord(error)) return ["an error is not an object"];
  const { message, locations, path, extensions, ...rest } = error;
  const problems = Object.keys(rest).map((name) => `an error has the member ${showJson(name)}`);
  if (typeof message !== "string" || message === "") problems.push("an error has no message");
  if (locations !== undefined && !isLocations(locations))
    problems.push("an error's locations are not lines and columns");
  if (path !== undefined && !isPath(path)) problems.push("an error's path is not of names and positions");
  if (extensions !== undefined && !isRecord(extensions)) problems.push("an error's extensions are not an object");
  return problems;
}

function isLocations(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((place) => isRecord(place) && isPosition(place["line"], 1) && isPosition(place["column"], 1))
  );
}

function isPath(value: unknown): boolean {
  return Array.isArray(value) && value.every((step) => typeof step === "string" || isPosition(step, 0));
}

function isPosition(value: unknown, minimum: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= minimum;
}

function planKeyCases(one: GraphqlDocumentSuite, sender: Sender, apiKey: string): readonly PlannedCase[] {
  const request = graphqlRequest({
    query: one.document.text,
    variables: sampleCase(one.cases, one.writes)?.input ?? {},
  });
  return wrongKeys(apiKey).map(({ name, key }) => ({
    operation: one.document.name,
    group: "key",
    name,
    expected: "status 401 with WWW-Authenticate and the code UNAUTHENTICATED",
    send: () => sender.sendWithKey(request, key),
    check: (answer) => {
      const { problems, data, errors } = readResponse(answer);
      return [
        ...(answer.status === 401 ? [] : [`the status is ${answer.status} instead of 401`]),
        ...(answer.headers.has("www-authenticate") ? [] : ["the header www-authenticate is missing"]),
        ...(data === undefined ? [] : ["a request without a valid key has data"]),
        ...problems,
        ...checkFailure({ kind: "failure", graphqlCode: "UNAUTHENTICATED" }, errors),
      ];
    },
  }));
}

/** Rules of GraphQL and of GraphQL over HTTP that hold whatever the schema is. */
function planRules(suite: GraphqlSuite, sender: Sender): readonly PlannedCase[] {
  const mutation = suite.documents.find(({ writes }) => writes);
  const refused = (name: string, request: PlainRequest, statuses: readonly number[]): PlannedCase => ({
    operation: "(protocol)",
    group: "protocol",
    name,
    expected: `status ${statuses.join(" or ")}, errors and no data`,
    send: () => sender.send(request),
    check: (answer) => {
      const { problems, data, errors } = readResponse(answer);
      return [
        ...problems,
        ...(statuses.includes(answer.status) ? [] : [`the status is ${answer.status}`]),
        ...(errors.length > 0 ? [] : ["there are no errors"]),
        ...(data === undefined || data === null ? [] : ["there is data"]),
      ];
    },
  });
  const post = (body: string): PlainRequest => ({ ...graphqlRequest({}), body });
  const get = (query: readonly (readonly [string, string])[]): PlainRequest => ({
    method: "GET",
    path: "",
    query: new URLSearchParams(Object.fromEntries(query)).toString(),
    headers: {},
  });
  const responseType = { accept: "application/graphql-response+json" };
  return [
    refused("syntax-error", graphqlRequest({ query: "{" }), [400]),
    refused("unknown-field", graphqlRequest({ query: "{ noSuchField }" }), [400]),
    refused("no-query", graphqlRequest({}), [400]),
    refused("query-is-a-number", graphqlRequest({ query: 5 }), [400]),
    refused("variables-is-a-text", graphqlRequest({ query: "{ __typename }", variables: "x" }), [400]),
    refused("unknown-operation-name", graphqlRequest({ query: "query a { __typename }", operationName: "b" }), [400]),
    refused("broken-json", post('{"query":'), [400]),
    refused("a-list", post("[]"), [400]),
    refused("get-without-query", get([]), [400]),
    refused(
      "unknown-field-as-graphql-response",
      {
        ...graphqlRequest({ query: "{ noSuchField }" }),
        headers: { "content-type": "application/json", ...responseType },
      },
      [400],
    ),
    ...(mutation === undefined
      ? []
      : [
          refused(
            "mutation-by-get",
            get([
              ["query", mutation.document.text],
              ["variables", JSON.stringify(mutation.cases[0]?.input ?? {})],
            ]),
            [405],
          ),
        ]),
    answered("type-name", graphqlRequest({ query: "{ __typename }" }), sender, "application/json"),
    answered("type-name-by-get", get([["query", "{ __typename }"]]), sender, "application/json"),
    answered(
      "type-name-as-graphql-response",
      {
        ...graphqlRequest({ query: "{ __typename }" }),
        headers: { "content-type": "application/json", ...responseType },
      },
      sender,
      "application/graphql-response+json",
    ),
  ];
}

function answered(name: string, request: PlainRequest, sender: Sender, mediaType: string): PlannedCase {
  return {
    operation: "(protocol)",
    group: "protocol",
    name,
    expected: `status 200 with data under ${mediaType}`,
    send: () => sender.send(request),
    check: (answer) => {
      const { problems, data, errors } = readResponse(answer);
      const actual = mediaTypeOf(answer);
      return [
        ...problems,
        ...(answer.status === 200 ? [] : [`the status is ${answer.status} instead of 200`]),
        ...(actual === mediaType ? [] : [`the media type is ${showJson(actual)} instead of ${mediaType}`]),
        ...(errors.length === 0 ? [] : [`the answer has the error ${errorText(errors)}`]),
        ...(isRecord(data) && typeof data["__typename"] === "string" ? [] : ["data has no __typename"]),
      ];
    },
  };
}
