import type { Report } from "./diagnostic.ts";
import { shortened } from "./shortened.ts";
import type { sourceDiagnostics } from "./source-diagnostics.ts";
import { maximumDepth, type SourceMember, type SourceNode } from "./source-node.ts";
import type { SourceText } from "./source-text.ts";
import { appendPointer } from "./json-pointer.ts";

/** Syntax error at an offset; internal to the scanner. */
class JsonSyntaxProblem extends Error {
  readonly offset: number;
  /** Whether nothing after the error can be read. */
  readonly isLast: boolean;

  constructor(offset: number, problem: string, isLast = false) {
    super(problem);
    this.offset = offset;
    this.isLast = isLast;
  }
}

/** Thrown when the rest of the document cannot be read and everything has been reported. */
class NothingMoreToRead extends Error {}

/** Maximum number of reported errors. A text with more is probably not JSON. */
const maximumProblems = 1000;

/** First character of a value. */
const valueStart = /["[{\-0-9tfn]/;

const whitespace = /[\u0020\t\n\r]*/y;
const numberText = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** All characters from the space on, except quote and backslash. */
const plainStringText = /[ !#-[\]-\uffff]*/y;
const literals = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/** Placeholder for each UTF-16 unit that takes two bytes. It has no meaning in the syntax of JSON. */
const wideCharacter = "\xff";

/**
 * Returns the text with every unit beyond Latin-1 replaced, so that it takes one byte per unit. A single dash makes V8 store two bytes per
 * unit, for the text, for all substrings of it, and for everything concatenated from them.
 */
function narrowed(text: string): string {
  if (!/[^\0-\xff]/.test(text)) return text;
  return Buffer.from(text.replaceAll(/[^\0-\xff]/g, wideCharacter), "latin1").toString("latin1");
}

/**
 * Reads JSON (RFC 8259) with positions. Reports every syntax error and returns undefined if there is one. After an error it continues at
 * the next member or element: the text between is skipped, and no further error is reported until something has been read again.
 */
export function readJson(source: SourceText, report: Report<typeof sourceDiagnostics>): SourceNode | undefined {
  const text = narrowed(source.text);
  const isNarrowed = text !== source.text;
  let at = source.text.startsWith("\uFEFF") ? 1 : 0;

  let problems = 0;
  let isRecovering = false;
  /** Number of open objects and arrays. */
  const open = { "}": 0, "]": 0 };

  const reportProblem = ({ offset, message, isLast }: JsonSyntaxProblem): void => {
    problems += 1;
    if (!isRecovering)
      report("json-syntax", source.range(offset, Math.min(offset + 1, text.length), ""), { problem: message });
    isRecovering = true;
    if (isLast || problems >= maximumProblems) throw new NothingMoreToRead();
  };

  const skipWhitespace = (): void => {
    whitespace.lastIndex = at;
    whitespace.test(text);
    at = whitespace.lastIndex;
    if (text[at] === "/") skipComment();
  };

  const skipComment = (): void => {
    const end = { "//": "\n", "/*": "*/" }[text.slice(at, at + 2)];
    if (end === undefined) return;
    reportProblem(new JsonSyntaxProblem(at, "JSON has no comments."));
    const found = text.indexOf(end, at + 2);
    at = found === -1 ? text.length : found + end.length;
    isRecovering = false;
    skipWhitespace();
  };

  /** Skips to the comma or bracket after something that cannot be read. */
  const skipBroken = (): void => {
    let depth = 0;
    if (text[at] === "'") skipQuoted("'");
    for (; at < text.length; at += 1) {
      const character = text[at];
      if (character === '"') skipQuoted('"');
      else if (character === "{" || character === "[") depth += 1;
      else if (character === "}" || character === "]") {
        if (depth === 0) return;
        depth -= 1;
      } else if (character === "," && depth === 0) return;
    }
    throw new NothingMoreToRead();
  };

  /** Skips to the closing quote, or to the end of the line without one. */
  const skipQuoted = (quote: string): void => {
    const start = at;
    for (at += 1; at < text.length && text[at] !== quote && text[at] !== "\n"; at += 1) if (text[at] === "\\") at += 1;
    if (quote === "'" && text[at] !== quote) at = start + 1;
  };

  /** Reads a member or an element; reports and skips it if it cannot be read. */
  const attempt = (read: () => void): void => {
    try {
      read();
    } catch (problem) {
      if (!(problem instanceof JsonSyntaxProblem)) throw problem;
      reportProblem(problem);
      skipBroken();
    }
  };

  /** Reads the comma or the closing bracket, and returns whether another member or element follows. */
  const goesOn = (close: "}" | "]", context: string): boolean => {
    skipWhitespace();
    if (text[at] === ",") {
      at += 1;
      skipWhitespace();
      if (text[at] !== close) return true;
      reportProblem(
        new JsonSyntaxProblem(
          at,
          `Expected ${close === "}" ? "a key in double quotes" : "a value"}, found "${close}".`,
        ),
      );
    }
    if (text[at] === close) {
      at += 1;
      return false;
    }
    const isEnd = at >= text.length;
    reportProblem(
      new JsonSyntaxProblem(at, `Expected "," or "${close}" after ${context}, found ${describe(at)}.`, isEnd),
    );
    if (close === "}" ? text[at] === '"' : valueStart.test(text.charAt(at))) return true;
    skipBroken();
    return text[at] === "," ? goesOn(close, context) : closesBy(close);
  };

  /** Handles a closing bracket after an error: one that closes an enclosing object or array is not consumed. */
  const closesBy = (close: "}" | "]"): boolean => {
    const other = close === "}" ? "]" : "}";
    if (text[at] === close || open[other] === 0) at += 1;
    return false;
  };

  const describe = (offset: number): string => {
    if (offset >= text.length) return "the end of the document";
    return JSON.stringify(String.fromCodePoint(source.text.codePointAt(offset) ?? 0));
  };

  const expect = (character: string, context: string): void => {
    if (text[at] !== character)
      throw new JsonSyntaxProblem(at, `Expected "${character}" ${context}, found ${describe(at)}.`);
    at += 1;
  };

  const readString = (): string => {
    const start = at;
    at += 1;
    plainStringText.lastIndex = at;
    plainStringText.test(text);
    at = plainStringText.lastIndex;
    if (text[at] === '"') {
      at += 1;
      isRecovering = false;
      const plain = text.slice(start + 1, at - 1);
      return isNarrowed && plain.includes(wideCharacter) ? source.text.slice(start + 1, at - 1) : plain;
    }
    for (;;) {
      const character = text[at];
      if (character === undefined) throw new JsonSyntaxProblem(start, "This string has no closing quote.", true);
      if (character < " ")
        throw new JsonSyntaxProblem(
          at,
          "A string may not hold a line break or control character; write it as an escape.",
        );
      if (character === '"') break;
      at += character === "\\" ? 2 : 1;
    }
    at += 1;
    isRecovering = false;
    try {
      return JSON.parse(source.text.slice(start, at)) as string;
    } catch {
      throw new JsonSyntaxProblem(start, "This string holds an escape that JSON does not know.");
    }
  };

  const readMembers = (pointer: string, depth: number): Map<string, SourceMember> => {
    const members = new Map<string, SourceMember>();
    skipWhitespace();
    if (text[at] === "}") {
      at += 1;
      return members;
    }
    open["}"] += 1;
    do attempt(() => readMember(members, pointer, depth));
    while (goesOn("}", "a member"));
    open["}"] -= 1;
    return members;
  };

  const readMember = (members: Map<string, SourceMember>, pointer: string, depth: number): void => {
    skipWhitespace();
    const keyStart = at;
    if (text[at] !== '"') throw new JsonSyntaxProblem(at, `Expected a key in double quotes, found ${describe(at)}.`);
    const name = readString();
    const keyEnd = at;
    skipWhitespace();
    expect(":", `after the key "${name}"`);
    const node = readValue(appendPointer(pointer, name), depth + 1);
    const first = members.get(name);
    if (first === undefined) members.set(name, { name, keyStart, keyEnd, node });
    else
      report("duplicate-key", source.range(keyStart, keyEnd, appendPointer(pointer, name)), {
        name,
        line: source.position(first.keyStart).line,
      });
  };

  const readItems = (pointer: string, depth: number): SourceNode[] => {
    const items: SourceNode[] = [];
    skipWhitespace();
    if (text[at] === "]") {
      at += 1;
      return items;
    }
    open["]"] += 1;
    do attempt(() => void items.push(readValue(appendPointer(pointer, items.length), depth + 1)));
    while (goesOn("]", "an element"));
    open["]"] -= 1;
    return items;
  };

  const readScalar = (start: number): SourceNode => {
    numberText.lastIndex = start;
    if (numberText.test(text)) {
      at = numberText.lastIndex;
      const digits = text.slice(start, at);
      isRecovering = false;
      const value = Number(digits);
      if (!Number.isFinite(value))
        report("number-too-large", source.range(start, at, ""), { number: shortened(digits) });
      return { kind: "scalar", value, text: digits, start, end: at };
    }
    for (const [word, value] of literals) {
      if (text.startsWith(word, start)) {
        at = start + word.length;
        isRecovering = false;
        return { kind: "scalar", value, text: word, start, end: at };
      }
    }
    throw new JsonSyntaxProblem(start, `Expected a value, found ${describe(start)}.`);
  };

  const readValue = (pointer: string, depth: number): SourceNode => {
    skipWhitespace();
    const start = at;
    if (depth > maximumDepth)
      throw new JsonSyntaxProblem(start, `Values are nested more than ${maximumDepth} levels deep.`, true);
    switch (text[at]) {
      case "{": {
        at += 1;
        const members = readMembers(pointer, depth);
        return { kind: "object", members, start, end: at };
      }
      case "[": {
        at += 1;
        const items = readItems(pointer, depth);
        return { kind: "array", items, start, end: at };
      }
      case '"': {
        const value = readString();
        return { kind: "scalar", value, text: value, start, end: at };
      }
      default:
        return readScalar(start);
    }
  };

  try {
    const root = readValue("", 0);
    skipWhitespace();
    if (problems > 0) return undefined;
    if (at < text.length)
      throw new JsonSyntaxProblem(at, `Expected the end of the document, found ${describe(at)}.`, true);
    return root;
  } catch (problem) {
    if (problem instanceof NothingMoreToRead) return undefined;
    if (!(problem instanceof JsonSyntaxProblem)) throw problem;
    report("json-syntax", source.range(problem.offset, Math.min(problem.offset + 1, text.length), ""), {
      problem: problem.message,
    });
    return undefined;
  }
}
