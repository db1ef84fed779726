import { ServiceError } from "../service-error.ts";
import type { DocumentScan } from "./document-scan.ts";
import type { DocumentSize } from "./document-size.ts";
import type { GraphqlLimits } from "./graphql-options.ts";

/** What of a document is held against the limits of each request. */
export interface MeasuredDocument {
  readonly scan: DocumentScan;
  readonly size: DocumentSize;
}

/** Selection sets inside each other, for each level of fields that is allowed. */
const nestingPerLevel = 5;
/** Lists and objects inside each other, beside the selection sets that they stand in. */
const nestingOfValues = 100;
/** The usual introspection of tools is 15 deep. */
const introspectionDepth = 20;
/** Validation compares fragments with fragments, and looks through all fragments for each operation. */
const mostDefinitions = 100;
/** The place of each mistake is found by counting lines. */
const mostLines = 5_000;
/** Each takes as much memory as 50 other characters. */
const mostEscapes = 10_000;
/** Names that are not known are compared with all that are. */
const longestName = 500;
/** As many comparisons take validation about 5 ms. */
const mostRepetitions = 20_000;

/**
 * Holds a text against the limits before it is read. Throws `ServiceError`: `invalid_input`, with `limit`, `maximum` and `actual` as
 * details.
 */
export function assertScan(scan: DocumentScan, limits: GraphqlLimits): void {
  const { tokens, directives, longestWord, ignored, escapes, nesting } = scan;
  if (tokens > limits.tokens) throw tooLarge("tokens", limits.tokens, tokens);
  if (directives > limits.directives) throw tooLarge("directives", limits.directives, directives);
  if (longestWord > longestName) throw tooLarge("name", longestName, longestWord);
  if (ignored > mostLines) throw tooLarge("lines", mostLines, ignored);
  if (escapes > mostEscapes) throw tooLarge("escapes", mostEscapes, escapes);
  const maximum = Math.max(limits.depth, introspectionDepth) * nestingPerLevel + nestingOfValues;
  if (nesting > maximum) throw tooLarge("nesting", maximum, nesting);
}

/** Holds a document that was read against the limits before it is validated; `introspected` is the limit of that. Throws as `assertScan`. */
export function assertSize(size: DocumentSize, limits: GraphqlLimits, introspected: number): void {
  const { depth, aliases, fields } = limits;
  if (size.depth > depth) throw tooLarge("depth", depth, size.depth);
  if (size.nesting > depth * nestingPerLevel) throw tooLarge("nesting", depth * nestingPerLevel, size.nesting);
  if (size.aliases > aliases) throw tooLarge("aliases", aliases, size.aliases);
  if (size.fields > fields) throw tooLarge("fields", fields, size.fields);
  if (size.definitions > mostDefinitions) throw tooLarge("definitions", mostDefinitions, size.definitions);
  if (size.introspectionDepth > introspectionDepth) {
    throw tooLarge("introspectionDepth", introspectionDepth, size.introspectionDepth);
  }
  if (size.introspected > introspected) throw tooLarge("introspection", introspected, size.introspected);
}

/** Throws as `assertScan`. */
export function assertRepetitions(repetitions: number): void {
  if (repetitions > mostRepetitions) throw tooLarge("repetitions", mostRepetitions, repetitions);
}

/** Holds the length of a name in the variables against the limit of those in documents. Throws as `assertScan`. */
export function assertVariableName(length: number): void {
  if (length > longestName) throw tooLarge("variableName", longestName, length);
}

/** The refusal of what is beyond a limit, with what to do about it. `maximum` and `actual` are in the unit of the limit. */
export function limitPassed(limit: string, maximum: number, actual: number, message: string): ServiceError {
  return new ServiceError("invalid_input", message, { details: { limit, maximum, actual } });
}

const counted = {
  tokens: ["The GraphQL document has $ tokens", "send literals as variables, or ask in several requests"],
  lines: ["The GraphQL document has $ comments and ends of lines", "send it without them"],
  escapes: ["The strings of the GraphQL document have $ backslashes", "send them as variables"],
  name: ["A name or number of the GraphQL document has $ characters", "send long values as variables"],
  variableName: ["A name in the variables has $ characters", "send only what the operation declares"],
  directives: ["The GraphQL document has $ directives", "use fewer"],
  nesting: ["Selections and values of the GraphQL document stand $ deep in each other", "nest less deeply"],
  depth: ["The fields of the GraphQL document are $ deep", "ask for what lies deeper in another request"],
  aliases: [
    "The GraphQL document has $ aliased fields, fragments counted wherever they are spread",
    "ask in several requests",
  ],
  fields: ["The GraphQL document has $ fields, fragments counted wherever they are spread", "ask in several requests"],
  definitions: ["The GraphQL document has $ operations and fragments", "send only those that are asked for"],
  introspectionDepth: ["The introspection is $ fields deep", "ask for less depth of ofType"],
  introspection: ["The introspection would answer about $ values", "ask for each part of the schema once"],
  repetitions: [
    "The GraphQL document repeats fields so that $ pairs of them have to be compared",
    "name each field once where it stands, or use aliases",
  ],
} as const;

function tooLarge(limit: keyof typeof counted, maximum: number, actual: number): ServiceError {
  const [fact, advice] = counted[limit];
  const message = `${fact.replace("$", String(actual))}, more than the limit of ${maximum}; ${advice}`;
  return limitPassed(limit, maximum, actual, message);
}
