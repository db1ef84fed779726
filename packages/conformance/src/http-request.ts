import {
  type ContentFacts,
  encodeBody,
  encodeItem,
  type HttpOperation,
  isStreamed,
  writeParameters,
} from "@nodewright/runtime";
import type { PlainRequest } from "./exchange.ts";
import type { ConformanceCase } from "./suite.ts";

/** The request that a case's input makes; undefined for one that can't be written, such as a path without its parameter. */
export function requestOf(operation: HttpOperation, input: ConformanceCase["input"]): PlainRequest | undefined {
  try {
    const written = writeParameters(operation.path, operation.parameters, input);
    const body = bodyOf(operation, input);
    return {
      method: operation.method,
      path: written.path,
      query: written.query,
      headers: {
        ...(typeof input["accept"] === "string" ? { accept: input["accept"] } : {}),
        ...written.headers,
        ...(body === undefined ? {} : { "content-type": body.contentType }),
      },
      ...(body === undefined ? {} : { body: body.body }),
    };
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return undefined;
    throw error;
  }
}

interface WrittenBody {
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

function bodyOf({ body }: HttpOperation, input: ConformanceCase["input"]): WrittenBody | undefined {
  const value = input["body"];
  if (value === undefined || body === undefined) return undefined;
  const { contents } = body;
  const named = contents.find(({ mediaType }) => mediaType === input["contentType"]);
  const content = named ?? contents.find(({ form }) => form === "json") ?? contents[0];
  return content === undefined ? undefined : writeContent(content, value);
}

function writeContent(content: ContentFacts, value: unknown): WrittenBody {
  if (isStreamed(content)) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    const body = items.map((item) => encodeItem(content, content.form === "event-stream" ? { data: item } : item));
    return { contentType: content.mediaType, body: body.join("") };
  }
  const { contentType, body } = encodeBody(content, withBytes(content, value));
  return { contentType, body: typeof body === "string" ? body : Uint8Array.from(body) };
}

/** Bytes are documented in base64 (OpenAPI 3.1, section "Considerations for Media Types"). */
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
