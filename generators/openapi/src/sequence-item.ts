// OpenAPI 3.2, sections 4.14.2 (Sequential Media Types) and 4.14.4 (Server-Sent Event Streams).
import type { ContentForm } from "@nodewright/model";
import type { Located } from "@nodewright/source";
import type { Reading } from "./reading.ts";

/**
 * The schemas of one item of a stream, which is of any of them.
 *
 * `itemSchema` speaks of an item; a `schema` that is a list speaks of all items, and any other is taken for that of an item, as
 * documents before 3.2 mean it. What an event stream carries is its `data`, and `contentSchema` says what that spells.
 */
export function sequenceItems(
  reading: Reading,
  form: ContentForm,
  schema: Located,
  isItem: boolean,
): readonly [Located, ...Located[]] {
  const item = isItem ? schema : (elementOf(reading, schema) ?? schema);
  const [first, ...others] = form === "event-stream" ? eventData(reading, item) : [];
  return first === undefined ? [item] : [first, ...others];
}

function elementOf(reading: Reading, schema: Located): Located | undefined {
  const place = reading.schemas.resolve(schema);
  return place?.member("type")?.string === "array" ? place.member("items") : undefined;
}

/** What the data of an event spells; none where the schema is not that of an event. */
function eventData(reading: Reading, schema: Located): readonly Located[] {
  const outlines = outlinesOf(reading, schema, noEvent, 0);
  const data = outlines.flatMap((outline) => (isEvent(outline) && outline.data !== undefined ? [outline.data] : []));
  if (data.length < outlines.length) return [];
  const places = new Map(data.map((place) => [`${place.document.file}#${place.pointer}`, place]));
  const spelled = [...places.values()].map((place) => spelledBy(reading, place));
  // Text is read as it is: where some events carry text and others JSON, all of it is text.
  return spelled.every((place) => place !== undefined) ? spelled : [...places.values()];
}

/** The schema of the JSON that a member `data` spells; undefined where that is text. */
function spelledBy(reading: Reading, data: Located): Located | undefined {
  const place = reading.schemas.resolve(data) ?? data;
  const type = place.member("type")?.string;
  return place.member("contentSchema") ?? (type === undefined || type === "string" ? undefined : data);
}

/** What the schemas that hold for one event say of it together. */
interface EventOutline {
  readonly names: ReadonlySet<string>;
  /** The schema of the data that says most. */
  readonly data: Located | undefined;
}

/** Schemas that refer to themselves are not gone into for ever. */
const deepestSchema = 8;

/** Alternatives within alternatives multiply: more are no list of events that a person has made. */
const mostEvents = 1_000;

const noEvent: EventOutline = { names: new Set(), data: undefined };

/** One outline for each alternative that a schema gives. */
function outlinesOf(reading: Reading, schema: Located, around: EventOutline, depth: number): readonly EventOutline[] {
  const place = reading.schemas.resolve(schema);
  if (place === undefined || depth > deepestSchema) return [around];
  const properties = place.member("properties");
  const data = properties?.member("data");
  const own: EventOutline = {
    names: new Set([...around.names, ...(properties?.members ?? []).map(([name]) => name)]),
    data: data !== undefined && (around.data === undefined || saysMore(reading, data)) ? data : around.data,
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
  return outlines.length > mostEvents ? [noEvent] : outlines;
}

function saysMore(reading: Reading, data: Located): boolean {
  const place = reading.schemas.resolve(data) ?? data;
  return ["type", "$ref", "contentSchema", "const", "enum"].some((keyword) => place.has(keyword));
}

/** The fields of an event (HTML, section 9.2.6). */
const eventFields: ReadonlySet<string> = new Set(["data", "event", "id", "retry", "comment"]);

/** Whether an object is an event, and not the data of one that happens to have a member `data`. */
function isEvent({ names }: EventOutline): boolean {
  return (
    names.size > 0 && [...names].every((name) => eventFields.has(name)) && [...names].some((name) => name !== "data")
  );
}
