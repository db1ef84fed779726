/** Appends one reference token to a JSON Pointer (RFC 6901, section 3). */
export function appendPointer(pointer: string, token: string | number): string {
  const text = String(token);
  const needsEscape = text.includes("/") || text.includes("~");
  return `${pointer}/${needsEscape ? text.replaceAll("~", "~0").replaceAll("/", "~1") : text}`;
}

/** Returns the reference tokens of a JSON Pointer, unescaped (RFC 6901, section 4); undefined if it is not a pointer. */
export function pointerTokens(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the tokens of a URI fragment that contains a JSON Pointer (RFC 6901, section 6): `["a b"]` for `#/a%20b`. */
export function fragmentTokens(fragment: string): readonly string[] | undefined {
  try {
    return pointerTokens(decodeURIComponent(fragment.replace(/^#/, "")));
  } catch {
    return undefined;
  }
}

/** Adds a pointer and its ancestors to a set. A pointer that the set contains already is there with its ancestors. */
export function addWithParents(pointers: Set<string>, pointer: string): void {
  for (let one = pointer; !pointers.has(one); one = one.slice(0, one.lastIndexOf("/"))) {
    pointers.add(one);
    if (one === "") return;
  }
}
