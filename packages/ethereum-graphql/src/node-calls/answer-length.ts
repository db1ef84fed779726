/** About how long the JSON of a value is: its texts, and a character for whatever else it holds. */
export function answerLength(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let length = 1;
  if (Array.isArray(value)) {
    for (const element of value) length += answerLength(element);
    return length;
  }
  for (const name in value) length += name.length + answerLength((value as Readonly<Record<string, unknown>>)[name]);
  return length;
}
