import type { Report, SourceRange, SourceText } from "@nodewright/source";
import { type DocumentNode, GraphQLError, type Location, parse, Source } from "graphql";
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

  /** Of several places that contradict one another the last is the mistake: what came first was in order until then. */
  ofError(error: GraphQLError): SourceRange {
    const start = error.positions?.at(-1) ?? 0;
    const end = error.nodes?.at(-1)?.loc?.end ?? start + 1;
    return this.#text.range(start, end, "");
  }
}

/** Tokens that a document may have: enough for the largest schemas, few enough to end. */
const maximumTokens = 5_000_000;

/** Parses a document; a syntax error is reported and gives undefined. */
export function parseGraphql(text: SourceText, report: Report<typeof graphqlDiagnostics>): DocumentNode | undefined {
  try {
    return parse(new Source(text.text, text.file), { maxTokens: maximumTokens });
  } catch (reason) {
    if (reason instanceof RangeError) {
      reportDepth(text, report);
      return undefined;
    }
    if (!(reason instanceof GraphQLError)) throw reason;
    report("syntax", new GraphqlPlaces(text).ofError(reason), {
      problem: reason.message.replace(/^Syntax Error: /, ""),
    });
    return undefined;
  }
}

/** Brackets that may stand in one another; the parser goes down with each of them and runs out of stack some thousands later. */
const maximumDepth = 500;

/** Strings and comments, in which brackets mean nothing, and brackets. */
const bracketOrSkipped = /"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*|[[({\])}]/g;

function reportDepth(text: SourceText, report: Report<typeof graphqlDiagnostics>): void {
  let depth = 0;
  for (const { 0: found, index } of text.text.matchAll(bracketOrSkipped)) {
    if (found.length > 1 || found === "#") continue;
    depth += "[({".includes(found) ? 1 : -1;
    if (depth > maximumDepth) {
      report("too-deep", text.range(index, index + 1, ""), { depth: maximumDepth });
      return;
    }
  }
  report("too-deep", text.range(0, 0, ""), { depth: maximumDepth });
}
