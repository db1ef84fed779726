/** Returns whether text is a pattern of ECMA-262, as JSON Schema uses it: with the `u` flag. */
export function isRegex(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}
