import { ServiceError } from "../errors/service-error.ts";
import type { DocumentScan } from "./document-scan.ts";
import type { DocumentSize } from "./document-size.ts";
import type { GraphqlLimits } from "./graphql-options.ts";

/** Parts of a document that are compared with the limits of each request. */
export interface MeasuredDocument {
  readonly scan: DocumentScan;
  readonly size: DocumentSize;
}

/** Maximum nesting of selection sets, for each allowed level of fields. */
const nestingPerLevel = 5;
/** Maximum nesting of lists and objects, in addition to their selection sets. */
const nestingOfValues = 100;
/** Maximum depth of introspection. The usual introspection of tools is 15 deep. */
const introspectionDepth = 20;
/** Maximum number of definitions: validation compares fragments with fragments, and visits all fragments for each operation. */
const maximumDefinitions = 100;
/** Maximum number of lines: the location of each error is found by counting them. */
const maximumLines = 5_000;
/** Maximum number of escapes: each takes as much memory as 50 other characters. */
const maximumEscapes = 10_000;
/** Maximum length of a name: unknown names are compared with all known ones. */
const maximumNameLength = 500;
/** Maximum number of comparisons, which take validation about 5 ms. */
const maximumRepetitions = 20_000;

/**
 * Compares a source text with the limits before it is parsed. Throws `ServiceError`: `invalid_input`, with `limit`, `maximum` and `actual`
 * as details.
 */
export function assertScan(scan: DocumentScan, limits: GraphqlLimits): void {
  const { tokens, directives, longestToken, ignored, escapes, nesting } = scan;
  if (tokens > limits.tokens) throw tooLarge("tokens", limits.tokens, tokens);
  if (directives > limits.directives) throw tooLarge("directives", limits.directives, directives);
  if (longestToken > maximumNameLength) throw tooLarge("name", maximumNameLength, longestToken);
  if (ignored > maximumLines) throw tooLarge("lines", maximumLines, ignored);
  if (escapes > maximumEscapes) throw tooLarge("escapes", maximumEscapes, escapes);
  const maximum = Math.max(limits.depth, introspectionDepth) * nestingPerLevel + nestingOfValues;
  if (nesting > maximum) throw tooLarge("nesting", maximum, nesting);
}

/** Compares a parsed document with the limits before it is validated; `introspected` is the limit of that. Throws as `assertScan`. */
export function assertSize(size: DocumentSize, limits: GraphqlLimits, introspected: number): void {
  const { depth, aliases, fields } = limits;
  if (size.depth > depth) throw tooLarge("depth", depth, size.depth);
  if (size.nesting > depth * nestingPerLevel) throw tooLarge("nesting", depth * nestingPerLevel, size.nesting);
  if (size.aliases > aliases) throw tooLarge("aliases", aliases, size.aliases);
  if (size.fields > fields) throw tooLarge("fields", fields, size.fields);
  if (size.definitions > maximumDefinitions) throw tooLarge("definitions", maximumDefinitions, size.definitions);
  if (size.introspectionDepth > introspectionDepth) {
    throw tooLarge("introspectionDepth", introspectionDepth, size.introspectionDepth);
  }
  if (size.introspected > introspected) throw tooLarge("introspection", introspected, size.introspected);
}

/** Throws as `assertScan`. */
export function assertRepetitions(repetitions: number): void {
  if (repetitions > maximumRepetitions) throw tooLarge("repetitions", maximumRepetitions, repetitions);
}

/** Compares the length of a name in the variables with the limit of those in documents. Throws as `assertScan`. */
export function assertVariableName(length: number): void {
  if (length > maximumNameLength) throw tooLarge("variableName", maximumNameLength, length);
}

/** Creates the error for an exceeded limit, with the remedy. `maximum` and `actual` are in the unit of the limit. */
export function limitPassed(limit: string, maximum: number, actual: number, message: string): ServiceError {
  return new ServiceError("invalid_input", message, { details: { limit, maximum, actual } });
}

const counted = {
  tokens: ["The GraphQL document has $ tokens", "send literals as variables, or use several requests"],
  lines: ["The GraphQL document has $ comments and ends of lines", "send it without them"],
  escapes: ["The strings of the GraphQL document have $ backslashes", "send them as variables"],
  name: ["A name or number of the GraphQL document has $ characters", "send long values as variables"],
  variableName: ["A name in the variables has $ characters", "send only what the operation declares"],
  directives: ["The GraphQL document has $ directives", "use fewer"],
  nesting: ["Selections and values of the GraphQL document stand $ deep in each other", "nest less deeply"],
  depth: ["The fields of the GraphQL document are $ deep", "request deeper fields in another request"],
  aliases: [
    "The GraphQL document has $ aliased fields, fragments counted wherever they are spread",
    "use several requests",
  ],
  fields: ["The GraphQL document has $ fields, fragments counted wherever they are spread", "use several requests"],
  definitions: ["The GraphQL document has $ operations and fragments", "send only those that the operation uses"],
  introspectionDepth: ["The introspection is $ fields deep", "use less depth of ofType"],
  introspection: ["The introspection result would have about $ values", "request each part of the schema once"],
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
