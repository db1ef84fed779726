/**
 * Text with possible line breaks, so that generated files come out as the formatter would leave them.
 *
 * A group is on one line when it fits; otherwise its own lines break, and nested groups decide for themselves.
 */
export type Code =
  | string
  | readonly Code[]
  | { readonly kind: "group"; readonly content: Code }
  | { readonly kind: "indent"; readonly content: Code }
  | { readonly kind: "line"; readonly flat: string; readonly isHard: boolean }
  | { readonly kind: "when-broken"; readonly broken: Code; readonly flat: Code }
  | { readonly kind: "fill"; readonly items: readonly Code[] }
  /** Code after an `=`: on the next line when not even its beginning fits on the current one. */
  | { readonly kind: "assigned"; readonly content: Code }
  /** Columns reserved for text that follows elsewhere: measured, never printed. */
  | { readonly kind: "reserve"; readonly columns: number }
  /** Code that belongs to one operation: laid out as its content, and reported by the operation's name. */
  | { readonly kind: "piece"; readonly operation: string; readonly content: Code };

/** Maximum columns of a line, as in biome.json. */
export const lineWidth = 120;

const indentation = 2;

/** A space, or a line break where the group is broken. */
export const line: Code = { kind: "line", flat: " ", isHard: false };

/** Nothing, or a line break where the group is broken. */
export const softline: Code = { kind: "line", flat: "", isHard: false };

/** A line break, which breaks every group around it. */
export const hardline: Code = { kind: "line", flat: "", isHard: true };

/** A comma after the last item of a list that is broken. */
export const trailingComma: Code = { kind: "when-broken", broken: ",", flat: "" };

/** Returns code that is printed on one line if it fits within the line width; otherwise its line breaks are printed. */
export function group(...content: readonly Code[]): Code {
  return { kind: "group", content };
}

/** Returns code whose further lines are indented by one level. */
export function indent(...content: readonly Code[]): Code {
  return { kind: "indent", content };
}

/** Returns code that is printed as `broken` where the group around it is broken into lines, otherwise as `flat`. */
export function ifBroken(broken: Code, flat: Code): Code {
  return { kind: "when-broken", broken, flat };
}

/** Returns items separated by commas, as many on each line as fit. */
export function fill(items: readonly Code[]): Code {
  return { kind: "fill", items };
}

/** Returns the items with the separator between each two of them. */
export function join(separator: Code, items: readonly Code[]): readonly Code[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
}

/** Returns code with each item on a line of its own. */
export function lines(items: readonly Code[]): Code {
  return join(hardline, items);
}

/** Returns code that is marked as belonging to one operation, so that an incremental update can replace it. */
export function operationCode(operation: string, content: Code): Code {
  return { kind: "piece", operation, content };
}

/** The laid-out text of one operation. */
export interface PieceText {
  readonly operation: string;
  readonly text: string;
}

export interface RenderOptions {
  /** Available columns, for text that will be indented by its surroundings. */
  readonly width?: number;
  /** Columns already taken on the first line. */
  readonly column?: number;
  /** Columns that must be free after the last line, for the text that follows it. */
  readonly reserved?: number;
  /** Receives the pieces that were laid out, in order. */
  readonly pieces?: PieceText[];
}

