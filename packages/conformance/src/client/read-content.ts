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
import type { ReceivedResponse } from "../contract/exchange.ts";

/** Decoded value of a body, or its violation as a clause without values. */
export type BodyResult = { readonly value: unknown } | { readonly problem: string };

/**
 * Returns the content of a media type. Another JSON type (`application/problem+json`, RFC 6839) matches a documented `application/json`
 * only with the suffix `+json`.
 */
export function contentFor<Content extends ContentFacts>(
  contents: readonly Content[],
  mediaType: string,
): Content | undefined {
  const found = findContent(contents, mediaType);
  return contents.find((content) => content === found);
}

/** Decodes a body by its content, whatever its media type is; a sequence becomes an array of its items. */
export function readContent(content: ContentFacts, response: ReceivedResponse): BodyResult {
  // A sequence may be endless: its first items are enough.
  if (response.isCut && !isStreamed(content)) return { problem: "exceeds the limit of bytes of a response" };
  if (content.form === "binary") return { value: response.bytes };
  if (response.text === undefined && content.form !== "multipart") return { problem: "is not UTF-8" };
  if (content.form === "json") return readJson(response);
  if (content.form === "text") {
    const bytes = new TextEncoder().encode(withoutLineEnd(response.text ?? ""));
    return decoded(() => decodeBody(content, bytes, undefined));
  }
  if (isStreamed(content)) return decoded(() => itemsOf(content, response.text ?? ""));
  const contentType = response.headers.get("content-type");
  return decoded(() => decodeBody(content, response.bytes, contentType, { keepsLongIntegers: true }));
}

/** Removes the line break after a single number or name in plain text. */
function withoutLineEnd(text: string): string {
  return /^[\w+./=:-]+\r?\n$/.test(text) ? text.trimEnd() : text;
}

/** Parses JSON without rounding integers. */
export function readJson({ text }: ReceivedResponse): BodyResult {
  if (text === undefined) return { problem: "is not UTF-8" };
  try {
    return { value: readLosslessJson(text) };
  } catch {
    return { problem: text.trim() === "" ? "is empty, and no JSON" : "is not JSON" };
  }
}

/** Returns the complete items of a sequence; for events, their data. */
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
    if (isWireError(error)) return { problem: "can't be decoded according to its media type" };
    if (error instanceof SyntaxError) return { problem: "contains an event whose data is not JSON" };
    throw error;
  }
}

/** Returns the media type of a response without its parameters, in lower case; empty without a Content-Type. */
export function mediaTypeOf({ headers }: Pick<ReceivedResponse, "headers">): string {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
