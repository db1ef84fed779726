import type { Report, SourceRange, SourceText } from "@nodewright/source";
import { type ASTNode, type DocumentNode, GraphQLError, type Location, parse, Source } from "graphql";
import type { graphqlDiagnostics } from "./graphql-diagnostics.ts";

/** Converts locations of graphql-js nodes and errors to source ranges. */
export class GraphqlPlaces {
  readonly #text: SourceText;

  constructor(text: SourceText) {
    this.#text = text;
  }

  /** Returns the range of a location. `path` names the place in messages: `Query.block(number:)`. */
  range(location: Location | undefined, path: string): SourceRange {
    return this.#text.range(location?.start ?? 0, location?.end ?? 0, path);
  }

  /** Returns the range of a schema element in its document. */
  ofElement({ astNode }: { readonly astNode?: ASTNode | null | undefined }, path: string): SourceRange {
    return this.range(astNode?.loc, path);
  }

  /** Returns the range of an error. Of several conflicting places it is the last: the earlier ones were valid until then. */
  ofError(error: GraphQLError): SourceRange {
    const start = error.positions?.at(-1) ?? 0;
    const end = error.nodes?.at(-1)?.loc?.end ?? start + 1;
    return this.#text.range(start, end, "");
  }
}

/** Maximum number of tokens of a document: enough for the largest schemas, and a limit on the time. */
const maximumTokens = 5_000_000;

/**
 * Parses a document. Reports a syntax error and returns undefined. The definitions that start after the error are parsed one by one, so
 * that their errors are reported too.
 */
export function parseGraphql(text: SourceText, report: Report<typeof graphqlDiagnostics>): DocumentNode | undefined {
  const parsed = parsePart(text, 0, text.text.length);
  if (parsed === "too-deep") {
    reportDepth(text, report);
    return undefined;
  }
  if (!("problem" in parsed)) return parsed;
  reportSyntax(text, parsed, report);
  const starts = definitionStarts(text.text).filter((start) => start > parsed.offset);
  let reported = 1;
  for (const [index, start] of starts.entries()) {
    const part = parsePart(text, start, starts[index + 1] ?? text.text.length);
    if (part === "too-deep" || !("problem" in part)) continue;
    reportSyntax(text, part, report);
    reported += 1;
    if (reported === maximumProblems) break;
  }
  return undefined;
}

interface SyntaxProblem {
  readonly offset: number;
  readonly problem: string;
}

/** Maximum number of reported errors. A document with more is probably not GraphQL. */
const maximumProblems = 1000;

function parsePart(text: SourceText, start: number, end: number): DocumentNode | SyntaxProblem | "too-deep" {
  try {
    return parse(new Source(text.text.slice(start, end), text.file), { maxTokens: maximumTokens });
  } catch (reason) {
    if (reason instanceof RangeError) return "too-deep";
    if (!(reason instanceof GraphQLError)) throw reason;
    return {
      offset: start + (reason.positions?.at(-1) ?? 0),
      problem: reason.message.replace("Syntax Error: ", ""),
    };
  }
}

function reportSyntax(
  text: SourceText,
  { offset, problem }: SyntaxProblem,
  report: Report<typeof graphqlDiagnostics>,
): void {
  report("syntax", text.range(offset, offset + 1, ""), { problem });
}

/** Matches strings and comments, whose words have no meaning, and keywords that start a definition at the beginning of a line. */
const definitionOrSkipped =
  /"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|^(?:extend[ \t]+)?(?:(?:type|interface|union|enum|input|scalar)[ \t]+\w|directive[ \t]*@|schema[ \t]*[{@])/gm;

/** Returns the offsets at which definitions start, including their descriptions. */
function definitionStarts(text: string): readonly number[] {
  const starts: number[] = [];
  let description: { readonly start: number; readonly end: number } | undefined;
  for (const { 0: found, index } of text.matchAll(definitionOrSkipped)) {
    if (found.startsWith("#")) continue;
    if (found.startsWith('"')) {
      description = { start: index, end: index + found.length };
      continue;
    }
    starts.push(description && text.slice(description.end, index).trim() === "" ? description.start : index);
    description = undefined;
  }
  return starts;
}

/** Maximum nesting of brackets. The parser recurses at each and would run out of stack at some thousands. */
const maximumDepth = 500;

/** Matches strings and comments, whose brackets have no meaning, opening brackets (group 1) and closing brackets (group 2). */
const bracketOrSkipped = /"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|([[({])|([\])}])/g;

function reportDepth(text: SourceText, report: Report<typeof graphqlDiagnostics>): void {
  let depth = 0;
  let place = 0;
  for (const { 1: opening, 2: closing, index } of text.text.matchAll(bracketOrSkipped)) {
    if (opening !== undefined) depth += 1;
    if (closing !== undefined) depth -= 1;
    if (depth > maximumDepth) {
      place = index;
      break;
    }
  }
  report("too-deep", text.range(place, place + 1, ""), { depth: maximumDepth });
}