/** Lays code out in lines. */
export function renderCode(code: Code, options: RenderOptions = {}): string {
  const { width = lineWidth, column = 0, reserved = 0, pieces } = options;
  const rest = new Commands();
  /** Pieces that are being laid out, with the number of parts before them. */
  const open: { readonly operation: string; readonly start: number }[] = [];
  rest.push({ kind: "reserve", columns: reserved }, 0, true);
  rest.push(code, 0, true);
  const parts: string[] = [];
  let position = column;
  while (rest.pop()) {
    const { code: current, depth, isBroken } = rest;
    if (typeof current === "string") {
      parts.push(current);
      position += textWidth(current);
    } else if (isSequence(current)) {
      rest.pushAll(current, depth, isBroken);
    } else if (current.kind === "indent") {
      rest.push(current.content, depth + indentation, isBroken);
    } else if (current.kind === "when-broken") {
      rest.push(isBroken ? current.broken : current.flat, depth, isBroken);
    } else if (current.kind === "group") {
      const flat = flatText(current.content, width - position);
      if (flat !== undefined && matchesWidth("", false, rest, width - position - flat.columns)) {
        parts.push(flat.text);
        position += flat.columns;
      } else {
        rest.push(current.content, depth, true);
      }
    } else if (current.kind === "fill") {
      rest.push(fillLines(current.items, width - depth, position - depth), depth, isBroken);
    } else if (current.kind === "assigned") {
      rest.push(current.content, depth, isBroken);
      if (matchesWidth(" ", false, rest, width - position)) {
        rest.push(" ", depth, false);
      } else {
        rest.pop();
        rest.push([hardline, current.content], depth + indentation, isBroken);
      }
    } else if (current === endOfPiece) {
      const piece = open.pop();
      if (piece !== undefined) pieces?.push({ operation: piece.operation, text: parts.slice(piece.start).join("") });
    } else if (current.kind === "reserve") {
      position += current.columns;
    } else if (current.kind === "piece") {
      open.push({ operation: current.operation, start: parts.length });
      rest.push(endOfPiece, depth, isBroken);
      rest.push(current.content, depth, isBroken);
    } else if (isBroken || current.isHard) {
      trimEnd(parts);
      parts.push("\n", " ".repeat(depth));
      position = depth;
    } else {
      parts.push(current.flat);
      position += current.flat.length;
    }
  }
  return parts.join("");
}

/** Marks the end of the content of a piece during layout. */
const endOfPiece: Code = { kind: "reserve", columns: 0 };

/** Removes the spaces at the end of a line. */
function trimEnd(parts: string[]): void {
  for (let last = parts.pop(); last !== undefined; last = parts.pop()) {
    const trimmed = last.endsWith(" ") ? last.replace(/ +$/, "") : last;
    if (trimmed === "") continue;
    parts.push(trimmed);
    return;
  }
}

/** Number of characters from which a text fits on no line, whatever its characters are: its exact width is not needed then. */
const longText = 2_000;

/** Returns the number of columns of a text: two for East Asian wide characters and emoji, none for combining marks. */
export function textWidth(text: string): number {
  if (text.length > longText || isPrintableAscii(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Returns whether a text is printable ASCII. Faster than a regular expression on short texts, which most are. */
function isPrintableAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit > 0x7e) return false;
  }
  return true;
}

/** A stack of code that is still to be laid out, the next item on top; without an object for each item, because there are millions. */
class Commands {
  /** Code of the item that `pop` removed. */
  code: Code = "";
  depth = 0;
  isBroken = false;
  readonly #codes: Code[] = [];
  readonly #depths: number[] = [];
  readonly #broken: boolean[] = [];

  get size(): number {
    return this.#codes.length;
  }

  push(code: Code, depth: number, isBroken: boolean): void {
    this.#codes.push(code);
    this.#depths.push(depth);
    this.#broken.push(isBroken);
  }

  pushAll(codes: readonly Code[], depth: number, isBroken: boolean): void {
    for (let index = codes.length - 1; index >= 0; index -= 1) this.push(codes[index] ?? "", depth, isBroken);
  }

  /** Removes the top item; returns false when nothing is left. */
  pop(): boolean {
    const code = this.#codes.pop();
    if (code === undefined) return false;
    this.code = code;
    this.depth = this.#depths.pop() ?? 0;
    this.isBroken = this.#broken.pop() ?? false;
    return true;
  }

  codeAt(index: number): Code {
    return this.#codes[index] ?? "";
  }

  isBrokenAt(index: number): boolean {
    return this.#broken[index] ?? false;
  }
}

function isSequence(code: Code): code is readonly Code[] {
  return Array.isArray(code);
}

interface FlatText {
  readonly text: string;
  readonly columns: number;
}

