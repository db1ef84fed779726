/** Appends one reference token to a JSON Pointer (RFC 6901, section 3). */
export function appendPointer(pointer: string, token: string | number): string {
  const text = String(token);
  const needsEscape = text.includes("/") || text.includes("~");
  return `${pointer}/${needsEscape ? text.replaceAll("~", "~0").replaceAll("/", "~1") : text}`;
}

/** The reference tokens of a JSON Pointer, unescaped (RFC 6901, section 4); undefined when it is not a pointer. */
export function pointerTokens(pointer: string): readonly string[] | undefined {
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return undefined;
  return pointer
    .slice(1)
    .split("/")
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The tokens of a URI fragment that holds a JSON Pointer (RFC 6901, section 6): `#/a%20b` gives `["a b"]`. */
export function fragmentTokens(fragment: string): readonly string[] | undefined {
  try {
    return pointerTokens(decodeURIComponent(fragment.replace(/^#/, "")));
  } catch {
    return undefined;
  }
}

/** Adds a pointer and those of everything that it stands in; what is in the set already is there with its parents. */
export function addWithParents(pointers: Set<string>, pointer: string): void {
  for (let one = pointer; !pointers.has(one); one = one.slice(0, one.lastIndexOf("/"))) {
    pointers.add(one);
    if (one === "") return;
  }
}
