/** Returns the name of a type with its indefinite article: `an array` for `array`. */
export function withArticle(typeName: string): string {
  if (typeName === "null") return "null";
  return /^[aeiou]/.test(typeName) ? `an ${typeName}` : `a ${typeName}`;
}
