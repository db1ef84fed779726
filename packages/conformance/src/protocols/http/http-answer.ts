import { isRecord } from "@nodewright/api-model";
import { isStreamed } from "@nodewright/runtime";
import { type Finding, finding, uniqueFindings } from "../../contract/finding.ts";
import { shorten, showValue } from "../../compare/show-value.ts";
import type { SuiteContent, SuiteHeader, SuiteHttpOperation, SuiteSuccess } from "../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { mostViolations, violationFindings } from "../../properties/value-findings.ts";
import type { Answer } from "../../contract/exchange.ts";
import { mediaTypeOf } from "../../client/media-type.ts";
import { contentFor, readContent } from "../../client/read-content.ts";
import type { Rule } from "../../contract/rule.ts";
import { isTextOfType } from "../../compare/wire-readings.ts";
import { httpRules } from "./http-rules.ts";
import { formlessTexts } from "../../compare/text-formats.ts";

/** What an answer is by the description, and what is wrong with it as that. */
export interface JudgedAnswer {
  readonly answer: Answer;
  /** `undocumented`: a status that the description does not name. */
  readonly kind: "success" | "failure" | "undocumented";
  /** How the description calls its status. */
  readonly documented?: SuiteSuccess["status"];
  /** Of the body, as its content says; undefined where there is none, or it can't be read. */
  readonly value: unknown;
  readonly type?: SuiteType;
  readonly findings: readonly Finding[];
}

/** Statuses that gateways and servers give by themselves, whatever the description names. */
const commonFailures: ReadonlySet<number> = new Set([401, 403, 404, 405, 406, 408, 413, 414, 415, 429, 431]);

/** Statuses whose answers have no content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
const emptyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/** Holds an answer against what the description says of its status: everything that can be told without knowing what was asked for. */
export function judgeAnswer(
  operation: SuiteHttpOperation,
  answer: Answer,
  types: SuiteTypes,
  method: string = operation.method,
): JudgedAnswer {
  const judged = judgeStatus(operation, answer, types, method);
  if (answer.status < 500) return judged;
  // A server error is none the less one because the description names it.
  const message = `The server failed with status ${answer.status}`;
  const failed = finding(httpRules.serverError, message, detailOf(answer), operation);
  return { ...judged, findings: [failed, ...judged.findings] };
}

function judgeStatus(operation: SuiteHttpOperation, answer: Answer, types: SuiteTypes, method: string): JudgedAnswer {
  const { status } = answer;
  const described = [...operation.successes, ...operation.failures].map((one) => one.status);
  const pattern = patternsOf(status)
    .flatMap((one) => described.filter((own) => own === one))
    .at(0);
  if (pattern === undefined)
    return { answer, kind: "undocumented", value: undefined, findings: undocumentedStatus(operation, answer) };
  const successes = operation.successes.filter((one) => one.status === pattern);
  const failures = operation.failures.filter((one) => one.status === pattern);
  const isFailure = successes.length === 0;
  const contents = isFailure ? failures.flatMap((one) => one.contents) : successes.flatMap((one) => one.content ?? []);
  const content = contentFor(contents, mediaTypeOf(answer));
  const own = isFailure ? failures[0] : (successes.find((one) => one.content === content) ?? successes[0]);
  const isCommon = isFailure && pattern === "default" && commonFailures.has(status);
  const failing = isCommon ? "common" : isFailure ? "failure" : undefined;
  const { findings, ...body } = judgeBody(answer, contents, content, types, method, failing);
  const headers = isCommon ? [] : headerFindings(own?.headers ?? [], answer, types);
  const problems = isFailure ? problemFindings(answer, body.value) : [];
  return {
    answer,
    kind: !isFailure ? "success" : isSuccessStatus(status) ? "undocumented" : "failure",
    documented: pattern,
    ...body,
    findings: [...headers, ...findings, ...problems].map((one) => placedAt(one, own?.place)),
  };
}

/** Whether an answer is a success by its status, documented or not. */
export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Text of an answer that stands beside a finding. */
const shownText = 200;

/** The status and the beginning of the text of an answer. */
export function detailOf({ status, text = "" }: Answer): string {
  return `status ${status}${text === "" ? "" : `: ${shorten(text.replaceAll(/\s+/g, " "), shownText)}`}`;
}

/** How the description calls a status: itself, its class, or whatever is not named otherwise. */
function patternsOf(status: number): readonly (number | string)[] {
  return [status, `${Math.floor(status / 100)}XX`, "default"];
}

/** True where the description names a status itself or its class. */
export function documentsStatus(operation: SuiteHttpOperation, status: number): boolean {
  const patterns = patternsOf(status).slice(0, 2);
  return [...operation.successes, ...operation.failures].some(
    (one) => one.status !== undefined && patterns.includes(one.status),
  );
}

function undocumentedStatus(operation: SuiteHttpOperation, { status }: Answer): readonly Finding[] {
  if (status >= 500) return [];
  const documented = [...operation.successes, ...operation.failures].map((one) => String(one.status));
  const detail = `status ${status}; documented are ${[...new Set(documented)].join(", ")}`;
  const found = (rule: Rule, message: string): readonly Finding[] => [finding(rule, message, detail, operation)];
  if (status >= 400) return found(httpRules.failureStatus, `The failure status ${status} is not documented`);
  if (status >= 300) return found(httpRules.redirect, `The status ${status} is not documented`);
  return found(httpRules.successStatus, `The success status ${status} is not documented`);
}

