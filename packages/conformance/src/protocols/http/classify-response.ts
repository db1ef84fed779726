import { isRecord } from "@nodewright/api-model";
import { isStreamed } from "@nodewright/runtime";
import { type Finding, finding, uniqueFindings } from "../../contract/finding.ts";
import { shorten, showValue } from "../../compare/show-value.ts";
import type { SuiteContent, SuiteHeader, SuiteHttpOperation, SuiteSuccess } from "../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { mostViolations, violationFindings } from "../../properties/value-findings.ts";
import type { ReceivedResponse } from "../../contract/exchange.ts";
import { contentFor, mediaTypeOf, readContent } from "../../client/read-content.ts";
import type { Rule } from "../../contract/rule.ts";
import { isTextOfType } from "../../compare/wire-readings.ts";
import { httpRules } from "./http-rules.ts";
import { formlessTexts } from "../../compare/text-formats.ts";

/** Classification of a response by the description, with its findings. */
export interface ClassifiedResponse {
  readonly response: ReceivedResponse;
  /** `undocumented`: a status that the description does not name. */
  readonly kind: "success" | "failure" | "undocumented";
  /** Status key of the description, such as `4XX`. */
  readonly documented?: SuiteSuccess["status"];
  /** Decoded body; `undefined` when it is absent or unreadable. */
  readonly value: unknown;
  readonly type?: SuiteType;
  readonly findings: readonly Finding[];
}

/** Statuses that gateways and servers send by themselves, independent of the description. */
const commonFailures: ReadonlySet<number> = new Set([401, 403, 404, 405, 406, 408, 413, 414, 415, 429, 431]);

/** Statuses of responses without content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/** Validates a response against the description of its status, independent of the request. */
export function classifyResponse(
  operation: SuiteHttpOperation,
  response: ReceivedResponse,
  types: SuiteTypes,
  method: string = operation.method,
): ClassifiedResponse {
  const checked = classifyStatus(operation, response, types, method);
  if (response.status < 500) return checked;
  // A server error is a fault even when the description names it.
  const message = `The server failed with status ${response.status}`;
  const failed = finding(httpRules.serverError, message, detailOf(response), operation);
  return { ...checked, findings: [failed, ...checked.findings] };
}

function classifyStatus(
  operation: SuiteHttpOperation,
  response: ReceivedResponse,
  types: SuiteTypes,
  method: string,
): ClassifiedResponse {
  const { status } = response;
  const described = [...operation.successes, ...operation.failures].map((one) => one.status);
  const pattern = patternsOf(status)
    .flatMap((one) => described.filter((own) => own === one))
    .at(0);
  if (pattern === undefined)
    return { response, kind: "undocumented", value: undefined, findings: undocumentedStatus(operation, response) };
  const successes = operation.successes.filter((one) => one.status === pattern);
  const failures = operation.failures.filter((one) => one.status === pattern);
  const isFailure = successes.length === 0;
  const contents = isFailure ? failures.flatMap((one) => one.contents) : successes.flatMap((one) => one.content ?? []);
  const content = contentFor(contents, mediaTypeOf(response));
  const own = isFailure ? failures[0] : (successes.find((one) => one.content === content) ?? successes[0]);
  const isCommon = isFailure && pattern === "default" && commonFailures.has(status);
  const failing = isCommon ? "common" : isFailure ? "failure" : undefined;
  const { findings, ...body } = classifyBody(response, contents, content, types, method, failing);
  const headers = isCommon ? [] : headerFindings(own?.headers ?? [], response, types);
  const problems = isFailure ? problemFindings(response, body.value) : [];
  return {
    response,
    kind: !isFailure ? "success" : isSuccessStatus(status) ? "undocumented" : "failure",
    documented: pattern,
    ...body,
    findings: [...headers, ...findings, ...problems].map((one) => placedAt(one, own?.place)),
  };
}

/** Returns whether a response has a success status, documented or not. */
export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Maximum number of characters of a body that a finding shows. */
const shownText = 200;

/** Returns the status and the beginning of a body. */
export function detailOf({ status, text = "" }: ReceivedResponse): string {
  return `status ${status}${text === "" ? "" : `: ${shorten(text.replaceAll(/\s+/g, " "), shownText)}`}`;
}

/** Returns the keys that the description may have for a status: the status, its class, or `default`. */
function patternsOf(status: number): readonly (number | string)[] {
  return [status, `${Math.floor(status / 100)}XX`, "default"];
}

/** Returns whether the description names a status itself or its class. */
export function documentsStatus(operation: SuiteHttpOperation, status: number): boolean {
  const patterns = patternsOf(status).slice(0, 2);
  return [...operation.successes, ...operation.failures].some(
    (one) => one.status !== undefined && patterns.includes(one.status),
  );
}

function undocumentedStatus(operation: SuiteHttpOperation, { status }: ReceivedResponse): readonly Finding[] {
  if (status >= 500) return [];
  const documented = [...operation.successes, ...operation.failures].map((one) => String(one.status));
  const detail = `status ${status}; documented are ${[...new Set(documented)].join(", ")}`;
  const found = (rule: Rule, message: string): readonly Finding[] => [finding(rule, message, detail, operation)];
  if (status >= 400) return found(httpRules.failureStatus, `The failure status ${status} is not documented`);
  if (status >= 300) return found(httpRules.redirect, `The status ${status} is not documented`);
  return found(httpRules.successStatus, `The success status ${status} is not documented`);
}

