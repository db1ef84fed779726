/**
 * A text as XML 1.0 can hold it: marked-up characters escaped, and characters that no XML may have (section 2.2) written as `\u0000`.
 * Line feeds in attributes are kept by escaping them.
 */
export function xmlText(text: string): string {
  return text
    .replace(forbidden, (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`)
    .replace(/[&<>"'\n\r\t]/g, (character) => entities[character] ?? character);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
const forbidden = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u0084\u0086-\u009F\uFFFE\uFFFF]|\p{Surrogate}/gu;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;",
};
