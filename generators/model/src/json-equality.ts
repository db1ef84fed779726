import type { JsonValue } from "./type-node.ts";

/**
 * A text that two JSON values share exactly when JSON Schema calls them equal (2020-12, section 4.2.2): numbers by their value,
 * objects whatever the order of their members.
 */
export function canonicalText(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isJsonList(value)) return `[${value.map(canonicalText).join()}]`;
  const members = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalText(member)}`).join()}}`;
}

/** `Array.isArray`, for lists that nobody changes. */
export function isJsonList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Whether a value is an object of JSON. */
export function isJsonRecord(value: JsonValue): value is Readonly<Record<string, JsonValue>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
