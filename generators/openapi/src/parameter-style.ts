// OpenAPI 3.1, section 4.8.12.2; OpenAPI 3.2, section 4.12.3.
import type { Parameter } from "@nodewright/model";
import type { SourceValue } from "@nodewright/source";
import { suggestion as suggestionAmong } from "@nodewright/terminal-text";
import type { Reading } from "./reading.ts";

export type ParameterPlace = "path" | "query" | "header" | "cookie";

/** Styles of each location; the first is the default. */
const stylesOfPlace: Readonly<Record<ParameterPlace, readonly [Parameter["style"], ...Parameter["style"][]]>> = {
  path: ["simple", "label", "matrix"],
  query: ["form", "spaceDelimited", "pipeDelimited", "deepObject"],
  header: ["simple"],
  cookie: ["form"],
};

/** Returns the `style` of `owner`, or the default of its location. Reports an invalid style; `ownerName` starts the message. */
export function readStyle(
  reading: Reading,
  owner: SourceValue,
  place: ParameterPlace,
  ownerName: string,
): Parameter["style"] {
  const text = reading.members.text(owner, "style");
  const styles = stylesOfPlace[place];
  if (text === undefined || isCookieStyle(reading, owner, place)) return styles[0];
  const style = styles.find((candidate) => candidate === text);
  if (style !== undefined) return style;
  reading.report("unknown-style", owner.memberSource("style"), {
    owner: ownerName,
    style: text,
    styles: styles.join(", "),
    suggestion: suggestion(text, styles),
  });
  return styles[0];
}

/** Returns whether the style is `cookie` of OpenAPI 3.2: as `form`, but without escaping. */
export function isCookieStyle(reading: Reading, owner: SourceValue, place: ParameterPlace): boolean {
  return place === "cookie" && reading.version === "3.2" && owner.member("style")?.string === "cookie";
}

/** Maximum number of names that are compared: a document may have thousands of names, and thousands of typing errors. */
const comparedNames = 1000;

/** Returns ` (did you mean "form"?)` for a string that is similar to a known name. */
export function suggestion(text: string, names: readonly string[]): string {
  return suggestionAmong(text, names.slice(0, comparedNames), 2);
}
