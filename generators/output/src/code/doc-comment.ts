import type { Documentation, JsonValue } from "@nodewright/model";
import { textWidth } from "./code.ts";

/** Content of a doc comment: prose for the reader, in paragraphs, then tags, one on each line. */
export interface DocComment {
  readonly prose: readonly string[];
  readonly tags: readonly string[];
}

/** Returns the doc comment of a declaration, which ends with the origin of the declaration. */
export function declarationComment(documentation: Documentation | undefined, origin: string): DocComment {
  const { prose, tags } = memberComment(documentation);
  return { prose, tags: [...tags, `@generated from ${origin}`] };
}

/** Returns the doc comment of a member. `initial` is its default. */
export function memberComment(documentation: Documentation | undefined, initial?: JsonValue): DocComment {
  const { summary = "", description = "", deprecated = false, deprecationReason = "" } = documentation ?? {};
  const paragraphs = summary.trim() === description.trim() ? [description] : [summary, description];
  return {
    prose: paragraphs.filter((text) => text.trim() !== ""),
    tags: [
      ...(initial === undefined ? [] : [`@defaultValue ${JSON.stringify(initial)}`]),
      ...(deprecated ? [`@deprecated ${deprecationReason.replaceAll(/\s+/g, " ")}`.trim()] : []),
    ],
  };
}

/**
 * Returns the lines between the delimiters of a doc comment; none when it is empty. No text can end the comment, and prose that begins a
 * line with `@` does not become a tag.
 */
function commentLines({ prose, tags }: DocComment): readonly string[] {
  const paragraphs = prose.map((paragraph) => safeLines(paragraph).map((line) => line.replace(/^(\s*)@/, "$1\\@")));
  const closing = tags.length === 0 ? [] : [tags.flatMap((tag) => safeLines(tag).slice(0, 1))];
  return [...paragraphs, ...closing].flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

/** Returns the lines of a doc comment with its delimiters. */
export function docComment(comment: DocComment): readonly string[] {
  const lines = commentLines(comment);
  const [only = ""] = lines;
  if (lines.length === 0) return [];
  if (isShort(lines)) return [`/** ${only} */`];
  return ["/**", ...lines.map((text) => (text === "" ? " *" : ` * ${text}`)), " */"];
}

/** Returns a text as one `//` comment: nothing in it starts a new line. */
export function lineComment(text: string): string {
  return `// ${safeLines(text).join(" ")}`;
}

/** Returns whether a comment fits on one line, delimiters included. */
function isShort(lines: readonly string[]): boolean {
  return lines.length === 1 && textWidth(lines[0] ?? "") <= 100;
}

function safeLines(text: string): readonly string[] {
  return text
    .trim()
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .map((line) => withoutInvisible(line).replaceAll("*/", "*\\/").trimEnd());
}

function withoutInvisible(line: string): string {
  return /[^\x20-\x7e]/.test(line) ? line.replaceAll(/\p{Cc}|\p{Cf}/gu, " ") : line;
}
