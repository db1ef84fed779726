import { type Rule, rule } from "../../contract/rule.ts";

const specification = "GraphQL specification (October 2021)";
const overHttp = "GraphQL over HTTP";
const described = "the schema";
/** What a name promises without a word of the schema. */
const named = "names in the schema";

/** What the rules are called in the code; reports know them by their ids. */
export type GraphqlRuleName =
  | "schemaType"
  | "schemaField"
  | "schemaArgument"
  | "schemaValue"
  | "schemaDirective"
  | "schemaDeprecation"
  | "schemaStricter"
  | "schemaMore"
  | "schemaMoreValues"
  | "introspection"
  | "readable"
  | "responseForm"
  | "errorForm"
  | "errorMembers"
  | "keys"
  | "order"
  | "nonNull"
  | "list"
  | "leaf"
  | "object"
  | "typename"
  | "scalar"
  | "errorPath"
  | "errorWithoutPath"
  | "failedFieldPath"
  | "errorLocations"
  | "propagation"
  | "dataStatus"
  | "resolvedLikely"
  | "nullData"
  | "serverError"
  | "dataStatusLikely"
  | "scalarForm"
  | "alias"
  | "fragment"
  | "directive"
  | "operationName"
  | "variable"
  | "merged"
  | "variableDefault"
  | "get"
  | "fieldOrder"
  | "nullArgument"
  | "coercion"
  | "echo"
  | "alone"
  | "limitPrefix"
  | "parent"
  | "position"
  | "connection"
  | "cursor"
  | "pageInfo"
  | "siblings"
  | "arguments"
  | "several"
  | "severalOrder"
  | "severalOrderLikely"
  | "pageInfoLikely"
  | "argumentEffect"
  | "invalidDocument"
  | "syntax"
  | "emptySelection"
  | "noData"
  | "clientError"
  | "legacyStatus"
  | "unknownOperation"
  | "syntaxLocations"
  | "coercionStatus"
  | "noNullData";

