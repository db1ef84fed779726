// OpenAPI 3.1, section 4.8.14: Media Type Object; OpenAPI 3.2, sections 4.14.2 to 4.14.4.
import type { ContentForm } from "@nodewright/model";
import type { SourceValue, SourceNode } from "@nodewright/source";
import type { Reading } from "./reading.ts";

/** Kind of body that a schema describes, determined before it is read. */
export type BodyShape = "text" | "scalar" | "bytes" | "structure" | "unknown";

export interface BodyForm {
  readonly form: ContentForm;
  /** Whether the schema describes values that this form cannot represent: the body is then passed through as it is. */
  readonly isOpaque: boolean;
}

/** Formats of documents that contain values and are not JSON. Bodies in them are passed through as strings. */
const textDocuments =
  /(?:^|[/+.-])(?:xml|yaml|yml|csv|tab-separated-values|html|graphql|javascript|sql|toml|rtf|jwt|jose|http|n-triples|turtle|sparql-query|plain)$/;
const binaryDocuments =
  /(?:^|[/+.-])(?:octet-stream|pdf|zip|gzip|x-gzip|x-tar|x-7z-compressed|cbor|msgpack|x-msgpack|protobuf|x-protobuf|x-thrift|avro|avro-binary|wasm|java-archive|vnd\.ms-excel|vnd\.ms-powerpoint|msword|sheet|document|presentation|x-sqlite3|epub|pkcs[0-9]+|pkix-cert)$/;
const jsonTypes: ReadonlySet<string> = new Set([
  "application/json",
  "text/json",
  "text/x-json",
  "application/x-json",
  "application/*+json",
]);
const lineTypes: ReadonlySet<string> = new Set([
  "application/jsonl",
  "application/x-jsonl",
  "application/jsonlines",
  "application/x-jsonlines",
  "application/json-lines",
  "application/ndjson",
  "application/x-ndjson",
  "application/json-seq",
]);

/** Returns a media type without its parameters, in lower case (RFC 9110, section 8.3.1). */
export function essenceOf(mediaType: string): string {
  return mediaType.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Returns whether a string is a media type or a media range: `type/subtype` with parameters (RFC 9110, sections 8.3.1 and 12.5.1). */
export function isMediaType(text: string): boolean {
  return /^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+\s*(?:;.*)?$/u.test(text);
}

export function isSequence(form: ContentForm): boolean {
  return form === "event-stream" || form === "json-lines";
}

/** Returns the form of a body by its media type and, where that leaves it open, by the shape of its schema. */
export function bodyForm(mediaType: string, shape: BodyShape): BodyForm {
  const essence = essenceOf(mediaType);
  const named = namedForm(essence);
  if (named !== undefined) return { form: named, isOpaque: false };
  const isTextual = essence.startsWith("text/") || textDocuments.test(essence);
  const isBinary = /^(?:image|audio|video|font|model)\//.test(essence) || binaryDocuments.test(essence);
  switch (shape) {
    case "text":
      return { form: "text", isOpaque: false };
    case "scalar":
      return isTextual ? { form: "text", isOpaque: false } : { form: isBinary ? "binary" : "json", isOpaque: isBinary };
    case "structure":
      if (isTextual) return { form: "text", isOpaque: true };
      return isBinary ? { form: "binary", isOpaque: true } : { form: "json", isOpaque: false };
    case "bytes":
      return { form: "binary", isOpaque: false };
    default:
      return { form: isTextual && !isBinary ? "text" : "binary", isOpaque: false };
  }
}

/** Returns the form of a media type that has only one. */
function namedForm(essence: string): ContentForm | undefined {
  if (essence === "text/event-stream") return "event-stream";
  if (lineTypes.has(essence) || essence.endsWith("+json-seq")) return "json-lines";
  if (jsonTypes.has(essence) || essence.endsWith("+json")) return "json";
  if (essence === "application/x-www-form-urlencoded") return "form";
  return essence.startsWith("multipart/") ? "multipart" : undefined;
}

/** Returns the shape of a schema. Follows references and combinations; the first that defines a shape is used. */
export function shapeOf(
  reading: Reading,
  schema: SourceValue | undefined,
  seen: Set<SourceNode> = new Set(),
): BodyShape {
  const place = schema && reading.schemas.resolve(schema);
  if (place === undefined || seen.has(place.node)) return "unknown";
  seen.add(place.node);
  const own = shapeOfTypes(place);
  if (own !== "unknown") return own;
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    for (const member of place.member(keyword)?.items ?? []) {
      const shape = shapeOf(reading, member, seen);
      if (shape !== "unknown") return shape;
    }
  }
  return isFileSchema(place) ? "bytes" : "unknown";
}

function shapeOfTypes(place: SourceValue): BodyShape {
  const type = place.member("type");
  const names = type?.node.kind === "array" ? type.items.map(({ string }) => string) : [type?.string];
  if (names.includes("object") || names.includes("array") || place.has("properties") || place.has("items"))
    return "structure";
  if (names.includes("string")) return isFileSchema(place) ? "bytes" : "text";
  if (names.some((name) => name === "integer" || name === "number" || name === "boolean")) return "scalar";
  const values = [...(place.member("enum")?.items ?? []), place.member("const")];
  return values.some((value) => value?.string !== undefined) ? "text" : "unknown";
}

/**
 * Returns whether a schema describes bytes: `format: binary` of 3.0, or `contentMediaType` of 3.1 that is not text and has no
 * `contentEncoding` that would make it a string.
 */
export function isFileSchema(place: SourceValue): boolean {
  if (place.member("format")?.string === "binary") return true;
  const mediaType = place.member("contentMediaType")?.string;
  if (mediaType === undefined || place.has("contentEncoding")) return false;
  return isFileType(mediaType);
}

/** Returns whether parts of a media type, or of each of several separated by commas, are bytes rather than text or JSON. */
export function isFileType(mediaTypes: string): boolean {
  return mediaTypes.split(",").some((mediaType) => {
    const essence = essenceOf(mediaType);
    const form = namedForm(essence);
    return form === undefined && !essence.startsWith("text/") && !textDocuments.test(essence);
  });
}
