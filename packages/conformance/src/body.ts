import { type ContentFacts, decodeScalar, readLosslessJson } from "@nodewright/runtime";
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

/** Reads a body as its content says. */
export function readBody(content: ContentFacts, answer: Answer): BodyResult {
  const mediaType = mediaTypeOf(answer);
  if (mediaType !== content.mediaType.toLowerCase()) {
    return { problem: `the media type is ${showJson(mediaType)} instead of ${content.mediaType}` };
  }
  if (content.form === "binary") return { value: answer.bytes };
  if (answer.text === undefined) return { problem: "the body is not UTF-8" };
  return content.form === "json"
    ? readJson(answer.text)
    : { value: decodeScalar(content.decoding ?? "string", answer.text) };
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
