import { nameWords } from "@nodewright/model";

/** Verbs that most APIs use for most things: two names that share only these are not similar. */
const commonVerbs: ReadonlySet<string> = new Set(
  "add all by create delete fetch find get insert list load make new patch post put query read remove retrieve save set show store update write".split(
    " ",
  ),
);

/**
 * Returns the similarity of two names, from 0 to 1: by shared words, or by letter pairs where words are written as one. Common verbs count
 * little: `getPet` is more similar to `fetchPet` than to `getCat`.
 */
export function nameSimilarity(left: string, right: string): number {
  const leftWords = wordsOf(left);
  const rightWords = wordsOf(right);
  const leftThings = thingsOf(leftWords);
  const rightThings = thingsOf(rightWords);
  const byWords = 0.3 * sharedPart(leftWords, rightWords) + 0.7 * sharedPart(leftThings, rightThings);
  return Math.max(byWords, sharedPart(letterPairs(leftThings.join("")), letterPairs(rightThings.join(""))));
}

/** Returns the words without the common verbs; all of them if there are no others. */
function thingsOf(words: readonly string[]): readonly string[] {
  const things = words.filter((word) => !commonVerbs.has(word));
  return things.length === 0 ? words : things;
}

function wordsOf(name: string): readonly string[] {
  return nameWords(name).map((word) => word.toLowerCase());
}

function letterPairs(text: string): readonly string[] {
  return Array.from({ length: Math.max(0, text.length - 1) }, (_, index) => text.slice(index, index + 2));
}

/** Returns Sørensen's coefficient of two lists, in which a repeated item counts as often as it occurs. */
function sharedPart(left: readonly string[], right: readonly string[]): number {
  if (left.length + right.length === 0) return 0;
  const unmatched = new Map<string, number>();
  for (const item of left) unmatched.set(item, (unmatched.get(item) ?? 0) + 1);
  let shared = 0;
  for (const item of right) {
    const count = unmatched.get(item) ?? 0;
    if (count === 0) continue;
    unmatched.set(item, count - 1);
    shared += 1;
  }
  return (2 * shared) / (left.length + right.length);
}
