import { isRecord } from "@nodewright/api-model";
import { showValue } from "../../../compare/show-value.ts";
import type { ReceivedResponse } from "../../../contract/exchange.ts";
import { type Finding, finding, uniqueFindings } from "../../../contract/finding.ts";
import type { Rule } from "../../../contract/rule.ts";
import type { Members } from "../response/selected-fields.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import { type GraphqlResponse, isOwnMediaType, isPath, isPosition } from "../response/read-response.ts";

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

/** Returns the violations of the response format, independent of the request. `text`: the sent document, which locations refer to. */
export function formFindings(
  { received, body, isResponse, data, errors }: GraphqlResponse,
  text?: string,
): readonly Finding[] {
  const { status, headers } = received;
  if (body === undefined) return [];
  const failed = status < 500 ? [] : [finding(graphqlRules.serverError, `The server failed with status ${status}`)];
  if ("problem" in body) {
    const detail = `status ${status}, ${showValue(headers.get("content-type") ?? "no content type")}`;
    return failed.length > 0 ? failed : [finding(graphqlRules.readable, `The body ${body.problem}`, detail)];
  }
  if (!isRecord(body.value)) return [finding(graphqlRules.responseForm, "The response is not an object")];
  if (!isResponse) {
    const lacking = finding(graphqlRules.responseForm, "The response has neither data nor errors");
    return status < 400 ? [lacking] : failed;
  }
  const { errors: given } = body.value;
  const isUnexplained = data === null && errors.length === 0;
  return [
    ...memberFindings(body.value, responseForms, text),
    ...(isUnexplained ? [finding(graphqlRules.nullData, "data is null and there are no errors")] : []),
    ...uniqueFindings((Array.isArray(given) ? given : []).flatMap((error: unknown) => errorFindings(error, text))),
    ...(isRecord(data) ? [...dataStatusFindings(received, errors.length > 0), ...failed] : []),
  ];
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
  members: Members,
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
