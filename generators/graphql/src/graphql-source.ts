import type { Report, SourceRange, SourceText } from "@nodewright/source";
import { type ASTNode, type DocumentNode, GraphQLError, type Location, parse, Source } from "graphql";
import type { graphqlDiagnostics } from "./graphql-diagnostics.ts";

/** Places of GraphQL's own nodes and errors in our terms. */
export class GraphqlPlaces {
  readonly #text: SourceText;

  constructor(text: SourceText) {
    this.#text = text;
  }

  /** `path` names the place for people: `Query.block(number:)`. */
  range(location: Location | undefined, path: string): SourceRange {
    return this.#text.range(location?.start ?? 0, location?.end ?? 0, path);
  }

  /** The place of an element of a schema in its document. */
  ofElement({ astNode }: { readonly astNode?: ASTNode | null | undefined }, path: string): SourceRange {
    return this.range(astNode?.loc, path);
  }

  /** Of several places that contradict one another the last is the mistake: what came first was in order until then. */
  ofError(error: GraphQLError): SourceRange {
    const start = error.positions?.at(-1) ?? 0;
    const end = error.nodes?.at(-1)?.loc?.end ?? start + 1;
    return this.#text.range(start, end, "");
  }
}

/** Tokens that a document may have: enough for the largest schemas, few enough to end. */
const maximumTokens = 5_000_000;

/**
 * Parses a document. A syntax error is reported and gives undefined; the definitions that begin behind it are parsed one by one,
 * so that their errors are told too.
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
  let told = 1;
  for (const [index, start] of starts.entries()) {
    const part = parsePart(text, start, starts[index + 1] ?? text.text.length);
    if (part === "too-deep" || !("problem" in part)) continue;
    reportSyntax(text, part, report);
    told += 1;
    if (told === maximumProblems) break;
  }
  return undefined;
}

interface SyntaxProblem {
  readonly offset: number;
  readonly problem: string;
}

/** A text with more mistakes is hardly meant to be GraphQL. */
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

/** Strings and comments, in which words mean nothing, and what begins a definition at the start of a line. */
const definitionOrSkipped =
  /"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|^(?:extend[ \t]+)?(?:(?:type|interface|union|enum|input|scalar)[ \t]+\w|directive[ \t]*@|schema[ \t]*[{@])/gm;

/** Where definitions begin, their descriptions included. */
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

/** Brackets that may stand in one another; the parser goes down with each of them and runs out of stack some thousands later. */
const maximumDepth = 500;

/** Strings and comments, in which brackets mean nothing, and brackets: those that open, and those that close. */
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
