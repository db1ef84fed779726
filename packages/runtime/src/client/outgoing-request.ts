import { essenceOf, findContent } from "../operations/media-type.ts";
import type { ContentFacts, HttpCall } from "../operations/operation.ts";
import { encodeBody, encodeItem, isStreamed } from "../wire/body.ts";
import type { ServerSentEvent } from "../wire/event-stream.ts";
import { writeParameters } from "../wire/write-parameters.ts";
import type { OutgoingCall } from "./caller.ts";
import type { SecurityAdditions } from "./credentials.ts";
import type { WireInput } from "./next-page.ts";

/** Returns the request for a wire input and credentials. Throws `RangeError` for a value that its location can't represent. */
export function outgoingCall(operation: HttpCall, input: WireInput, security: SecurityAdditions): OutgoingCall {
  const { path, query, headers } = writeParameters(operation.path, operation.parameters, input);
  const cookies = [headers["cookie"] ?? "", ...security.cookies].filter((cookie) => cookie !== "").join("; ");
  const body = outgoingBody(operation, input);
  return {
    operation: operation.name,
    method: operation.method,
    path,
    query: [query, ...security.query].filter((part) => part !== "").join("&"),
    headers: {
      accept: acceptOf(operation, input),
      ...headers,
      ...(cookies === "" ? {} : { cookie: cookies }),
      ...(body === undefined ? {} : { "content-type": body.contentType }),
      ...security.headers,
    },
    ...(body === undefined ? {} : { body: body.body }),
    // Items that were sent can't be sent again.
    idempotent: operation.idempotent && !isAsyncIterable(body?.body),
  };
}

/** Returns the requested media types, or the first of each status. `*∕*` last: a failure is text, whatever the success is. */
function acceptOf(operation: HttpCall, input: WireInput): string {
  const wanted = input["accept"];
  if (operation.negotiates === true && typeof wanted === "string") return `${wanted}, */*;q=0.1`;
  const first = new Map(operation.successes.toReversed().map(({ status, content }) => [status, content?.mediaType]));
  const types = [...first.values()].toReversed().filter((type) => type !== undefined);
  return [...new Set(types), "*/*;q=0.1"].join(", ");
}

interface OutgoingBody {
  readonly contentType: string;
  readonly body: NonNullable<OutgoingCall["body"]>;
}

/**
 * Returns the body in the content that the input names, otherwise the first in JSON, otherwise the first: its type is that of the input's
 * `body`.
 */
function outgoingBody(operation: HttpCall, input: WireInput): OutgoingBody | undefined {
  const value = input["body"];
  if (operation.body === undefined || value === undefined) return undefined;
  const { contents } = operation.body;
  const named =
    selectsContentType(contents) && typeof input["contentType"] === "string" ? input["contentType"] : undefined;
  const content = named === undefined ? preferred(contents) : findNamed(contents, named);
  if (content === undefined) return undefined;
  const encoded = encodeContent(operation, content, value);
  const isRange = content.mediaType.includes("*");
  if (named === undefined && isRange) return { ...encoded, contentType: usualType(value) };
  return content.form === "multipart" || named === undefined ? encoded : { ...encoded, contentType: named };
}

function encodeContent(operation: HttpCall, content: ContentFacts, value: unknown): OutgoingBody {
  if (!isStreamed(content)) return encodeBody(content, value);
  if (!isAsyncIterable(value)) throw new TypeError(`${operation.name}: the body is an AsyncIterable`);
  return { contentType: content.mediaType, body: encodeItems(content, value, operation.inputItemCodec?.encode) };
}

async function* encodeItems(
  content: ContentFacts,
  items: AsyncIterable<never>,
  encode: (item: unknown) => unknown = (item) => item,
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for await (const item of items) yield encoder.encode(encodeItem(content, wireItem(content, item, encode)));
}

/** Encodes an item; in an event, the data has the type. */
function wireItem(content: ContentFacts, item: unknown, encode: (item: unknown) => unknown): unknown {
  if (content.form !== "event-stream") return encode(item);
  const event = item as ServerSentEvent;
  return { ...event, data: encode(event.data) };
}

function isAsyncIterable(value: unknown): value is AsyncIterable<never> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Returns whether the input selects the content of its body in `contentType`, as generated types do where there are several. */
function selectsContentType(contents: readonly ContentFacts[]): boolean {
  return contents.length > 1 || contents.some(({ mediaType }) => mediaType.includes("*"));
}

function preferred(contents: readonly ContentFacts[]): ContentFacts | undefined {
  return contents.find(({ form }) => form === "json") ?? contents[0];
}

function findNamed(contents: readonly ContentFacts[], contentType: string): ContentFacts | undefined {
  return (
    contents.find(({ mediaType }) => mediaType === contentType) ??
    findContent(contents, essenceOf(contentType) ?? "") ??
    preferred(contents)
  );
}

/** Returns the media type of bytes: files have their own; others are binary. */
function usualType(value: unknown): string {
  const { contentType } = value as { readonly contentType?: unknown };
  return typeof contentType === "string" ? contentType : "application/octet-stream";
}
