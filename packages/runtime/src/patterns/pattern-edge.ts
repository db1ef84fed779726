import type { EdgeNode } from "./pattern-syntax.ts";

/** Returns whether an assertion holds between two code points (ECMA-262, section 22.2.2.4). Undefined stands for an end of the text. */
export function isAtEdge({ edge, flags }: EdgeNode, before: number | undefined, after: number | undefined): boolean {
  switch (edge) {
    case "start":
      return before === undefined;
    case "end":
      return after === undefined;
    case "line-start":
      return before === undefined || isLineTerminator(before);
    case "line-end":
      return after === undefined || isLineTerminator(after);
    default:
      return (isWordCharacter(before, flags) !== isWordCharacter(after, flags)) === (edge === "boundary");
  }
}

/** Returns whether a code point is a line terminator (ECMA-262, section 12.3). */
function isLineTerminator(codePoint: number): boolean {
  return codePoint === 0x0a || codePoint === 0x0d || codePoint === 0x2028 || codePoint === 0x2029;
}

/**
 * Returns whether a code point is a word character. ECMA-262, section 22.2.2.9.3: with `u` and `i`, also the long s and the Kelvin sign,
 * which fold to `s` and `k`.
 */
function isWordCharacter(codePoint: number | undefined, flags: string): boolean {
  if (codePoint === undefined) return false;
  if (codePoint < 0x80) return /\w/.test(String.fromCharCode(codePoint));
  return (codePoint === 0x17f || codePoint === 0x212a) && flags.includes("u") && flags.includes("i");
}
