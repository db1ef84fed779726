import { visibleText } from "../visible-text.ts";

/** The lines of a text, each made visible. */
export function visibleLines(text: string): readonly string[] {
  return text.split("\n").map((line) => visibleText(line.replace(/\r$/, "")));
}
