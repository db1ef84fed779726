/** True when one of the names matches one of the patterns, in which `*` stands for any text; everything else is as it is. */
export function matchesAny(patterns: readonly string[] | undefined, names: readonly string[]): boolean {
  if (patterns === undefined || patterns.length === 0) return false;
  return patterns.some((pattern) => names.some((name) => matches(pattern, name)));
}

/** `getOne/negative/*`: cases that may be made of answers. */
export function beginsWithOperation(pattern: string, names: readonly string[]): boolean {
  const [operation = "", ...rest] = pattern.split("/");
  return rest.length > 0 && matchesAny([operation], names);
}

/** Linear in the name for each piece of the pattern: no regular expression that a pattern could make slow. */
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
