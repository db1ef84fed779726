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
import type { Answer } from "../contract/exchange.ts";

/** A body's wire value, or what is wrong with it, in one clause without values. */
export type BodyResult = { readonly value: unknown } | { readonly problem: string };

/**
 * The content that a media type stands for. JSON of any name (`application/problem+json`, RFC 6839) is what is documented as
 * `application/json` only where the suffix says the same.
 */
export function contentFor<Content extends ContentFacts>(
  contents: readonly Content[],
  mediaType: string,
): Content | undefined {
  const found = findContent(contents, mediaType);
  return contents.find((content) => content === found);
}

/** Reads a body as its content says, whatever media type it names; of one that is a sequence, a list of its items. */
export function readContent(content: ContentFacts, answer: Answer): BodyResult {
  // A sequence may have no end: its first items are enough.
  if (answer.isCut && !isStreamed(content)) return { problem: "is longer than what is read of an answer" };
  if (content.form === "binary") return { value: answer.bytes };
  if (answer.text === undefined && content.form !== "multipart") return { problem: "is not UTF-8" };
  if (content.form === "json") return readJson(answer);
  if (content.form === "text") {
    const bytes = new TextEncoder().encode(withoutLineEnd(answer.text ?? ""));
    return decoded(() => decodeBody(content, bytes, undefined));
  }
  if (isStreamed(content)) return decoded(() => itemsOf(content, answer.text ?? ""));
  const contentType = answer.headers.get("content-type");
  return decoded(() => decodeBody(content, answer.bytes, contentType, { keepsLongIntegers: true }));
}

/** A number or a name as text is often written as a line, with its end. */
function withoutLineEnd(text: string): string {
  return /^[\w+./=:-]+\r?\n$/.test(text) ? text.trimEnd() : text;
}

/** Reads JSON text without rounding integers. */
export function readJson({ text }: Answer): BodyResult {
  if (text === undefined) return { problem: "is not UTF-8" };
  try {
    return { value: readLosslessJson(text) };
  } catch {
    return { problem: text.trim() === "" ? "is empty, and no JSON" : "is no JSON" };
  }
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
    if (isWireError(error)) return { problem: "can't be read as its media type says" };
    if (error instanceof SyntaxError) return { problem: "holds an event whose data is no JSON" };
    throw error;
  }
}
