// OpenAPI 3.2, sections 4.14.2 (Sequential Media Types) and 4.14.4 (Server-Sent Event Streams).
import type { ContentForm } from "@nodewright/model";
import type { Located } from "@nodewright/source";
import type { Reading } from "./reading.ts";

/**
 * The schema of one item of a stream.
 *
 * `itemSchema` speaks of an item; a `schema` that is a list speaks of all items, and any other is taken for that of an item, as
 * documents before 3.2 mean it. What an event stream carries is its `data`, and `contentSchema` says what that spells.
 */
export function sequenceItem(reading: Reading, form: ContentForm, schema: Located, isItem: boolean): Located {
  const item = isItem ? schema : (elementOf(reading, schema) ?? schema);
  if (form !== "event-stream") return item;
  const place = reading.documents.resolve(item);
  const data = place?.member("properties")?.member("data");
  if (data === undefined || !isEvent(place)) return item;
  return reading.documents.resolve(data)?.member("contentSchema") ?? data;
}

function elementOf(reading: Reading, schema: Located): Located | undefined {
  const place = reading.documents.resolve(schema);
  return place?.member("type")?.string === "array" ? place.member("items") : undefined;
}

/** The fields of an event (HTML, section 9.2.6). */
const eventFields: ReadonlySet<string> = new Set(["data", "event", "id", "retry", "comment"]);

/** Whether an object is an event, and not the data of one that happens to have a member `data`. */
function isEvent(place: Located | undefined): boolean {
  const names = (place?.member("properties")?.members ?? []).map(([name]) => name);
  return names.length > 0 && names.every((name) => eventFields.has(name)) && names.some((name) => name !== "data");
}
