import type { Documentation, JsonValue } from "@nodewright/model";
import { textWidth } from "./code.ts";

/** What a doc comment says: prose for a person, in paragraphs, then tags, one on each line. */
export interface DocComment {
  readonly prose: readonly string[];
  readonly tags: readonly string[];
}

/** The doc comment of a declaration, closed by where the declaration comes from. */
export function declarationComment(documentation: Documentation | undefined, origin: string): DocComment {
  const { prose, tags } = memberComment(documentation);
  return { prose, tags: [...tags, `@generated from ${origin}`] };
}

/** The doc comment of a member. `initial` is what it is taken to be when left out. */
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
 * The lines between a doc comment's marks; none when it says nothing. Nothing in a text can end the comment, and prose
 * that begins a line with `@` does not become a tag.
 */
function commentLines({ prose, tags }: DocComment): readonly string[] {
  const paragraphs = prose.map((paragraph) => safeLines(paragraph).map((line) => line.replace(/^(\s*)@/, "$1\\@")));
  const closing = tags.length === 0 ? [] : [tags.flatMap((tag) => safeLines(tag).slice(0, 1))];
  return [...paragraphs, ...closing].flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

/** The lines of a doc comment with its marks. */
export function docComment(comment: DocComment): readonly string[] {
  const lines = commentLines(comment);
  const [only = ""] = lines;
  if (lines.length === 0) return [];
  if (isShort(lines)) return [`/** ${only} */`];
  return ["/**", ...lines.map((text) => (text === "" ? " *" : ` * ${text}`)), " */"];
}

/** A text as one `//` comment: nothing in it starts a new line. */
export function lineComment(text: string): string {
  return `// ${safeLines(text).join(" ")}`;
}

/** Whether a comment stands on one line, marks included. */
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
