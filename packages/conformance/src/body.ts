import {
  type ContentFacts,
  decodeBody,
  EventParser,
  findContent,
  isStreamed,
  isWireError,
  JsonLinesParser,
  readLosslessJson,
} from "@nodewright/runtime";
import type { Answer } from "./exchange.ts";
import { showJson } from "./json-difference.ts";
import type { TypeCheck } from "./suite.ts";

/** A body's wire value, or what is wrong with it. */
export type BodyResult = { readonly value: unknown } | { readonly problem: string };

/** Violations that are named before the rest is only counted. */
const namedViolations = 5;

/** The media type of an answer without its parameters, in lower case. */
export function mediaTypeOf(answer: Answer): string {
  return (answer.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Whether a media type is the one of a content, or of the range that it stands for. */
export function isOfMediaType(content: ContentFacts, mediaType: string): boolean {
  return findContent([content], mediaType) !== undefined;
}

/** Reads a body as its content says; of one that is a sequence, a list of its items. */
export function readBody(content: ContentFacts, answer: Answer): BodyResult {
  const mediaType = mediaTypeOf(answer);
  if (!isOfMediaType(content, mediaType)) {
    return { problem: `the media type is ${showJson(mediaType)} instead of ${content.mediaType}` };
  }
  if (content.form === "binary") return { value: answer.bytes };
  if (answer.text === undefined && content.form !== "multipart") return { problem: "the body is not UTF-8" };
  if (content.form === "json") return readJson(answer.text ?? "");
  if (content.form === "text") {
    const { text = "" } = answer;
    return decoded(() => decodeBody(content, new TextEncoder().encode(text), undefined));
  }
  if (isStreamed(content)) return decoded(() => itemsOf(content, answer.text ?? ""));
  return decoded(() =>
    decodeBody(content, answer.bytes, answer.headers.get("content-type") ?? undefined, { keepsLongIntegers: true }),
  );
}

/** The items that are whole; of events, their data. */
function itemsOf(content: ContentFacts, text: string): readonly unknown[] {
  if (content.form === "json-lines") {
    const form = content.mediaType.includes("json-seq") ? "sequence" : "lines";
    return new JsonLinesParser(form, { keepsLongIntegers: true }).push(text);
  }
  const data = new EventParser().push(text).map((event) => event.data);
  return content.decoding === undefined ? data.map(readLosslessJson) : data;
}

function decoded(decode: () => unknown): BodyResult {
  try {
    return { value: decode() };
  } catch (error) {
    if (isWireError(error)) return { problem: `the body can't be read: ${error.message}` };
    if (error instanceof SyntaxError) return { problem: "the data of an event is not JSON" };
    throw error;
  }
}

/** Reads JSON text without rounding integers. */
export function readJson(text: string): BodyResult {
  try {
    return { value: readLosslessJson(text) };
  } catch {
    return { problem: "the body is not JSON" };
  }
}

/** What of a value does not match its schema. */
export function schemaProblems(check: TypeCheck, value: unknown, subject: string): readonly string[] {
  const violations = check.violationsOf(value);
  if (violations.length === 0) return check.is(value) ? [] : [`${subject} is not of its type`];
  const named = violations
    .slice(0, namedViolations)
    .map(({ pointer, message }) => `${subject}${pointer === "" ? "" : ` at ${pointer}`} ${message}`);
  const rest = violations.length - named.length;
  return rest > 0 ? [...named, `${rest} more violations`] : named;
}
