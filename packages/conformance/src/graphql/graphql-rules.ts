import type { Level, Rule } from "../contract/rule.ts";

const specification = "GraphQL specification (October 2021)";

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
  | "scalarForm"
  | "errorPath"
  | "errorWithoutPath"
  | "failedFieldPath"
  | "errorLocations"
  | "propagation"
  | "dataStatus"
  | "dataStatusLikely"
  | "answered"
  | "resolved"
  | "resolvedLikely"
  | "nullData"
  | "serverError"
  | "exampleValue"
  | "exampleValueLikely"
  | "exampleFailure"
  | "exampleMessage"
  | "alias"
  | "fragment"
  | "directive"
  | "operationName"
  | "variable"
  | "merged"
  | "defaultValue"
  | "variableDefault"
  | "get"
  | "fieldOrder"
  | "nullArgument"
  | "coercion"
  | "parts"
  | "found"
  | "echo"
  | "alone"
  | "limit"
  | "limitPrefix"
  | "offset"
  | "filter"
  | "count"
  | "parent"
  | "position"
  | "drift"
  | "driftLikely"
  | "connection"
  | "cursor"
  | "pageInfo"
  | "node"
  | "invented"
  | "siblings"
  | "distinct"
  | "filterLikely"
  | "filterWhole"
  | "pageInfoLikely"
  | "severalOrderLikely"
  | "filterEffect"
  | "several"
  | "severalOrder"
  | "sorted"
  | "sortedLikely"
  | "cursorLikely"
  | "countLikely"
  | "distinctLikely"
  | "arguments"
  | "backLink"
  | "relation"
  | "invalidDocument"
  | "syntax"
  | "wrongVariable"
  | "wrongScalar"
  | "noData"
  | "noNullData"
  | "clientError"
  | "coercionStatus"
  | "legacyStatus"
  | "unknownOperation"
  | "syntaxLocations"
  | "key"
  | "keyAsked"
  | "keyStatus"
  | "challenge";

