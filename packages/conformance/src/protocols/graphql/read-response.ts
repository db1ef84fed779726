import { isRecord } from "@nodewright/api-model";
import { mediaTypeOf } from "../../client/media-type.ts";
import { readLosslessJson } from "@nodewright/runtime";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import { showValue } from "../../compare/show-value.ts";
import type { Answer } from "../../contract/exchange.ts";
import { responseMediaType } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";

/** An error as it was answered. */
export interface AnsweredError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  /** Whether it has locations that are well. */
  readonly isLocated: boolean;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** An answer as a GraphQL response (specification, section 7.1), and what is wrong with its form. */
export interface GraphqlResponse {
  readonly answer: Answer;
  /** False: the answer is no GraphQL response at all. */
  readonly isResponse: boolean;
  readonly hasData: boolean;
  /** Undefined when there is none. */
  readonly data: unknown;
  readonly errors: readonly AnsweredError[];
  /** Of the form of the response, whatever was asked. */
  readonly findings: readonly Finding[];
}

const topMembers: ReadonlySet<string> = new Set(["data", "errors", "extensions"]);
const errorMembers: ReadonlySet<string> = new Set(["message", "locations", "path", "extensions"]);

/** Reads an answer as a response. `text`: the document that was sent, in which locations lie. */
export function readResponse(answer: Answer, text?: string): GraphqlResponse {
  if (answer.isCut) return unreadable(answer, []);
  const failed = statusFindings(answer);
  if (answer.text === undefined)
    return unreadable(answer, [{ rule: graphqlRules.readable, message: "The body is not UTF-8" }]);
  let value: unknown;
  try {
    value = readLosslessJson(answer.text);
  } catch {
    if (failed.length > 0) return unreadable(answer, failed);
    const detail = `status ${answer.status}, ${showValue(answer.headers.get("content-type") ?? "no content type")}`;
    return unreadable(answer, [{ rule: graphqlRules.readable, message: "The body is not JSON", detail }]);
  }
  if (!isRecord(value)) {
    return unreadable(answer, [{ rule: graphqlRules.responseForm, message: "The response is not an object" }]);
  }
  return readMembers(answer, value, text);
}

/** A failure with status 5xx; what GraphQL has to say about data is told elsewhere. */
function statusFindings({ status }: Answer): readonly Finding[] {
  if (status < 500) return [];
  return [{ rule: graphqlRules.serverError, message: `The server failed with status ${status}` }];
}

/** 203 is of intermediaries; 294 tells of data beside errors. */
const dataStatuses: ReadonlySet<number> = new Set([200, 203, 294]);

function dataStatusFindings(answer: Answer, hasErrors: boolean): readonly Finding[] {
  const { status } = answer;
  const message = `A response with data has the status ${status}`;
  if (dataStatuses.has(status) || status >= 500) return [];
  if (status < 300) return [{ rule: graphqlRules.dataStatusLikely, message }];
  // Under the older media type, status was left to servers where there are errors.
  const isMust = isOwnMediaType(answer) || !hasErrors;
  return [{ rule: isMust ? graphqlRules.dataStatus : graphqlRules.dataStatusLikely, message }];
}

function unreadable(answer: Answer, findings: readonly Finding[]): GraphqlResponse {
  return { answer, isResponse: false, hasData: false, data: undefined, errors: [], findings };
}

