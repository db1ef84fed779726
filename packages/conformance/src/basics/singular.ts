/** Returns a word in lower case without its plural ending, for regular English nouns: `pony`, `hash`, `status`. */
export function singularOf(word: string): string {
  if (word.length < 3 || /(?:ss|us|is|ews)$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