/** Rules of GraphQL and of its schema; ids stay, baselines hold them. Those of HTTP stand in `protocol-rules.ts`. */
export const graphqlRules: Readonly<Record<GraphqlRuleName, Rule>> = {
  // The schema.
  schemaType: rule("G001", "MUST", "The served schema has every type of the description, of its kind"),
  schemaField: rule("G002", "MUST", "The served schema has every field of the description, with its type"),
  schemaArgument: rule("G003", "MUST", "The served schema has every argument and input field, with type and default"),
  schemaValue: rule("G004", "MUST", "The served schema has every enum value, union member and interface"),
  schemaDirective: rule("G005", "MUST", "The served schema has every directive that documents can use"),
  schemaDeprecation: rule("G006", "SHOULD", "The served schema deprecates what the description deprecates"),
  schemaStricter: rule("G007", "SHOULD", "The served schema has types exactly as the description has them"),
  schemaMore: rule("G008", "MAY", "The served schema has nothing beyond the description"),
  schemaMoreValues: rule(
    "G009",
    "SHOULD",
    "The served schema has no enum values and union members beyond the description",
  ),
  introspection: rule(
    "G010",
    "MUST",
    "An introspection that is answered is answered whole",
    `${specification}, section 4`,
  ),

  // Answers.
  readable: rule("G101", "MUST", "An answer is JSON in UTF-8", "GraphQL over HTTP, section Response"),
  responseForm: rule(
    "G102",
    "MUST",
    "A response has data or errors, and nothing but data, errors and extensions",
    `${specification}, section 7.1`,
  ),
  errorForm: rule(
    "G103",
    "MUST",
    "An error has a message, and locations, path and extensions of their form",
    `${specification}, section 7.1.2`,
  ),
  errorMembers: rule(
    "G104",
    "SHOULD",
    "An error has no members beyond message, locations, path and extensions",
    `${specification}, section 7.1.2`,
  ),
  keys: rule("G105", "MUST", "An object has exactly the keys that were selected", `${specification}, section 6.3`),
  order: rule(
    "G106",
    "SHOULD",
    "The keys of an object stand in the order in which they were selected",
    `${specification}, section 7.2.2`,
  ),
  nonNull: rule("G107", "MUST", "What can't be null is not null", `${specification}, section 6.4.4`),
  list: rule("G108", "MUST", "A list is a list, and nothing else is one", `${specification}, section 6.4.3`),
  leaf: rule("G109", "MUST", "A value of a scalar or an enum is of its type", `${specification}, section 6.4.3`),
  object: rule("G110", "MUST", "A value of an object type is an object", `${specification}, section 6.4.3`),
  typename: rule("G111", "MUST", "__typename is the name of a possible type", `${specification}, section 4.1`),
  scalar: rule("G112", "MUST", "A value of a custom scalar is what the scalar is said to be"),
  scalarForm: rule(
    "G125",
    "MUST",
    "Values of one custom scalar are written in one way",
    `${specification}, section 3.5`,
  ),
  errorPath: rule("G113", "MUST", "An error's path leads to a null", `${specification}, section 7.1.2`),
  errorWithoutPath: rule("G114", "SHOULD", "An error of a field has a path", `${specification}, section 7.1.2`),
  failedFieldPath: rule(
    "G115",
    "MUST",
    "An error of a field has the path of that field",
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
    "An error takes nothing with it but what can't be without the failed field",
    `${specification}, section 6.4.4`,
  ),
  dataStatus: rule(
    "G118",
    "MUST",
    "A response with data has a status of success",
    "GraphQL over HTTP, section Status Codes",
  ),
  dataStatusLikely: rule(
    "G124",
    "SHOULD",
    "A response with data has the status 200",
    "GraphQL over HTTP, section Status Codes",
  ),
  answered: rule(
    "G119",
    "MUST",
    "A request that is valid by the schema is not refused",
    `${specification}, section 6.1`,
  ),
  resolved: rule("G120", "MUST", "A field is answered that nothing particular is asked of"),
  resolvedLikely: rule("G121", "SHOULD", "A field is answered"),
  nullData: rule("G122", "MUST", "Data is null only where an error says so", `${specification}, section 7.1.1`),
  serverError: rule("G123", "MUST", "The server does not fail"),

  // Examples.
  exampleValue: rule("G151", "MUST", "A documented example is answered as documented"),
  exampleValueLikely: rule("G154", "SHOULD", "A documented example is answered as documented"),
  exampleFailure: rule("G152", "MUST", "A documented failure fails as documented"),
  exampleMessage: rule("G153", "SHOULD", "A documented failure has the documented message"),

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
    "A variable has the effect of the literal that it stands for",
    `${specification}, section 2.10`,
  ),
  merged: rule("G206", "MUST", "Selections of one field are merged", `${specification}, section 6.3.2`),
  defaultValue: rule(
    "G207",
    "MUST",
    "A default that is sent has the effect of one that is left out",
    `${specification}, section 6.4.1`,
  ),
  variableDefault: rule(
    "G208",
    "MUST",
    "A variable that is left out has its default",
    `${specification}, section 6.1.2`,
  ),
  get: rule("G209", "MUST", "GET answers what POST answers", "GraphQL over HTTP, section GET"),
  fieldOrder: rule("G210", "MUST", "The order of a selection does not change values", `${specification}, section 6.3`),
  nullArgument: rule("G211", "SHOULD", "A nullable argument without default may be null"),
  coercion: rule("G212", "MUST", "A single value stands for a list of one", `${specification}, section 3.11`),
  parts: rule("G213", "MUST", "A field has the same value whatever else is selected", `${specification}, section 6.3`),

  // Between answers.
  found: rule("G301", "MUST", "An object that was answered is found by its own key"),
  echo: rule("G302", "MUST", "What an object is asked for by is what it has"),
  alone: rule("G303", "MUST", "An object has the same values wherever it is found"),
  limit: rule("G304", "MUST", "A list that is limited has no more elements than that"),
  limitPrefix: rule("G305", "SHOULD", "A list that is limited begins as the whole one"),
  offset: rule("G306", "MUST", "A list that skips its first element does not begin with it"),
  filter: rule("G307", "MUST", "What a filter selects has the value that it was filtered by"),
  count: rule("G308", "MUST", "A count is the length of the list that it counts"),
  parent: rule("G309", "MUST", "The parent's number is one less"),
  position: rule("G310", "MUST", "An element by its position is the list's element there"),
  drift: rule("G311", "MUST", "What is asked for by a hash or an id is the same when asked again"),
  driftLikely: rule("G312", "SHOULD", "What is asked for twice is the same"),
  connection: rule(
    "G313",
    "MUST",
    "A page of a connection has at most as many edges as were asked for",
    "Relay cursor connections",
  ),
  cursor: rule("G314", "MUST", "A page after a cursor does not hold what came before it", "Relay cursor connections"),
  pageInfo: rule("G315", "MUST", "pageInfo says what the page is", "Relay cursor connections"),
  node: rule("G316", "MUST", "node(id:) answers the object of that id", "Relay object identification"),
  invented: rule("G317", "SHOULD", "What does not exist is not found"),
  siblings: rule(
    "G318",
    "MUST",
    "A field that fails leaves its nullable siblings alone",
    `${specification}, section 6.4.4`,
  ),
  distinct: rule("G319", "MUST", "A list of objects with ids has each of them once"),
  filterLikely: rule("G324", "SHOULD", "What a filter selects has the value that it was filtered by"),
  filterWhole: rule("G327", "MUST", "What has the value that a filter asks for is selected"),
  filterEffect: rule("G328", "MUST", "A filter tells elements apart that differ in what it filters by"),
  several: rule("G329", "MUST", "Objects that are asked for by their keys are those that are answered"),
  severalOrder: rule(
    "G330",
    "MUST",
    "nodes(ids:) answers one object for each id, in their order",
    "Relay object identification",
  ),
  severalOrderLikely: rule("G333", "SHOULD", "Objects that are asked for by their keys stand in the order of these"),
  pageInfoLikely: rule("G334", "SHOULD", "pageInfo says where a page begins and ends", "Relay cursor connections"),
  sorted: rule("G331", "MUST", "A list that is asked for in an order is in that order"),
  sortedLikely: rule("G332", "SHOULD", "A list that is asked for in an order is in that order"),
  cursorLikely: rule("G325", "SHOULD", "A page after a cursor goes on where the cursor is"),
  countLikely: rule("G326", "SHOULD", "A count is the length of the list that it counts"),
  distinctLikely: rule("G323", "SHOULD", "A list of objects with ids within an object has each of them once"),
  arguments: rule("G320", "SHOULD", "Arguments make a difference"),
  backLink: rule("G321", "MUST", "An element's link back leads to the object that it was found in"),
  relation: rule("G322", "MUST", "A relation of the description holds"),

  // What is wrong is refused.
  invalidDocument: rule("G401", "MUST", "A document that is not valid is refused", `${specification}, section 5`),
  syntax: rule("G402", "MUST", "A text that is no document is refused", `${specification}, section 2`),
  wrongVariable: rule("G403", "MUST", "A variable of a wrong value is refused", `${specification}, section 6.1.2`),
  wrongScalar: rule("G404", "SHOULD", "A value that a custom scalar can't be is refused"),
  noData: rule("G405", "MUST", "A request that is refused has no data", `${specification}, section 7.1.1`),
  // Clauses of the specification speak in lower case, and mean what RFC 2119 says (section 1, "Conformance").
  noNullData: rule("G411", "SHOULD", "A request that is refused has no member data", `${specification}, section 7.1`),
  clientError: rule(
    "G406",
    "MUST",
    "A request that is refused has a status of failure",
    "GraphQL over HTTP, section application/graphql-response+json",
  ),
  coercionStatus: rule(
    "G410",
    "SHOULD",
    "A request whose variables are refused has a status of failure",
    "GraphQL over HTTP, section application/graphql-response+json",
  ),
  legacyStatus: rule(
    "G407",
    "MUST",
    "A request that is refused is answered with 2xx or 4xx",
    "GraphQL over HTTP, section application/json",
  ),
  unknownOperation: rule(
    "G408",
    "MUST",
    "An operationName that the document does not have is refused",
    `${specification}, section 6.1`,
  ),
  syntaxLocations: rule("G409", "SHOULD", "A mistake in a document is located", `${specification}, section 7.1.2`),

  // Keys.
  key: rule("G601", "MUST", "A request with a wrong key has no data where one without a key has none"),
  keyAsked: rule("G602", "SHOULD", "A request without the right key is refused, where a key was given for the run"),
  keyStatus: rule(
    "G603",
    "SHOULD",
    "A request without the right key is refused with 401 or 403",
    "RFC 9110, section 15.5.2",
  ),
  challenge: rule("G604", "MUST", "An answer with status 401 has WWW-Authenticate", "RFC 9110, section 15.5.2"),
};

/** Makes a rule; `source` is where it is written. */
export function rule(id: string, level: Level, title: string, source?: string): Rule {
  return source === undefined ? { id, level, title } : { id, level, title, source };
}
