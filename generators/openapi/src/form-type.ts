import type { Direction } from "@nodewright/api-model";
// OpenAPI 3.1, section 4.8.14.3: Considerations for File Uploads; 4.8.15: Encoding Object.
import type { RecordMember, TypeNode } from "@nodewright/model";
import { type SourceValue, pointerTokens } from "@nodewright/source";
import { isFileSchema, isFileType } from "./media-type.ts";
import type { Reading } from "./reading.ts";

/** Binary properties of a multipart body; `list` if a property is a list of files. */
type FileProperties = ReadonlyMap<string, "file" | "list">;

/**
 * Returns the type of a multipart body, with files as `bytes`.
 *
 * A body with files is written inline: the declaration that it refers to may be used in JSON too, where there are no files.
 */
export function readMultipartType(
  reading: Reading,
  mediaType: SourceValue,
  schema: SourceValue,
  direction: Direction,
): TypeNode {
  const files = new Map<string, "file" | "list">();
  for (const [name, property] of propertiesOf(reading, schema)) {
    const contentType = mediaType.member("encoding")?.member(name)?.member("contentType")?.string;
    const kind = fileKind(reading, property, contentType);
    if (kind !== undefined) files.set(name, kind);
  }
  if (files.size === 0) return reading.typeOf(schema, direction);
  return withFiles(reading, schema, { direction, files, seen: new Set() });
}

/** Returns the properties that a schema describes itself, through references or in combinations. */
export function propertiesOf(reading: Reading, schema: SourceValue): ReadonlyMap<string, SourceValue> {
  const properties = new Map<string, SourceValue>();
  const seen = new Set<unknown>();
  const visit = (item: SourceValue): void => {
    const place = reading.schemas.resolve(item);
    if (place === undefined || seen.has(place.node)) return;
    seen.add(place.node);
    for (const [name, property] of place.member("properties")?.members ?? []) {
      if (!properties.has(name)) properties.set(name, property);
    }
    for (const keyword of ["allOf", "anyOf", "oneOf"]) place.member(keyword)?.items.forEach(visit);
    // In 3.1 a schema may have keywords next to its `$ref`.
    if (item !== place && reading.version !== "3.0") {
      for (const [name, property] of item.member("properties")?.members ?? []) properties.set(name, property);
    }
  };
  visit(schema);
  return properties;
}

function fileKind(
  reading: Reading,
  property: SourceValue,
  contentType: string | undefined,
): "file" | "list" | undefined {
  const place = reading.schemas.resolve(property);
  if (place === undefined) return undefined;
  const items = place.member("items");
  if (items !== undefined) return fileKind(reading, items, contentType) === "file" ? "list" : undefined;
  const alternatives = ["anyOf", "oneOf", "allOf"].flatMap((keyword) => place.member(keyword)?.items ?? []);
  if (alternatives.some((one) => fileKind(reading, one, undefined) === "file")) return "file";
  if (isFileSchema(place)) return "file";
  const isFileByEncoding = contentType !== undefined && isFileType(contentType) && !place.has("contentEncoding");
  return isFileByEncoding && !isStructured(place) ? "file" : undefined;
}

function isStructured(place: SourceValue): boolean {
  const type = place.member("type")?.string;
  return type !== undefined && type !== "string";
}

interface FileContext {
  readonly direction: Direction;
  readonly files: FileProperties;
  readonly seen: Set<unknown>;
}

function withFiles(reading: Reading, schema: SourceValue, context: FileContext): TypeNode {
  const place = reading.schemas.resolve(schema) ?? schema;
  if (context.seen.has(place.node)) return reading.typeOf(schema, context.direction);
  context.seen.add(place.node);
  return replaced(reading, reading.typeOf(place, context.direction), context);
}

function replaced(reading: Reading, type: TypeNode, context: FileContext): TypeNode {
  switch (type.kind) {
    case "record":
      return { ...type, members: type.members.map((field) => fieldWithFile(field, context.files)) };
    case "intersection":
    case "union":
      return { ...type, members: type.members.map((member) => replaced(reading, member, context)) };
    case "unevaluated":
      return { ...type, base: replaced(reading, type.base, context) };
    case "reference": {
      const { file, pointer } = type.source;
      const reference = reading.documents.read(file)?.root.nearest(pointerTokens(pointer) ?? []);
      const target = reference && reading.schemas.target(reference);
      return target === undefined ? type : withFiles(reading, target, context);
    }
    default:
      return type;
  }
}

function fieldWithFile(field: RecordMember, files: FileProperties): RecordMember {
  const kind = files.get(field.name);
  if (kind === undefined) return field;
  const { source, documentation } = field.type;
  const file: TypeNode = { kind: "bytes", source, ...(documentation === undefined ? {} : { documentation }) };
  if (kind === "file") return { ...field, type: file };
  const list: TypeNode = field.type.kind === "list" ? field.type : { kind: "list", prefix: [], element: file, source };
  return { ...field, type: { ...list, element: file } };
}
