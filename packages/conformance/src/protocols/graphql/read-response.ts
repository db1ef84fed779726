import { isRecord } from "@nodewright/api-model";
import { mediaTypeOf, readJson } from "../../client/read-content.ts";
import { type Finding, finding, uniqueFindings } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import { showValue } from "../../compare/show-value.ts";
import type { ReceivedResponse } from "../../contract/exchange.ts";
import { responseMediaType } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";

/** An error of a response. */
export interface ResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  /** Whether it has valid locations. */
  readonly isLocated: boolean;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** A GraphQL response (specification, section 7.1), with the violations of its format. */
export interface GraphqlResponse {
  readonly received: ReceivedResponse;
  /** Whether the HTTP response is a GraphQL response at all. */
  readonly isResponse: boolean;
  readonly hasData: boolean;
  /** `undefined` when it is absent. */
  readonly data: unknown;
  readonly errors: readonly ResponseError[];
  /** Violations of the response format, independent of the request. */
  readonly findings: readonly Finding[];
}

/** Checks of the members of a response or an error; `surplus`: message for any other member. */
interface MemberForms {
  readonly rule: Rule;
  /** Name, check of a value (`undefined` where the member is absent), and message. */
  readonly forms: readonly (readonly [string, (value: unknown, text?: string) => boolean, string])[];
  readonly surplus: readonly [Rule, string];
}
type IsWell = MemberForms["forms"][number][1];

const responseForms: MemberForms = {
  rule: graphqlRules.responseForm,
  forms: [
    ["data", (value) => value == null || isRecord(value), "data is not an object"],
    ["errors", optional(Array.isArray), "errors is not a list"],
    ["errors", (value) => !Array.isArray(value) || value.length > 0, "errors is empty"],
    ["extensions", optional(isRecord), "extensions is not an object"],
  ],
  surplus: [graphqlRules.responseForm, "The response has a member other than data, errors and extensions"],
};
const errorForms: MemberForms = {
  rule: graphqlRules.errorForm,
  forms: [
    ["message", (value) => typeof value === "string", "An error has no message that is a string"],
    ["locations", optional(isLocations), "An error's locations are not lines and columns of the document"],
    ["path", optional(isPath), "An error's path is not a list of keys and positions"],
    ["extensions", optional(isRecord), "An error's extensions are not an object"],
  ],
  surplus: [graphqlRules.errorMembers, "An error has a member other than message, locations, path and extensions"],
};

function optional(isWell: IsWell): IsWell {
  return (value, text) => value === undefined || isWell(value, text);
}

/** Parses an HTTP response as a GraphQL response. `text`: the sent document, which locations refer to. */
export function readResponse(received: ReceivedResponse, text?: string): GraphqlResponse {
  const { status, headers } = received;
  const nothing = { received, isResponse: false, hasData: false, data: undefined, errors: [], findings: [] };
  if (received.isCut) return nothing;
  const failed = status < 500 ? [] : [finding(graphqlRules.serverError, `The server failed with status ${status}`)];
  const body = readJson(received);
  if ("problem" in body) {
    const detail = `status ${status}, ${showValue(headers.get("content-type") ?? "no content type")}`;
    const findings = [finding(graphqlRules.readable, `The body ${body.problem}`, detail)];
    return { ...nothing, findings: failed.length > 0 ? failed : findings };
  }
  const { value } = body;
  const broken = (message: string): readonly Finding[] => [finding(graphqlRules.responseForm, message)];
  if (!isRecord(value)) return { ...nothing, findings: broken("The response is not an object") };
  const hasData = Object.hasOwn(value, "data");
  if (!hasData && !Object.hasOwn(value, "errors")) {
    const lacking = status < 400 ? broken("The response has neither data nor errors") : [];
    return { ...nothing, findings: [...lacking, ...failed] };
  }
  const { data, errors: given } = value;
  const errors: readonly unknown[] = Array.isArray(given) ? given : [];
  const isUnexplained = data === null && errors.length === 0;
  const findings = [
    ...memberFindings(value, responseForms, text),
    ...(isUnexplained ? [finding(graphqlRules.nullData, "data is null and there are no errors")] : []),
    ...uniqueFindings(errors.flatMap((error) => errorFindings(error, text))),
    ...(isRecord(data) ? [...dataStatusFindings(received, errors.length > 0), ...failed] : []),
  ];
  return { received, isResponse: true, hasData, data, errors: errors.map(readError), findings };
}

/**
 * Returns whether a request failed before its execution: such a response has no data (specification, section 7.1.2), for which some servers
 * send null with an error status.
 */
export function isRequestError({ hasData, data, errors, received }: GraphqlResponse): boolean {
  const isPathless = errors.length > 0 && errors.every(({ path }) => path === undefined);
  return !hasData || (data === null && isPathless && received.status >= 400);
}

/** Statuses of responses with data: 203 comes from intermediaries; 294 indicates data with errors. */
const dataStatuses: ReadonlySet<number> = new Set([200, 203, 294]);

/** Checks the status of a response with data; a status 5xx is reported separately. */
function dataStatusFindings(received: ReceivedResponse, hasErrors: boolean): readonly Finding[] {
  const { status } = received;
  if (dataStatuses.has(status) || status >= 500) return [];
  // The legacy media type left the status of responses with errors to servers.
  const isMust = status >= 300 && (isOwnMediaType(received) || !hasErrors);
  const rule = isMust ? graphqlRules.dataStatus : graphqlRules.dataStatusHeuristic;
  return [finding(rule, `A response with data has the status ${status}`)];
}

function errorFindings(error: unknown, text: string | undefined): readonly Finding[] {
  const found = isRecord(error)
    ? memberFindings(error, errorForms, text)
    : [finding(graphqlRules.errorForm, "An error is not an object", showValue(error))];
  return found.map((one) => ({ ...one, pointer: "/errors/*" }));
}

function memberFindings(
  members: Readonly<Record<string, unknown>>,
  { rule, forms, surplus }: MemberForms,
  text: string | undefined,
): readonly Finding[] {
  const others = Object.keys(members).filter((name) => forms.every(([known]) => known !== name));
  return [
    ...forms
      .filter(([name, isWell]) => !isWell(members[name], text))
      .map(([name, , message]) => finding(rule, message, name in members ? showValue(members[name]) : undefined)),
    ...others.map((name) => finding(...surplus, name)),
  ];
}

/**
 * Returns whether a value is a valid `locations`. An empty list and null come from servers without a location, though the specification
 * requires a list of locations.
 */
function isLocations(value: unknown, text: string | undefined): boolean {
  if (!Array.isArray(value)) return value === null;
  const lines = text?.split(/\r\n|\n|\r/);
  return value.every((place) => {
    if (!isRecord(place)) return false;
    const { line, column } = place;
    if (!isPosition(line) || !isPosition(column)) return false;
    // One past the end of the document, or of a line, is the location of something missing.
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

function readError(error: unknown): ResponseError {
  if (!isRecord(error)) return { message: "", isLocated: false, extensions: {} };
  const { message, locations, path, extensions } = error;
  return {
    message: typeof message === "string" ? message : "",
    isLocated: Array.isArray(locations) && locations.length > 0,
    extensions: isRecord(extensions) ? extensions : {},
    ...(Array.isArray(path) && isPath(path) ? { path } : {}),
  };
}

/** Returns whether a response has GraphQL's own media type. */
export function isOwnMediaType(received: ReceivedResponse): boolean {
  return mediaTypeOf(received) === responseMediaType;
}
