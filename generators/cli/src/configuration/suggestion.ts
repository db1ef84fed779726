import { editDistanceAtMost } from "@nodewright/source";

/** ` (did you mean "X"?)` for the candidate that differs in case or by a letter or two; else nothing. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const wanted = name.toLowerCase();
  const limit = wanted.length < 4 ? 1 : wanted.length < 12 ? 2 : 4;
  let nearest: string | undefined;
  for (const candidate of candidates) {
    const close = candidate.toLowerCase();
    if (close === wanted) return asked(candidate);
    if (nearest === undefined && editDistanceAtMost(close, wanted, limit)) nearest = candidate;
  }
  return nearest === undefined ? "" : asked(nearest);
}

function asked(name: string): string {
  return ` (did you mean "${name}"?)`;
}