function readMembers(
  answer: Answer,
  members: Readonly<Record<string, unknown>>,
  text: string | undefined,
): GraphqlResponse {
  const hasData = Object.hasOwn(members, "data");
  const hasErrors = Object.hasOwn(members, "errors");
  const findings: Finding[] = [];
  const broken = (message: string, detail?: string): void => {
    findings.push({ rule: graphqlRules.responseForm, message, ...(detail === undefined ? {} : { detail }) });
  };
  const isResponse = hasData || hasErrors;
  if (!isResponse && answer.status < 400) broken("The response has neither data nor errors");
  if (!isResponse) {
    return { ...unreadable(answer, [...findings, ...statusFindings(answer)]) };
  }
  for (const name of Object.keys(members)) {
    if (!topMembers.has(name)) broken("The response has a member that is none of data, errors and extensions", name);
  }
  if (Object.hasOwn(members, "extensions") && !isRecord(members["extensions"])) broken("extensions is not an object");
  const { data, errors: given } = members;
  if (hasData && data !== null && !isRecord(data)) broken("data is not an object");
  if (hasErrors && !Array.isArray(given)) broken("errors is not a list");
  if (Array.isArray(given) && given.length === 0) broken("errors is empty");
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  if (hasData && data === null && list.length === 0)
    findings.push({ rule: graphqlRules.nullData, message: "data is null and there are no errors" });
  findings.push(...uniqueFindings(list.flatMap((error) => errorFindings(error, text))));
  if (hasData && isRecord(data)) findings.push(...dataStatusFindings(answer, list.length > 0));
  if (isRecord(data)) findings.push(...statusFindings(answer));
  return { answer, isResponse, hasData, data, errors: list.map(readError), findings };
}

/** What members of an error have to be, where they are there. */
const errorForms: readonly (readonly [string, (value: unknown, text: string | undefined) => boolean, string])[] = [
  ["locations", isLocations, "An error's locations are not lines and columns of the document"],
  ["path", isPath, "An error's path is not a list of keys and positions"],
  ["extensions", isRecord, "An error's extensions are not an object"],
];

function errorFindings(error: unknown, text: string | undefined): readonly Finding[] {
  const broken = (message: string, detail?: string, rule = graphqlRules.errorForm): Finding => ({
    rule,
    message,
    ...(detail === undefined ? {} : { detail }),
    pointer: "/errors/*",
  });
  if (!isRecord(error)) return [broken("An error is not an object", showValue(error))];
  const others = Object.keys(error).filter((name) => !errorMembers.has(name));
  const further = "An error has a member that is none of message, locations, path and extensions";
  return [
    ...(typeof error["message"] === "string" ? [] : [broken("An error has no message that is a string")]),
    ...errorForms.flatMap(([name, isWell, message]) => {
      const value = error[name];
      return value === undefined || isWell(value, text) ? [] : [broken(message, showValue(value))];
    }),
    ...others.map((name) => broken(further, name, graphqlRules.errorMembers)),
  ];
}

/** An empty list and null are what servers give that know no place; the specification has only lists of places. */
function isLocations(value: unknown, text: string | undefined): boolean {
  if (!Array.isArray(value)) return value === null;
  const lines = text?.split(/\r\n|\n|\r/);
  return value.every((place) => {
    if (!isRecord(place)) return false;
    const { line, column } = place;
    if (!isPosition(line) || !isPosition(column)) return false;
    // One past the end of the text, or of a line, is where something is missing.
    return lines === undefined || (line <= lines.length + 1 && column <= (lines[line - 1]?.length ?? 0) + 2);
  });
}

function isPosition(value: unknown, least = 1): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= least;
}

function isPath(value: unknown): boolean {
  return (
    value === null || (Array.isArray(value) && value.every((step) => typeof step === "string" || isPosition(step, 0)))
  );
}

function readError(error: unknown): AnsweredError {
  if (!isRecord(error)) return { message: "", isLocated: false, extensions: {} };
  const { message, locations, path, extensions } = error;
  return {
    message: typeof message === "string" ? message : "",
    isLocated: Array.isArray(locations) && locations.length > 0,
    extensions: isRecord(extensions) ? extensions : {},
    ...(Array.isArray(path) && isPath(path) ? { path } : {}),
  };
}

/** Whether an answer is under the media type of GraphQL's own. */
export function isOwnMediaType(answer: Answer): boolean {
  return mediaTypeOf(answer) === responseMediaType;
}
