/** Returns whether one of the names matches one of the patterns, in which `*` matches any string; all other characters are literal. */
export function matchesAny(patterns: readonly string[] | undefined, names: readonly string[]): boolean {
  if (patterns === undefined || patterns.length === 0) return false;
  return patterns.some((pattern) => names.some((name) => matches(pattern, name)));
}

/**
 * Returns whether a pattern begins with an operation's name, such as `getOne/negative/*`: it may match cases that are planned from
 * responses.
 */
export function beginsWithOperation(pattern: string, names: readonly string[]): boolean {
  const [operation = "", ...rest] = pattern.split("/");
  return rest.length > 0 && matchesAny([operation], names);
}

/** Matches in linear time for each piece of the pattern: a regular expression could be made slow by a pattern. */
function matches(pattern: string, name: string): boolean {
  const [first = "", ...others] = pattern.split("*");
  const last = others.pop();
  if (last === undefined) return name === pattern;
  if (!name.startsWith(first)) return false;
  let position = first.length;
  for (const piece of others) {
    const found = name.indexOf(piece, position);
    if (found === -1) return false;
    position = found + piece.length;
  }
  return name.length - last.length >= position && name.endsWith(last);
}
