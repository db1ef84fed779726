/**
 * Returns the approximate length of the JSON of a value: its strings, and a character for each other part.
 *
 * Not recursive: a node may nest its result more deeply than the stack allows.
 */
export function responseLength(value: unknown): number {
  let length = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") length += next.length;
    else {
      length += 1;
      if (Array.isArray(next)) for (const element of next) open.push(element);
      else if (typeof next === "object" && next !== null) {
        for (const name in next) {
          length += name.length;
          open.push((next as Readonly<Record<string, unknown>>)[name]);
        }
      }
    }
  }
  return length;
}
