const quote = 0x22;
const backslash = 0x5c;
const openingBracket = 0x5b;
const closingBracket = 0x5d;
const openingBrace = 0x7b;
const closingBrace = 0x7d;

/** Returns whether arrays and objects of the JSON text are nested more deeply than `limit`. Not recursive. */
export function isDeeperThan(text: string, limit: number): boolean {
  // Each level takes two characters.
  if (text.length <= limit * 2) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case quote:
        index = endOfJsonString(text, index);
        break;
      case openingBracket:
      case openingBrace:
        depth += 1;
        if (depth > limit) return true;
        break;
      case closingBracket:
      case closingBrace:
        depth -= 1;
        break;
      default:
    }
  }
  return false;
}

/** Returns the position of the quote that closes the string which opens at `start`. */
export function endOfJsonString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, position: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(position - 1 - backslashes) === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}
