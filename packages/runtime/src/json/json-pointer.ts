/** Returns the value at a JSON Pointer (RFC 6901); `undefined` when there is no such place. */
export function resolvePointer(value: unknown, pointer: string): unknown {
  if (pointer === "") return value;
  let current = value;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, name)) return undefined;
    current = (current as Readonly<Record<string, unknown>>)[name];
  }
  return current;
}
