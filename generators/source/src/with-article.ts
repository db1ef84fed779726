/** `array` gives `an array`: how a message names what was found. */
export function withArticle(typeName: string): string {
  if (typeName === "null") return "null";
  return /^[aeiou]/.test(typeName) ? `an ${typeName}` : `a ${typeName}`;
}
