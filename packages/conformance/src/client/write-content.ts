import { type ContentFacts, encodeBody, encodeItem, isStreamed } from "@nodewright/runtime";

/** The body of a request. */
export interface WrittenBody {
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Serializes a value by its content; a sequence from an array of its items. */
export function writeContent(content: ContentFacts, value: unknown): WrittenBody {
  if (isStreamed(content)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const body = items.map((item) => encodeItem(content, content.form === "event-stream" ? { data: item } : item));
    return { contentType: content.mediaType, body: body.join("") };
  }
  const { contentType, body } = encodeBody(content, withBytes(content, value));
  return { contentType, body: typeof body === "string" ? body : Uint8Array.from(body) };
}

/** Decodes the bytes of a value, which are documented in base64 (OpenAPI 3.1, section "Considerations for Media Types"). */
function withBytes({ form, properties = [] }: ContentFacts, value: unknown): unknown {
  if (form === "binary") return bytesOf(value);
  if (form !== "multipart" || typeof value !== "object" || value === null) return value;
  const binary = new Set(properties.filter((facts) => facts.form === "binary").map(({ name }) => name));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, binary.has(name) ? bytesOf(member) : member]),
  );
}

function bytesOf(value: unknown): unknown {
  if (typeof value === "string") return Uint8Array.from(Buffer.from(value, "base64"));
  return Array.isArray(value) ? value.map(bytesOf) : value;
}
