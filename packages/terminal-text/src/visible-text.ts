/**
 * Escapes characters that would move the cursor, ring, recolour or change the direction of a terminal, and invisible ones: strings of
 * servers and documents are third-party. Line feeds are escaped too, so the result is one line.
 */
export function visibleText(text: string): string {
  return text.toWellFormed() === text && !hidden.test(text)
    ? text
    : text.replace(hiddenOrLone, (character) => named[character] ?? escaped(character));
}

const named: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

// Controls, direction marks (UAX 9), separators, joiners, tags, and the byte order mark.
const hiddenClass =
  "\\u0000-\\u001F\\u007F-\\u009F\\u00AD\\u061C\\u180E\\u200B-\\u200F\\u2028-\\u202E\\u2060-\\u206F\\uFEFF\\uFFF9-\\uFFFB\\u{E0000}-\\u{E007F}";
const hidden = new RegExp(`[${hiddenClass}]`, "u");
const hiddenOrLone = new RegExp(`[${hiddenClass}]|\\p{Surrogate}`, "gu");

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