/** Checks a problem document. RFC 9457, section 3.1.2: `status` is optional, and equals the status of the response. */
function problemFindings(response: ReceivedResponse, value: unknown): readonly Finding[] {
  if (mediaTypeOf(response) !== "application/problem+json" || !isRecord(value)) return [];
  const { status } = value;
  if (typeof status !== "number" || status === response.status) return [];
  const message = "/status is not the status of the response";
  const detail = `${status}, and the response has ${response.status}`;
  return [{ rule: httpRules.problemStatus, message, detail, pointer: "/status" }];
}

function placedAt(finding: Finding, place: string | undefined): Finding {
  return finding.place !== undefined || place === undefined ? finding : { ...finding, place };
}

type ClassifiedBody = Pick<ClassifiedResponse, "value" | "type" | "findings">;

/** Validates a body. `common`: of a failure that a gateway may send and the description does not define. */
function classifyBody(
  response: ReceivedResponse,
  contents: readonly SuiteContent[],
  content: SuiteContent | undefined,
  types: SuiteTypes,
  method: string,
  failing: "failure" | "common" | undefined,
): ClassifiedBody {
  const { status, bytes } = response;
  if (method === "HEAD" || emptyStatuses.has(status)) {
    const findings = bytes.length === 0 ? [] : [{ rule: httpRules.noContent, message: "The response has content" }];
    return { value: undefined, findings };
  }
  if (contents.length === 0) {
    const isEmpty = bytes.length === 0 || failing !== undefined;
    const message = "The response has a body, and the description has none for it";
    return { value: undefined, findings: isEmpty ? [] : [{ rule: httpRules.undocumentedBody, message }] };
  }
  if (failing === "common" && content === undefined) return { value: undefined, findings: [] };
  const wrongType = content === undefined ? [wrongMediaType(response, contents, failing !== undefined)] : [];
  const reader = content ?? contents[0];
  if (reader === undefined) return { value: undefined, findings: wrongType };
  const body = readContent(reader, response);
  if ("problem" in body) {
    const rule = failing === undefined ? httpRules.readable : httpRules.failureBody;
    // A body of another media type need not be readable as the documented one.
    const isGuess = wrongType.length > 0 || !statesForm(reader);
    return { value: undefined, findings: isGuess ? wrongType : [{ rule, message: `The body ${body.problem}` }] };
  }
  const rule = failing === undefined ? httpRules.body : httpRules.failureBody;
  const findings = [...wrongType, ...bodyFindings(rule, reader, body.value, types)];
  return { value: body.value, type: reader.type, findings };
}

/**
 * Returns whether a media type defines the format of its bodies. A vendor type without a suffix does not (RFC 6838, section 4.2.8): that it
 * is JSON is inferred from the schema, which can describe YAML as well.
 */
function statesForm({ form, mediaType }: SuiteContent): boolean {
  return form !== "json" || /json/i.test(mediaType) || !/^[^/]+\/(?:vnd\.|prs\.|x[.-])/i.test(mediaType);
}

function wrongMediaType(response: ReceivedResponse, contents: readonly SuiteContent[], isFailure: boolean): Finding {
  const documented = contents.map(({ mediaType }) => mediaType).join(", ");
  const mediaType = mediaTypeOf(response);
  const message =
    mediaType === ""
      ? "The body has no Content-Type"
      : "The body has a media type that is not documented for its status";
  const detail = `${mediaType === "" ? "none" : mediaType} instead of ${documented}`;
  return { rule: isFailure ? httpRules.failureBody : httpRules.contentType, message, detail };
}

/** Validates a body; a sequence is valid when each of its items is. */
function bodyFindings(rule: Rule, content: SuiteContent, value: unknown, types: SuiteTypes): readonly Finding[] {
  if (!isStreamed(content)) return typeFindings(rule, content.type, comparable(value), types);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.flatMap((item) => typeFindings(rule, content.type, item, types)).slice(0, mostViolations);
}

/** Returns bytes as a string, which represents them in the types of a description. */
function comparable(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

/** Returns where a value does not match its type, each place once. */
function typeFindings(rule: Rule, type: SuiteType, value: unknown, types: SuiteTypes): readonly Finding[] {
  if (type.kind === "bytes") return [];
  const subjectOf = (pointer: string): string => (pointer === "" ? "The body" : pointer);
  const broken = violationFindings(rule, type, value, types, subjectOf);
  const formless = formlessTexts(type, value, types)
    .slice(0, mostViolations)
    .map(({ format, text, pointer, place, isSure }) => {
      const message = `${subjectOf(pointer)} is no ${format}`;
      const detail = `${pointer} is ${showValue(text)}`;
      return finding(isSure ? rule : httpRules.formatHeuristic, message, detail, { pointer, place });
    });
  return uniqueFindings([...broken, ...formless]);
}

function headerFindings(
  headers: readonly SuiteHeader[],
  response: ReceivedResponse,
  types: SuiteTypes,
): readonly Finding[] {
  return headers.flatMap((header): readonly Finding[] => {
    const { name, required, type } = header;
    // OpenAPI 3.1.1, section 4.8.17.1: a header called Content-Type is ignored.
    if (name === "content-type") return [];
    const text = response.headers.get(name);
    if (text === undefined)
      return required ? [finding(httpRules.requiredHeader, `The header ${name} is missing`, undefined, header)] : [];
    if (isTextOfType(type, text, types)) return [];
    return [finding(httpRules.header, `The header ${name} is not of its type`, `${name}: ${showValue(text)}`, header)];
  });
}
