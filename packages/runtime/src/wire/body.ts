import type { ContentFacts } from "../operations/operation.ts";
import { EventParser, type ServerSentEvent, writeEvent } from "./event-stream.ts";
import { decodeForm, encodeForm } from "./form-body.ts";
import { JsonLinesParser, jsonLinesForm, writeJsonLine } from "./json-lines.ts";
import { type DecodeOptions, readJsonText, readUtf8 } from "./json-text.ts";
import { readHeaderParameters } from "./multipart.ts";
import { decodeMultipart, encodeMultipart } from "./multipart-body.ts";
import { decodeScalar, scalarText } from "./scalar-text.ts";
import { WireError } from "./wire-error.ts";
import { defaultWireLimits } from "./wire-limits.ts";

/** A serialized body. */
export interface EncodedBody {
  /** Value of the `Content-Type` header. */
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/** Returns whether a body is a sequence of items, an `AsyncIterable` in memory. */
export function isStreamed({ form }: ContentFacts): boolean {
  return form === "event-stream" || form === "json-lines";
}

/**
 * Writes the wire value of a complete body; items are written one by one with `encodeItem`. Throws `TypeError` for a value of another kind
 * than the form expects.
 */
export function encodeBody(content: ContentFacts, value: unknown): EncodedBody {
  const { mediaType } = content;
  switch (content.form) {
    case "json":
      return { contentType: mediaType, body: requireText(JSON.stringify(value)) };
    case "text":
      return { contentType: mediaType, body: scalarText(value) };
    case "binary":
      return { contentType: mediaType, body: requireBytes(value) };
    case "form":
      return { contentType: mediaType, body: encodeForm(content, requireObject(value)) };
    case "multipart":
      return encodeMultipart(content, requireObject(value));
    case "event-stream":
    case "json-lines":
      throw new TypeError("The items of a body are written one by one");
  }
}

/** Reads the wire value of a complete body. `contentType` is the header's. Throws `WireError`. */
export function decodeBody(
  content: ContentFacts,
  bytes: Uint8Array,
  contentType: string | undefined,
  options: DecodeOptions = {},
): unknown {
  const { limits = defaultWireLimits, keepsLongIntegers = false } = options;
  switch (content.form) {
    case "json":
      return readJsonText(readUtf8(bytes), limits, keepsLongIntegers);
    case "text":
      return decodeScalar(content.decoding ?? "string", readText(bytes, contentType));
    case "binary":
      return bytes;
    case "form":
      return decodeForm(content, readUtf8(bytes), options);
    case "multipart":
      return decodeMultipart(content, bytes, contentType, options);
    case "event-stream":
    case "json-lines":
      throw new TypeError("The items of a body are read one by one");
  }
}

/** Decodes text. RFC 9110, section 8.3.2: a media type defines the encoding of its text; UTF-8 where it does not. */
function readText(bytes: Uint8Array, contentType: string | undefined): string {
  const charset = readHeaderParameters(contentType ?? "").get("charset") ?? "utf-8";
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch (error) {
    throw new WireError("malformed", "The body has bytes that are invalid in its character encoding", { cause: error });
  }
}

/** Serializes one item of a body: a wire value of `json-lines`, of `event-stream` an event whose data is one. */
export function encodeItem(content: ContentFacts, item: unknown): string {
  if (content.form === "json-lines") return writeJsonLine(item, jsonLinesForm(content.mediaType));
  const event = item as ServerSentEvent;
  const data = isTextData(content) ? scalarText(event.data) : requireText(JSON.stringify(event.data));
  return writeEvent({ ...event, data });
}

export interface DecodeItemsOptions extends DecodeOptions {
  /** Parser of an event stream, which afterwards has the last id and delay. Absent: a new one. */
  readonly parser?: EventParser;
  /** Called when an event has marked the end. */
  onEnd?(): void;
}

/**
 * Reads a body whose items arrive one by one: wire values of `json-lines`, events of `event-stream` with the wire value of their data. An
 * event whose data is `[DONE]` where JSON is expected ends the items, a convention of such streams. Throws `WireError`.
 */
export async function* decodeItems(
  content: ContentFacts,
  chunks: AsyncIterable<Uint8Array>,
  options: DecodeItemsOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  if (content.form === "event-stream") yield* decodeEvents(content, chunks, options);
  else yield* decodeLines(content, chunks, options);
}

const endOfItems = "[DONE]";

async function* decodeEvents(
  content: ContentFacts,
  chunks: AsyncIterable<Uint8Array>,
  options: DecodeItemsOptions,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const { limits = defaultWireLimits, keepsLongIntegers = false, parser = new EventParser(limits) } = options;
  const isText = isTextData(content);
  for await (const text of decodeChunks(chunks)) {
    for (const event of parser.push(text)) {
      if (isText) {
        yield { ...event, data: decodeScalar(content.decoding ?? "string", event.data) };
        continue;
      }
      if (event.data === endOfItems) {
        options.onEnd?.();
        return;
      }
      yield { ...event, data: readJsonText(event.data, limits, keepsLongIntegers) };
    }
  }
}

async function* decodeLines(
  content: ContentFacts,
  chunks: AsyncIterable<Uint8Array>,
  options: DecodeOptions,
): AsyncGenerator<unknown, void, undefined> {
  const parser = new JsonLinesParser(jsonLinesForm(content.mediaType), options);
  for await (const text of decodeChunks(chunks)) yield* parser.push(text);
  yield* parser.end();
}

/** Decodes text from chunks of bytes. Bytes that are not UTF-8 become U+FFFD, as the specification of events requires. */
async function* decodeChunks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}

/** Returns whether the data of events is text, whose conversion is in the facts; otherwise it is JSON. */
function isTextData({ decoding }: ContentFacts): boolean {
  return decoding !== undefined;
}

function requireText(text: string | undefined): string {
  if (text === undefined) throw new TypeError("undefined has no JSON representation");
  return text;
}

function requireBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new TypeError("A binary body is a Uint8Array");
}

function requireObject(value: unknown): object {
  if (typeof value === "object" && value !== null) return value;
  throw new TypeError("A form is an object");
}
