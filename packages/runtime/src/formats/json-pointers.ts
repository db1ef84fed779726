const relativeStart = /^(?:0|[1-9][0-9]*)/;
const badEscape = /~(?![01])/;

/** Returns whether text is like `/paths/~1users/get`: RFC 6901, section 3. The empty text refers to the complete document. */
export function isJsonPointer(text: string): boolean {
  return (text === "" || text.startsWith("/")) && !badEscape.test(text);
}

/** Returns whether text is like `1/name` or `0#`: draft-bhutton-relative-json-pointer-00, section 3, without moves of an index. */
export function isRelativeJsonPointer(text: string): boolean {
  const match = relativeStart.exec(text);
  if (match === null) return false;
  const rest = text.slice(match[0].length);
  return rest === "#" || isJsonPointer(rest);
}
