import type { Direction } from "@nodewright/api-model";
// OpenAPI 3.1, sections 4.8.13 (Request Body Object) and 4.8.14 (Media Type Object).
import type { Content, ContentForm, TypeNode } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import { readEncodings } from "./encoding-reader.ts";
import { readMultipartType } from "./form-type.ts";
import { bodyForm, type BodyShape, essenceOf, isMediaType, isSequence, shapeOf } from "./media-type.ts";
import { type NamedExamples, readNamedExamples, shownExamples } from "./named-examples.ts";
import { follow, type Reading } from "./reading.ts";
import { sequenceItems } from "./sequence-item.ts";

/** A body, with facts that only the readers need. */
export interface ReadContent {
  readonly content: Content;
  readonly examples: NamedExamples;
  /** Schema of the body, to compare whether two bodies are the same. */
  readonly schema: SourceValue | undefined;
}

/** Returns the media types under `content`, each once, in document order. */
export function readContents(reading: Reading, owner: SourceValue, direction: Direction): readonly ReadContent[] {
  const contents = owner.member("content");
  if (contents === undefined) return [];
  const firstUses = new Map<string, string>();
  const hasJson = contents.members.some(([mediaType]) => bodyForm(mediaType, "unknown").form === "json");
  return contents.members.flatMap(([mediaType, item]) => {
    const keySource = contents.keySource(mediaType);
    if (!isMediaType(mediaType)) {
      reading.report("wrong-media-type", keySource, { mediaType });
      return [];
    }
    const normal = normalMediaType(mediaType);
    const firstUse = firstUses.get(normal);
    if (firstUse !== undefined) {
      reading.report("repeated-media-type", keySource, { mediaType, firstUse });
      return [];
    }
    firstUses.set(normal, mediaType);
    const place = follow(reading, item)?.place;
    return place === undefined ? [] : [readContent(reading, { mediaType, place, direction, hasJson, keySource })];
  });
}

interface ContentPlace {
  readonly mediaType: string;
  readonly place: SourceValue;
  readonly direction: Direction;
  /** Whether the same body may also be sent as JSON. */
  readonly hasJson: boolean;
  readonly keySource: SourceValue["source"];
}

function readContent(reading: Reading, { mediaType, place, direction, hasJson, keySource }: ContentPlace): ReadContent {
  const itemSchema = reading.version === "3.2" ? place.member("itemSchema") : undefined;
  const schema = itemSchema ?? schemaOf(reading, place);
  const shape = shapeOf(reading, schema);
  const { form, isOpaque } = bodyForm(mediaType, shape);
  if (isOpaque && !hasJson) noteOpaque(reading, mediaType, form, keySource);
  if (form === "multipart") reportPositionalParts(reading, mediaType, place);
  const encoding =
    form === "form" || form === "multipart" ? readEncodings(reading, place, schema, direction) : undefined;
  const type = readBodyType(reading, { form, shape, place, schema, itemSchema, isOpaque, direction });
  const examples = readNamedExamples(reading, place);
  return {
    content: {
      mediaType,
      form,
      type,
      ...(encoding === undefined ? {} : { encoding }),
      ...shownExamples(examples),
    },
    examples,
    schema: schema && (reading.schemas.resolve(schema) ?? schema),
  };
}

/** Returns the schema of a media type. A `schema` key without a value is treated as absent, because `schema` is optional. */
function schemaOf(reading: Reading, place: SourceValue): SourceValue | undefined {
  const schema = place.member("schema");
  if (schema?.typeName !== "null") return schema;
  reading.habits.note("null-schema", schema.source, (source, others) =>
    reading.report("null-schema", source, { others }),
  );
  return undefined;
}

interface TypePlace {
  readonly form: ContentForm;
  readonly shape: BodyShape;
  readonly place: SourceValue;
  readonly schema: SourceValue | undefined;
  readonly itemSchema: SourceValue | undefined;
  readonly isOpaque: boolean;
  readonly direction: Direction;
}

function readBodyType(reading: Reading, { form, place, schema, itemSchema, isOpaque, direction }: TypePlace): TypeNode {
  const { source } = place;
  if (schema === undefined) return { kind: form === "binary" ? "bytes" : form === "text" ? "string" : "any", source };
  // Read even where the type is not used, to report errors in the schema.
  const type = reading.typeOf(schema, direction);
  if (form === "binary") return { kind: "bytes", source };
  if (form === "text" && isOpaque) return { kind: "string", source };
  if (form === "multipart") return readMultipartType(reading, place, schema, direction);
  if (!isSequence(form)) return type;
  const [item, ...others] = sequenceItems(reading, form, schema, itemSchema !== undefined);
  const first = reading.typeOf(item, direction);
  if (others.length === 0) return first;
  const members = [first, ...others.map((other) => reading.typeOf(other, direction))];
  return { kind: "union", mode: "any-of", members, source: schema.source };
}

/** Reports the positional multipart parts of OpenAPI 3.2, which have no names. */
function reportPositionalParts(reading: Reading, mediaType: string, place: SourceValue): void {
  if (reading.version !== "3.2") return;
  for (const name of ["prefixEncoding", "itemEncoding", "itemSchema"]) {
    if (!place.has(name)) continue;
    reading.report("unsupported-parts", place.keySource(name), { mediaType });
    return;
  }
}

function noteOpaque(reading: Reading, mediaType: string, form: ContentForm, keySource: SourceValue["source"]): void {
  reading.habits.note(`opaque-content ${mediaType}`, keySource, (source, others) =>
    reading.report("opaque-content", source, { mediaType, form: form === "text" ? "text" : "bytes", others }),
  );
}

/** Normalizes a media type: those that differ only in letter case or `charset` are the same. */
function normalMediaType(mediaType: string): string {
  const [, ...parameters] = mediaType.split(";");
  const kept = parameters
    .map((parameter) => parameter.trim().toLowerCase())
    .filter((parameter) => parameter !== "" && !parameter.startsWith("charset="));
  return [essenceOf(mediaType), ...kept.toSorted()].join(";");
}
