/** ` (did you mean "X"?)` for the candidate that is nearest, where it differs by `limit` letters at most, usually one or two; else nothing. */
export function suggestion(
  name: string,
  candidates: Iterable<string>,
  limit: number = name.length < 5 ? 1 : name.length < 12 ? 2 : 4,
): string {
  const wanted = name.toLowerCase();
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(candidate.toLowerCase(), wanted);
    if (distance <= limit && (nearest === undefined || distance < nearest.distance))
      nearest = { name: candidate, distance };
  }
  return nearest === undefined ? "" : ` (did you mean "${nearest.name}"?)`;
}

/** Letters that have to be put in, taken out or replaced. */
function editDistance(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[right.length] ?? 0;
}
