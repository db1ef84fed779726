/**
 * Text that knows where it may be broken, so that generated files come out as the formatter would leave them.
 *
 * A group stands on one line when it fits; otherwise its own lines break, and the groups inside decide for themselves.
 */
export type Code =
  | string
  | readonly Code[]
  | { readonly kind: "group"; readonly content: Code }
  | { readonly kind: "indent"; readonly content: Code }
  | { readonly kind: "line"; readonly flat: string; readonly isHard: boolean }
  | { readonly kind: "when-broken"; readonly broken: Code; readonly flat: Code }
  | { readonly kind: "fill"; readonly items: readonly Code[] }
  /** What stands behind an `=`: on the next line where not even its beginning fits behind it. */
  | { readonly kind: "assigned"; readonly content: Code }
  /** Columns kept free for text that follows elsewhere: measured, never printed. */
  | { readonly kind: "reserve"; readonly columns: number };

/** Columns that a line may have, as biome.json says. */
export const lineWidth = 120;

const indentation = 2;

/** A space, or a new line where the group is broken. */
export const line: Code = { kind: "line", flat: " ", isHard: false };

/** Nothing, or a new line where the group is broken. */
export const softline: Code = { kind: "line", flat: "", isHard: false };

/** A new line, which breaks every group around it. */
export const hardline: Code = { kind: "line", flat: "", isHard: true };

/** A comma after the last item of a list that is broken. */
export const trailingComma: Code = { kind: "when-broken", broken: ",", flat: "" };

export function group(...content: readonly Code[]): Code {
  return { kind: "group", content };
}

export function indent(...content: readonly Code[]): Code {
  return { kind: "indent", content };
}

export function whenBroken(broken: Code, flat: Code): Code {
  return { kind: "when-broken", broken, flat };
}

/** Items with commas between them, as many on each line as fit. */
export function fill(items: readonly Code[]): Code {
  return { kind: "fill", items };
}

export function join(separator: Code, items: readonly Code[]): readonly Code[] {
  return items.flatMap((item, index) => (index === 0 ? [item] : [separator, item]));
}

export function lines(items: readonly Code[]): Code {
  return join(hardline, items);
}

export interface RenderOptions {
  /** Columns left, for text that will be indented by its surroundings. */
  readonly width?: number;
  /** Columns already taken on the first line. */
  readonly column?: number;
  /** Columns that must be free after the last line, for what follows it. */
  readonly reserved?: number;
}

/** Lays code out in lines. */
export function renderCode(code: Code, { width = lineWidth, column = 0, reserved = 0 }: RenderOptions = {}): string {
  const rest: Command[] = [{ depth: 0, isBroken: true, code: [code, { kind: "reserve", columns: reserved }] }];
  const parts: string[] = [];
  let position = column;
  for (let command = rest.pop(); command !== undefined; command = rest.pop()) {
    const { depth, isBroken, code: current } = command;
    if (typeof current === "string") {
      parts.push(current);
      position += textWidth(current);
    } else if (isSequence(current)) {
      for (let index = current.length - 1; index >= 0; index -= 1)
        rest.push({ depth, isBroken, code: current[index] ?? "" });
    } else if (current.kind === "indent") {
      rest.push({ depth: depth + indentation, isBroken, code: current.content });
    } else if (current.kind === "when-broken") {
      rest.push({ depth, isBroken, code: isBroken ? current.broken : current.flat });
    } else if (current.kind === "group") {
      const fitting = fits({ depth, isBroken: false, code: current.content }, rest, width - position);
      rest.push({ depth, isBroken: !fitting, code: current.content });
    } else if (current.kind === "fill") {
      rest.push({ depth, isBroken, code: fillLines(current.items, width - depth, position - depth) });
    } else if (current.kind === "assigned") {
      rest.push({ depth, isBroken, code: current.content });
      if (fits({ depth, isBroken: false, code: " " }, rest, width - position)) {
        rest.push({ depth, isBroken: false, code: " " });
      } else {
        rest.pop();
        rest.push({ depth: depth + indentation, isBroken, code: [hardline, current.content] });
      }
    } else if (current.kind === "reserve") {
      position += current.columns;
    } else if (isBroken || current.isHard) {
      parts.push("\n", " ".repeat(depth));
      position = depth;
    } else {
      parts.push(current.flat);
      position += current.flat.length;
    }
  }
  return parts.join("").replaceAll(/ +\n/g, "\n");
}

/** How many columns a text takes: two for East Asian wide characters and emoji, none for combining marks. */
export function textWidth(text: string): number {
  if (!/[^\x20-\x7e]/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

interface Command {
  readonly depth: number;
  readonly isBroken: boolean;
  readonly code: Code;
}

function isSequence(code: Code): code is readonly Code[] {
  return Array.isArray(code);
}

/** Whether what is next, laid out flat, and what follows it up to the next new line stand in `available` columns. */
function fits(next: Command, following: readonly Command[], available: number): boolean {
  let remaining = available;
  let followingIndex = following.length;
  const rest: Command[] = [next];
  while (remaining >= 0) {
    const command = rest.pop() ?? following[--followingIndex];
    if (command === undefined) return true;
    const { depth, isBroken, code } = command;
    if (typeof code === "string") {
      remaining -= textWidth(code);
    } else if (isSequence(code)) {
      for (let index = code.length - 1; index >= 0; index -= 1) rest.push({ depth, isBroken, code: code[index] ?? "" });
    } else if (code.kind === "indent" || code.kind === "group") {
      rest.push({ depth, isBroken, code: code.content });
    } else if (code.kind === "when-broken") {
      rest.push({ depth, isBroken, code: isBroken ? code.broken : code.flat });
    } else if (code.kind === "fill") {
      rest.push({ depth, isBroken, code: join(", ", code.items) });
    } else if (code.kind === "assigned") {
      rest.push({ depth, isBroken, code: [" ", code.content] });
    } else if (code.kind === "reserve") {
      remaining -= code.columns;
    } else if (code.isHard) {
      return isBroken;
    } else if (isBroken) {
      return true;
    } else {
      remaining -= code.flat.length;
    }
  }
  return false;
}

/** Breaks before each item that would pass the width. */
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
