/**
 * Returns ` (did you mean "X"?)` for the candidate nearest to a name, which differs in case or by at most `limit` letters, by default one
 * or two, for long names four; else an empty string. A name that is a candidate needs no suggestion.
 */
export function suggestion(
  name: string,
  candidates: Iterable<string>,
  limit: number = name.length < 5 ? 1 : name.length < 12 ? 2 : 4,
): string {
  const wanted = name.toLowerCase();
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    if (candidate === name) return "";
    const distance = editDistance(candidate.toLowerCase(), wanted, limit);
    if (distance !== undefined && (nearest === undefined || distance < nearest.distance))
      nearest = { name: candidate, distance };
  }
  return nearest === undefined ? "" : ` (did you mean "${nearest.name}"?)`;
}

/** Returns whether one string becomes the other by adding, removing or replacing at most `limit` letters. */
export function editDistanceAtMost(left: string, right: string, limit: number): boolean {
  return editDistance(left, right, limit) !== undefined;
}

/** Returns the Levenshtein distance; `undefined` as soon as it exceeds `limit`. */
function editDistance(left: string, right: string, limit: number): number | undefined {
  if (Math.abs(left.length - right.length) > limit) return undefined;
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    if (Math.min(...current) > limit) return undefined;
    above = current;
  }
  const distance = above[right.length] ?? 0;
  return distance <= limit ? distance : undefined;
}