/** RFC 9457, section 3.1.2: the member may be left out, and says the same as the answer where it is there. */
function problemFindings(answer: Answer, value: unknown): readonly Finding[] {
  if (mediaTypeOf(answer) !== "application/problem+json" || !isRecord(value)) return [];
  const { status } = value;
  if (typeof status !== "number" || status === answer.status) return [];
  const message = "/status is not the status of the answer";
  const detail = `${status}, and the answer has ${answer.status}`;
  return [{ rule: httpRules.problemStatus, message, detail, pointer: "/status" }];
}

function placedAt(finding: Finding, place: string | undefined): Finding {
  return finding.place !== undefined || place === undefined ? finding : { ...finding, place };
}

type JudgedBody = Pick<JudgedAnswer, "value" | "type" | "findings">;

/** `common`: of a failure that a gateway may give, of which the description says nothing by itself. */
function judgeBody(
  answer: Answer,
  contents: readonly SuiteContent[],
  content: SuiteContent | undefined,
  types: SuiteTypes,
  method: string,
  failing: "failure" | "common" | undefined,
): JudgedBody {
  const { status, bytes } = answer;
  if (method === "HEAD" || emptyStatuses.has(status)) {
    const findings = bytes.length === 0 ? [] : [{ rule: httpRules.noContent, message: "The answer has content" }];
    return { value: undefined, findings };
  }
  if (contents.length === 0) {
    const isEmpty = bytes.length === 0 || failing !== undefined;
    const message = "The answer has a body, and the description has none for it";
    return { value: undefined, findings: isEmpty ? [] : [{ rule: httpRules.undocumentedBody, message }] };
  }
  if (failing === "common" && content === undefined) return { value: undefined, findings: [] };
  const wrongType = content === undefined ? [wrongMediaType(answer, contents, failing !== undefined)] : [];
  const reader = content ?? contents[0];
  if (reader === undefined) return { value: undefined, findings: wrongType };
  const body = readContent(reader, answer);
  if ("problem" in body) {
    const rule = failing === undefined ? httpRules.readable : httpRules.failureBody;
    // What has another media type need not be readable as the documented one.
    const isGuess = wrongType.length > 0 || !saysForm(reader);
    return { value: undefined, findings: isGuess ? wrongType : [{ rule, message: `The body ${body.problem}` }] };
  }
  const rule = failing === undefined ? httpRules.body : httpRules.failureBody;
  const findings = [...wrongType, ...bodyFindings(rule, reader, body.value, types)];
  return { value: body.value, type: reader.type, findings };
}

/**
 * Whether a media type says how its bodies are written. One of a vendor's own without a suffix does not (RFC 6838, section 4.2.8): that
 * they are JSON is taken from the schema, which describes YAML as well.
 */
function saysForm({ form, mediaType }: SuiteContent): boolean {
  return form !== "json" || /json/i.test(mediaType) || !/^[^/]+\/(?:vnd\.|prs\.|x[.-])/i.test(mediaType);
}

function wrongMediaType(answer: Answer, contents: readonly SuiteContent[], isFailure: boolean): Finding {
  const documented = contents.map(({ mediaType }) => mediaType).join(", ");
  const mediaType = mediaTypeOf(answer);
  const message =
    mediaType === ""
      ? "The body has no Content-Type"
      : "The body has a media type that is not documented for its status";
  const detail = `${mediaType === "" ? "none" : mediaType} instead of ${documented}`;
  return { rule: isFailure ? httpRules.failureBody : httpRules.contentType, message, detail };
}

/** A sequence is right when each of its items is. */
function bodyFindings(rule: Rule, content: SuiteContent, value: unknown, types: SuiteTypes): readonly Finding[] {
  if (!isStreamed(content)) return typeFindings(rule, content.type, comparable(value), types);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.flatMap((item) => typeFindings(rule, content.type, item, types)).slice(0, mostViolations);
}

/** Text stands for bytes in the types of a description. */
function comparable(value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}

/** What of a value is not of its type, each place once. */
function typeFindings(rule: Rule, type: SuiteType, value: unknown, types: SuiteTypes): readonly Finding[] {
  if (type.kind === "bytes") return [];
  const subjectOf = (pointer: string): string => (pointer === "" ? "The body" : pointer);
  const broken = violationFindings(rule, type, value, types, subjectOf);
  const formless = formlessTexts(type, value, types)
    .slice(0, mostViolations)
    .map(({ format, text, pointer, place, isSure }) => {
      const message = `${subjectOf(pointer)} is no ${format}`;
      const detail = `${pointer} is ${showValue(text)}`;
      return finding(isSure ? rule : httpRules.formatLikely, message, detail, { pointer, place });
    });
  return uniqueFindings([...broken, ...formless]);
}

function headerFindings(headers: readonly SuiteHeader[], answer: Answer, types: SuiteTypes): readonly Finding[] {
  return headers.flatMap((header): readonly Finding[] => {
    const { name, required, type } = header;
    // OpenAPI 3.1.1, section 4.8.17.1: a header called Content-Type is ignored.
    if (name === "content-type") return [];
    const text = answer.headers.get(name);
    if (text === undefined)
      return required ? [finding(httpRules.requiredHeader, `The header ${name} is missing`, undefined, header)] : [];
    if (isTextOfType(type, text, types)) return [];
    return [finding(httpRules.header, `The header ${name} is not of its type`, `${name}: ${showValue(text)}`, header)];
  });
}
