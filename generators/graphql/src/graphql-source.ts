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

  ofError(error: GraphQLError): SourceRange {
    const start = error.positions?.[0] ?? 0;
    const end = error.nodes?.[0]?.loc?.end ?? start + 1;
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
    if (!(reason instanceof GraphQLError)) throw reason;
    report("syntax", new GraphqlPlaces(text).ofError(reason), {
      problem: reason.message.replace(/^Syntax Error: /, ""),
    });
    return undefined;
  }
}
