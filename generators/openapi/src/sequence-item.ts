// OpenAPI 3.2, sections 4.14.2 (Sequential Media Types) and 4.14.4 (Server-Sent Event Streams).
import type { ContentForm } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import type { Reading } from "./reading.ts";

/**
 * Returns the schemas of one item of a stream; an item matches any of them.
 *
 * `itemSchema` describes an item; a `schema` of an array describes all items, and any other `schema` describes one item, as documents
 * before 3.2 use it. The content of an event stream is its `data`, and `contentSchema` describes the value serialized in it.
 */
export function sequenceItems(
  reading: Reading,
  form: ContentForm,
  schema: SourceValue,
  isItem: boolean,
): readonly [SourceValue, ...SourceValue[]] {
  const item = isItem ? schema : (elementOf(reading, schema) ?? schema);
  const [first, ...others] = form === "event-stream" ? eventData(reading, item) : [];
  return first === undefined ? [item] : [first, ...others];
}

function elementOf(reading: Reading, schema: SourceValue): SourceValue | undefined {
  const place = reading.schemas.resolve(schema);
  return place?.member("type")?.string === "array" ? place.member("items") : undefined;
}

/** Returns the schemas of the data of an event; none if the schema is not that of an event. */
function eventData(reading: Reading, schema: SourceValue): readonly SourceValue[] {
  const outlines = outlinesOf(reading, schema, noEvent, 0);
  const data = outlines.flatMap((outline) => (isEvent(outline) && outline.data !== undefined ? [outline.data] : []));
  if (data.length < outlines.length) return [];
  const places = new Map(data.map((place) => [`${place.document.file}#${place.pointer}`, place]));
  const spelled = [...places.values()].map((place) => spelledBy(reading, place));
  // If some events contain text and others JSON, all are read as text.
  return spelled.every((place) => place !== undefined) ? spelled : [...places.values()];
}

/** Returns the schema of the JSON serialized in a member `data`; undefined if it is text. */
function spelledBy(reading: Reading, data: SourceValue): SourceValue | undefined {
  const place = reading.schemas.resolve(data) ?? data;
  const type = place.member("type")?.string;
  return place.member("contentSchema") ?? (type === undefined || type === "string" ? undefined : data);
}

/** Names and data that all schemas of one event define together. */
interface EventOutline {
  readonly names: ReadonlySet<string>;
  /** The most specific schema of the data. */
  readonly data: SourceValue | undefined;
}

/** Maximum depth, for schemas that refer to themselves. */
const deepestSchema = 8;

/** Maximum number of alternatives. Nested alternatives multiply; no hand-written list of events has more. */
const maximumEvents = 1_000;

const noEvent: EventOutline = { names: new Set(), data: undefined };

/** Returns one outline for each alternative of a schema. */
function outlinesOf(
  reading: Reading,
  schema: SourceValue,
  around: EventOutline,
  depth: number,
): readonly EventOutline[] {
  const place = reading.schemas.resolve(schema);
  if (place === undefined || depth > deepestSchema) return [around];
  const properties = place.member("properties");
  const data = properties?.member("data");
  const own: EventOutline = {
    names: new Set([...around.names, ...(properties?.members ?? []).map(([name]) => name)]),
    data: data !== undefined && (around.data === undefined || describesData(reading, data)) ? data : around.data,
  };
  let outlines: readonly EventOutline[] = [own];
  for (const part of place.member("allOf")?.items ?? [])
    outlines = outlines.flatMap((outline) => outlinesOf(reading, part, outline, depth + 1));
  for (const keyword of ["oneOf", "anyOf"]) {
    const alternatives = place.member(keyword)?.items ?? [];
    if (alternatives.length === 0) continue;
    outlines = outlines.flatMap((outline) =>
      alternatives.flatMap((alternative) => outlinesOf(reading, alternative, outline, depth + 1)),
    );
  }
  return outlines.length > maximumEvents ? [noEvent] : outlines;
}

function describesData(reading: Reading, data: SourceValue): boolean {
  const place = reading.schemas.resolve(data) ?? data;
  return ["type", "$ref", "contentSchema", "const", "enum"].some((keyword) => place.has(keyword));
}

/** Fields of an event (HTML, section 9.2.6). */
const eventFields: ReadonlySet<string> = new Set(["data", "event", "id", "retry", "comment"]);

/** Returns whether an object is an event, and not event data that has a member `data` itself. */
function isEvent({ names }: EventOutline): boolean {
  return (
    names.size > 0 && [...names].every((name) => eventFields.has(name)) && [...names].some((name) => name !== "data")
  );
}
