import type { Report } from "./diagnostic.ts";
import { shortened } from "./shortened.ts";
import type { sourceDiagnostics } from "./source-diagnostics.ts";
import { maximumDepth, type SourceMember, type SourceNode } from "./source-node.ts";
import type { SourceText } from "./source-text.ts";
import { appendPointer } from "./json-pointer.ts";

/** Where and why scanning stopped; internal to the scanner. */
class JsonSyntaxProblem extends Error {
  readonly offset: number;

  constructor(offset: number, problem: string) {
    super(problem);
    this.offset = offset;
  }
}

const whitespace = /[\u0020\t\n\r]*/y;
const numberText = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** Everything from the space on, but for the quote and the backslash. */
const plainStringText = /[ !#-[\]-\uffff]*/y;
const literals = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

/**
 * Reads JSON (RFC 8259) keeping positions. Reports the first syntax error and gives undefined then;
 * duplicate keys are all reported.
 */
export function readJson(source: SourceText, report: Report<typeof sourceDiagnostics>): SourceNode | undefined {
  const { text } = source;
  let at = text.startsWith("\uFEFF") ? 1 : 0;

  const skipWhitespace = (): void => {
    whitespace.lastIndex = at;
    whitespace.test(text);
    at = whitespace.lastIndex;
  };

  const describe = (offset: number): string => {
    if (offset >= text.length) return "the end of the document";
    return JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0));
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
      return text.slice(start + 1, at - 1);
    }
    for (;;) {
      const character = text[at];
      if (character === undefined) throw new JsonSyntaxProblem(start, "This string has no closing quote.");
      if (character < " ")
        throw new JsonSyntaxProblem(
          at,
          "A string may not hold a line break or control character; write it as an escape.",
        );
      if (character === '"') break;
      at += character === "\\" ? 2 : 1;
    }
    at += 1;
    try {
      return JSON.parse(text.slice(start, at)) as string;
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
    for (;;) {
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
      skipWhitespace();
      if (text[at] === "}") break;
      expect(",", 'or "}" after a member');
    }
    at += 1;
    return members;
  };

  const readItems = (pointer: string, depth: number): SourceNode[] => {
    const items: SourceNode[] = [];
    skipWhitespace();
    if (text[at] === "]") {
      at += 1;
      return items;
    }
    for (;;) {
      items.push(readValue(appendPointer(pointer, items.length), depth + 1));
      skipWhitespace();
      if (text[at] === "]") break;
      expect(",", 'or "]" after an element');
    }
    at += 1;
    return items;
  };

  const readScalar = (start: number): SourceNode => {
    numberText.lastIndex = start;
    if (numberText.test(text)) {
      at = numberText.lastIndex;
      const digits = text.slice(start, at);
      const value = Number(digits);
      if (!Number.isFinite(value))
        report("number-too-large", source.range(start, at, ""), { number: shortened(digits) });
      return { kind: "scalar", value, text: digits, start, end: at };
    }
    for (const [word, value] of literals) {
      if (text.startsWith(word, start)) {
        at = start + word.length;
        return { kind: "scalar", value, text: word, start, end: at };
      }
    }
    throw new JsonSyntaxProblem(start, `Expected a value, found ${describe(start)}.`);
  };

  const readValue = (pointer: string, depth: number): SourceNode => {
    skipWhitespace();
    const start = at;
    if (depth > maximumDepth)
      throw new JsonSyntaxProblem(start, `Values are nested more than ${maximumDepth} levels deep.`);
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
    if (at < text.length) throw new JsonSyntaxProblem(at, `Expected the end of the document, found ${describe(at)}.`);
    return root;
  } catch (problem) {
    if (!(problem instanceof JsonSyntaxProblem)) throw problem;
    report("json-syntax", source.range(problem.offset, Math.min(problem.offset + 1, text.length), ""), {
      problem: problem.message,
    });
    return undefined;
  }
}