/** Returns the text of a code on one line; undefined when it exceeds the available columns, or contains hard line breaks. */
function flatText(code: Code, available: number): FlatText | undefined {
  let text = "";
  let columns = 0;
  const codes: Code[] = [code];
  for (let next = codes.pop(); next !== undefined; next = codes.pop()) {
    if (typeof next === "string") {
      text += next;
      columns += textWidth(next);
    } else if (isSequence(next)) {
      for (let index = next.length - 1; index >= 0; index -= 1) codes.push(next[index] ?? "");
    } else if (next.kind === "reserve") {
      columns += next.columns;
    } else if (next.kind === "line") {
      if (next.isHard) return undefined;
      text += next.flat;
      columns += next.flat.length;
    } else {
      codes.push(insideOf(next, false));
    }
    if (columns > available) return undefined;
  }
  return { text, columns };
}

/** Returns whether `next`, laid out flat or broken, and everything after it up to the next line break fit in `available` columns. */
function matchesWidth(next: Code, isNextBroken: boolean, following: Commands, available: number): boolean {
  let remaining = available;
  let followingIndex = following.size;
  const codes: Code[] = [next];
  const broken: boolean[] = [isNextBroken];
  while (remaining >= 0) {
    let code = codes.pop();
    let isBroken = broken.pop() ?? false;
    if (code === undefined) {
      followingIndex -= 1;
      if (followingIndex < 0) return true;
      code = following.codeAt(followingIndex);
      isBroken = following.isBrokenAt(followingIndex);
    }
    if (typeof code === "string") {
      remaining -= textWidth(code);
    } else if (isSequence(code)) {
      for (let index = code.length - 1; index >= 0; index -= 1) {
        codes.push(code[index] ?? "");
        broken.push(isBroken);
      }
    } else if (code.kind === "reserve") {
      remaining -= code.columns;
    } else if (code.kind === "line") {
      if (code.isHard) return isBroken;
      if (isBroken) return true;
      remaining -= code.flat.length;
    } else {
      codes.push(insideOf(code, isBroken));
      broken.push(isBroken);
    }
  }
  return false;
}

/** Returns the content of a code that is laid out like its surroundings. */
function insideOf(
  code: Extract<Code, { readonly kind: "group" | "indent" | "when-broken" | "fill" | "assigned" | "piece" }>,
  isBroken: boolean,
): Code {
  switch (code.kind) {
    case "group":
    case "indent":
    case "piece":
      return code.content;
    case "when-broken":
      return isBroken ? code.broken : code.flat;
    case "fill":
      return join(", ", code.items);
    case "assigned":
      return [" ", code.content];
    default:
      return code satisfies never;
  }
}

/** Breaks before each item that would exceed the width. */
function fillLines(items: readonly Code[], width: number, start: number): Code {
  const parts: Code[] = [];
  let position = start;
  for (const [index, item] of items.entries()) {
    const text = renderCode(item, { width: Number.MAX_SAFE_INTEGER });
    const size = textWidth(text) + (index === items.length - 1 ? 0 : 1);
    if (index > 0) {
      const isBroken = position + 1 + size > width;
      parts.push(isBroken ? hardline : " ");
      position = isBroken ? 0 : position + 1;
    }
    parts.push(text, index === items.length - 1 ? "" : ",");
    position += size;
  }
  return parts;
}

function characterWidth(character: string): number {
  if (/[\p{Mn}\p{Me}\p{Cf}]/u.test(character)) return 0;
  const codePoint = character.codePointAt(0) ?? 0;
  const isWide =
    (codePoint >= 0x1100 && codePoint <= 0x115f) ||
    (codePoint >= 0x2e80 && codePoint <= 0xa4cf) ||
    (codePoint >= 0xac00 && codePoint <= 0xd7a3) ||
    (codePoint >= 0xf900 && codePoint <= 0xfaff) ||
    (codePoint >= 0xfe30 && codePoint <= 0xfe6f) ||
    (codePoint >= 0xff00 && codePoint <= 0xff60) ||
    (codePoint >= 0xffe0 && codePoint <= 0xffe6) ||
    (codePoint >= 0x1f300 && codePoint <= 0x1faff) ||
    (codePoint >= 0x20000 && codePoint <= 0x3fffd);
  return isWide ? 2 : 1;
}