/** Rules of GraphQL and of its schema; ids stay, baselines hold them. Those of HTTP stand in `protocol-rules.ts`. */
export const graphqlRules: Readonly<Record<GraphqlRuleName, Rule>> = {
  // The schema.
  schemaType: rule("G001", "MUST", "The served schema has every type of the description, of its kind", described),
  schemaField: rule("G002", "MUST", "The served schema has every field of the description, with its type", described),
  schemaArgument: rule(
    "G003",
    "MUST",
    "The served schema has every argument and input field of the description, with type and default",
    described,
  ),
  schemaValue: rule(
    "G004",
    "MUST",
    "The served schema has every enum value, union member and interface of the description",
    described,
  ),
  schemaDirective: rule(
    "G005",
    "MUST",
    "The served schema has every directive of the description that operations can use",
    described,
  ),
  schemaDeprecation: rule("G006", "SHOULD", "The served schema deprecates what the description deprecates", described),
  schemaStricter: rule(
    "G007",
    "SHOULD",
    "The served schema has types exactly as the description has them, also where others are compatible",
    described,
  ),
  schemaMore: rule("G008", "MAY", "The served schema has nothing beyond the description", described),
  schemaMoreValues: rule(
    "G009",
    "SHOULD",
    "The served schema has no enum values and union members beyond the description",
    described,
  ),
  introspection: rule(
    "G010",
    "MUST",
    "Where introspection is answered, the answer has the whole schema",
    `${specification}, section 4`,
  ),

  // Answers, and examples.
  readable: rule("G101", "MUST", "An answer is JSON in UTF-8", `${overHttp}, section Response`),
  responseForm: rule(
    "G102",
    "MUST",
    "A response has data or errors, and nothing but data, errors and extensions",
    `${specification}, section 7.1`,
  ),
  errorForm: rule(
    "G103",
    "MUST",
    "An error has a message, and its locations, path and extensions are as specified",
    `${specification}, section 7.1.2`,
  ),
  errorMembers: rule(
    "G104",
    "SHOULD",
    "An error has no members beyond message, locations, path and extensions",
    `${specification}, section 7.1.2`,
  ),
  keys: rule("G105", "MUST", "An object has exactly the fields that were selected", `${specification}, section 6.3`),
  order: rule(
    "G106",
    "SHOULD",
    "The fields of an object stand in the order in which they were selected",
    `${specification}, section 7.2.2`,
  ),
  nonNull: rule("G107", "MUST", "A field whose type excludes null is not null", `${specification}, section 6.4.4`),
  list: rule(
    "G108",
    "MUST",
    "A field of a list type has a list, and no other field has one",
    `${specification}, section 6.4.3`,
  ),
  leaf: rule("G109", "MUST", "A value of a scalar or an enum is of its type", `${specification}, section 6.4.3`),
  object: rule("G110", "MUST", "A value of an object type is an object", `${specification}, section 6.4.3`),
  typename: rule(
    "G111",
    "MUST",
    "__typename is the name of a type that the field can have",
    `${specification}, section 4.1`,
  ),
  scalar: rule("G112", "MUST", "A value of a custom scalar is as the scalar's description says", described),
  errorPath: rule("G113", "MUST", "The path of an error leads to a null", `${specification}, section 7.1.2`),
  errorWithoutPath: rule("G114", "SHOULD", "An error in a field has a path", `${specification}, section 7.1.2`),
  failedFieldPath: rule(
    "G115",
    "MUST",
    "The path of an error in a field is the path of that field",
    `${specification}, section 7.1.2`,
  ),
  errorLocations: rule(
    "G116",
    "SHOULD",
    "An error that belongs to a point of the document has locations",
    `${specification}, section 7.1.2`,
  ),
  propagation: rule(
    "G117",
    "MUST",
    "A field that fails is null, or the nearest field around it that may be null is, and no more than that",
    `${specification}, section 6.4.4`,
  ),
  dataStatus: rule("G118", "MUST", "A response with data has a status of success", `${overHttp}, section Status Codes`),
  resolvedLikely: rule(
    "G121",
    "SHOULD",
    "A field is answered without an error, though what it is asked for may not be there",
    described,
  ),
  nullData: rule("G122", "MUST", "data is null only where an error says why", `${specification}, section 7.1.1`),
  serverError: rule("G123", "MUST", "The server does not fail (status 5xx)", "RFC 9110, section 15.6"),
  dataStatusLikely: rule(
    "G124",
    "SHOULD",
    "A response with data has the status 200",
    `${overHttp}, section Status Codes`,
  ),
  scalarForm: rule(
    "G125",
    "MUST",
    "Values of one custom scalar are written in one way",
    `${specification}, section 3.5`,
  ),

  // The same, asked in another way.
  alias: rule(
    "G201",
    "MUST",
    "A field under an alias has the value that it has without one",
    `${specification}, section 2.7`,
  ),
  fragment: rule(
    "G202",
    "MUST",
    "Fields of a fragment are those of the selection that spreads it",
    `${specification}, section 2.8`,
  ),
  directive: rule(
    "G203",
    "MUST",
    "@include and @skip decide whether a field is answered",
    `${specification}, section 3.13`,
  ),
  operationName: rule(
    "G204",
    "MUST",
    "operationName chooses among the operations of a document",
    `${specification}, section 6.1`,
  ),
  variable: rule(
    "G205",
    "MUST",
    "A variable has the effect of the literal in its place",
    `${specification}, section 2.10`,
  ),
  merged: rule(
    "G206",
    "MUST",
    "A field that is selected twice is answered once, with both selections",
    `${specification}, section 6.3.2`,
  ),
  variableDefault: rule(
    "G208",
    "MUST",
    "A variable that is left out has its default",
    `${specification}, section 6.1.2`,
  ),
  get: rule("G209", "MUST", "GET is answered as POST is", `${overHttp}, section GET`),
  fieldOrder: rule(
    "G210",
    "MUST",
    "The order of a selection does not change its values",
    `${specification}, section 6.3`,
  ),
  nullArgument: rule("G211", "SHOULD", "An argument that may be null, and has no default, takes null", described),
  coercion: rule("G212", "MUST", "A single value stands for a list of one", `${specification}, section 3.11`),

  // Between answers.
  echo: rule("G302", "heuristic", "An object has the values that it was asked for by", named),
  alone: rule("G303", "heuristic", "An object has the same values wherever it is found", named),
  limitPrefix: rule("G305", "heuristic", "A limited list begins as the whole one does", named, "weak"),
  parent: rule("G309", "heuristic", "A parent's number or height is one less than its child's", named),
  position: rule(
    "G310",
    "heuristic",
    "An element that is asked for by its position is the one there in the list",
    named,
  ),
  connection: rule(
    "G313",
    "MUST",
    "A page of a connection has at most as many edges as were asked for",
    "Relay cursor connections",
  ),
  cursor: rule("G314", "MUST", "A page after a cursor does not hold what came before it", "Relay cursor connections"),
  pageInfo: rule(
    "G315",
    "MUST",
    "pageInfo says truly where a page begins and ends, and whether there are others",
    "Relay cursor connections",
  ),
  siblings: rule(
    "G318",
    "MUST",
    "A field that fails leaves its nullable siblings alone",
    `${specification}, section 6.4.4`,
  ),
  arguments: rule("G320", "heuristic", "A list changes with a text that it is asked for by", named, "weak"),
  several: rule("G329", "heuristic", "Objects that are asked for by several keys are the ones of these keys", named),
  severalOrder: rule(
    "G330",
    "MUST",
    "nodes(ids:) answers one object for each id, in their order",
    "Relay object identification",
  ),
  severalOrderLikely: rule(
    "G333",
    "heuristic",
    "Objects that are asked for by several keys stand in the order of the keys",
    named,
    "weak",
  ),
  pageInfoLikely: rule(
    "G334",
    "SHOULD",
    "pageInfo has the cursors of a page that has elements",
    "Relay cursor connections",
  ),
  argumentEffect: rule(
    "G336",
    "heuristic",
    "What names the value that it was asked for by is not the same for every value and for none",
    named,
  ),

  // What is wrong is refused.
  invalidDocument: rule("G401", "MUST", "A document that is not valid is refused", `${specification}, section 5`),
  syntax: rule("G402", "MUST", "A text that is not GraphQL is refused", `${specification}, section 2`),
  emptySelection: rule("G412", "SHOULD", "A selection of nothing is refused", `${specification}, section 2.4`),
  noData: rule(
    "G405",
    "MUST",
    "A response to a request that is refused has no data",
    `${specification}, section 7.1.1`,
  ),
  clientError: rule(
    "G406",
    "MUST",
    "A request that is refused has status 4xx or 5xx under application/graphql-response+json",
    `${overHttp}, section application/graphql-response+json`,
  ),
  legacyStatus: rule(
    "G407",
    "MUST",
    "A request that is refused has status 2xx or 4xx under application/json",
    `${overHttp}, section application/json`,
  ),
  unknownOperation: rule(
    "G408",
    "MUST",
    "An operationName that the document does not have is refused",
    `${specification}, section 6.1`,
  ),
  syntaxLocations: rule(
    "G409",
    "SHOULD",
    "The error of a mistake in a document has locations",
    `${specification}, section 7.1.2`,
  ),
  coercionStatus: rule(
    "G410",
    "SHOULD",
    "A request whose variables are refused has status 4xx or 5xx under application/graphql-response+json",
    `${overHttp}, section application/graphql-response+json`,
  ),
  // Clauses of the specification speak in lower case, and mean what RFC 2119 says (section 1, "Conformance").
  noNullData: rule(
    "G411",
    "SHOULD",
    "A response to a request that is refused does not even have the member data",
    `${specification}, section 7.1`,
  ),
};
