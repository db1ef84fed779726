import { type Rule, rulesOf } from "../../../contract/rule.ts";

/** Names of sources, by their abbreviation in the table. */
const sources = { spec: "GraphQL specification (October 2021), section", http: "GraphQL over HTTP, section" };

const table = {
  // The schema.
  schemaType: "G001 | MUST | The served schema has every type of the description, of its kind | the schema",
  schemaField: "G002 | MUST | The served schema has every field of the description, with its type | the schema",
  schemaArgument:
    "G003 | MUST | The served schema has every argument and input field of the description, with type and default | the schema",
  schemaValue:
    "G004 | MUST | The served schema has every enum value, union member and interface of the description | the schema",
  schemaDirective:
    "G005 | MUST | The served schema has every directive of the description that operations can use | the schema",
  schemaDeprecation: "G006 | SHOULD | The served schema deprecates what the description deprecates | the schema",
  schemaStricter:
    "G007 | SHOULD | The served schema has types exactly as the description has them, also where others are compatible | the schema",
  schemaMore: "G008 | MAY | The served schema has nothing beyond the description | the schema",
  schemaMoreValues:
    "G009 | SHOULD | The served schema has no enum values and union members beyond the description | the schema",
  introspection: "G010 | MUST | Where introspection succeeds, the response has the complete schema | spec 4",

  // Responses and examples.
  readable: "G101 | MUST | A response is JSON in UTF-8 | http Response",
  responseForm:
    "G102 | MUST | A response has data or errors, and no members other than data, errors and extensions | spec 7.1",
  errorForm:
    "G103 | MUST | An error has a message, and its locations, path and extensions are as specified | spec 7.1.2",
  errorMembers: "G104 | SHOULD | An error has no members beyond message, locations, path and extensions | spec 7.1.2",
  keys: "G105 | MUST | An object has exactly the fields that were selected | spec 6.3",
  order: "G106 | SHOULD | The fields of an object are in the order in which they were selected | spec 7.2.2",
  nonNull: "G107 | MUST | A field whose type excludes null is not null | spec 6.4.4",
  list: "G108 | MUST | A field of a list type has a list, and no other field has one | spec 6.4.3",
  leaf: "G109 | MUST | A value of a scalar or an enum is of its type | spec 6.4.3",
  object: "G110 | MUST | A value of an object type is an object | spec 6.4.3",
  typename: "G111 | MUST | __typename is the name of a type that the field can have | spec 4.1",
  scalar: "G112 | MUST | A value of a custom scalar conforms to the scalar's description | the schema",
  errorPath: "G113 | MUST | The path of an error leads to a null | spec 7.1.2",
  errorWithoutPath: "G114 | SHOULD | An error in a field has a path | spec 7.1.2",
  failedFieldPath: "G115 | MUST | The path of an error in a field is the path of that field | spec 7.1.2",
  errorLocations: "G116 | SHOULD | An error that belongs to a point of the document has locations | spec 7.1.2",
  propagation:
    "G117 | MUST | A field that fails is null, or the nearest field around it that may be null is, and no more than that | spec 6.4.4",
  dataStatus: "G118 | MUST | A response with data has a status of success | http Status Codes",
  resolvedHeuristic: "G121 | SHOULD | A field has no error, although the requested object may not exist | the schema",
  nullData: "G122 | MUST | data is null only where an error gives the reason | spec 7.1.1",
  serverError: "G123 | MUST | The server does not fail (status 5xx) | RFC 9110, section 15.6",
  dataStatusHeuristic: "G124 | SHOULD | A response with data has the status 200 | http Status Codes",

  // The same data, requested in other ways.
  alias: "G201 | MUST | A field under an alias has the value that it has without one | spec 2.7",
  fragment: "G202 | MUST | Fields of a fragment are those of the selection that spreads it | spec 2.8",
  directive: "G203 | MUST | @include and @skip decide whether a field is in the response | spec 3.13",
  operationName: "G204 | MUST | operationName chooses among the operations of a document | spec 6.1",
  variable: "G205 | MUST | A variable has the effect of the literal in its place | spec 2.10",
  merged: "G206 | MUST | A field that is selected twice is in the response once, with both selections | spec 6.3.2",
  variableDefault: "G208 | MUST | An omitted variable has its default | spec 6.1.2",
  get: "G209 | MUST | GET has the same response as POST | http GET",
  fieldOrder: "G210 | MUST | The order of a selection does not change its values | spec 6.3",
  nullArgument: "G211 | SHOULD | An argument that may be null, and has no default, takes null | the schema",
  coercion: "G212 | MUST | A single value is coerced to a list of one | spec 3.11",

  // Comparisons between responses.
  alone: "G303 | heuristic | An object has the same values wherever it is found | names in the schema",
  connection: "G313 | MUST | A page of a connection has at most as many edges as requested | Relay cursor connections",
  cursor: "G314 | MUST | A page after a cursor does not hold what came before it | Relay cursor connections",
  pageInfo:
    "G315 | MUST | pageInfo states correctly where a page begins and ends, and whether there are others | Relay cursor connections",
  siblings: "G318 | MUST | A field that fails leaves its nullable siblings alone | spec 6.4.4",
  pageInfoHeuristic: "G334 | SHOULD | pageInfo has the cursors of a page that has elements | Relay cursor connections",

  // Refusals of invalid requests.
  invalidDocument: "G401 | MUST | A document that is not valid is refused | spec 5",
  syntax: "G402 | MUST | A text that is not GraphQL is refused | spec 2",
  emptySelection: "G412 | SHOULD | A selection of nothing is refused | spec 2.4",
  noData: "G405 | MUST | A response to a request that is refused has no data | spec 7.1.1",
  clientError:
    "G406 | MUST | A request that is refused has status 4xx or 5xx under application/graphql-response+json | http application/graphql-response+json",
  legacyStatus:
    "G407 | MUST | A request that is refused has status 2xx or 4xx under application/json | http application/json",
  unknownOperation: "G408 | MUST | An operationName that the document does not have is refused | spec 6.1",
  syntaxLocations: "G409 | SHOULD | The error of a mistake in a document has locations | spec 7.1.2",
  // Clauses of the specification use lower case, with the meaning of RFC 2119 (section 1, "Conformance").
  noNullData: "G411 | SHOULD | A response to a request that is refused does not even have the member data | spec 7.1",
} as const;

/** Rules for GraphQL and its schema. Ids are permanent, since baselines refer to them. The rules of HTTP are in `protocol-rules.ts`. */
export const graphqlRules: Readonly<Record<keyof typeof table, Rule>> = rulesOf(table, sources);
