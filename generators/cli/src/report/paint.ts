import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Colours a string for a stream: only on a terminal, and not when `NO_COLOR` is set. */
export function paint(style: Style, text: string, stream: NodeJS.WriteStream): string {
  return styleText(style, text, { stream });
}

/** Replaces control characters by visible ones instead of sending them to a terminal: documents and names are third-party input. */
export function visible(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not reach a terminal
  return text.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, (character) =>
    character === "\r" ? "" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
