import type { Level, Rule } from "../contract/rule.ts";

const specification = "JSON-RPC 2.0";
/** The draft that all servers follow: the specification itself says nothing of HTTP. */
const overHttp = "JSON-RPC over HTTP, draft of 2013-05-10";

function rule(id: string, level: Level, title: string, source?: string): Rule {
  return { id, level, title, ...(source === undefined ? {} : { source }) };
}

/** What the rules are called in the code; reports know them by their ids. */
export type RpcRuleName =
  | "isThere"
  | "json"
  | "version"
  | "id"
  | "members"
  | "errorObject"
  | "surplus"
  | "status"
  | "mediaType"
  | "noMediaType"
  | "resultType"
  | "exampleResult"
  | "exampleValue"
  | "exampleValueHoped"
  | "exampleFailure"
  | "fixedMessage"
  | "errorData"
  | "goodRefused"
  | "goodFailed"
  | "brokenServer"
  | "wrongCode"
  | "wrongAccepted"
  | "refusalCode"
  | "plainRefusalCode"
  | "surplusAccepted"
  | "absentFound"
  | "absentCode"
  | "plainAbsentCode"
  | "byName"
  | "byNameTaken"
  | "byNameHoped"
  | "steady"
  | "steadyHoped"
  | "default"
  | "arm"
  | "limit"
  | "sameId"
  | "sameObject"
  | "embedded"
  | "embeddedHoped"
  | "listed"
  | "parent"
  | "batchSame"
  | "different"
  | "differentHashes"
  | "parseError"
  | "invalidRequest"
  | "unknownMethod"
  | "invalidId"
  | "otherVersion"
  | "nullId"
  | "notification"
  | "batch"
  | "batchAnswers"
  | "emptyBatch"
  | "batchMember"
  | "noParameters"
  | "spelling"
  | "compression"
  | "otherHttpMethod"
  | "requestMediaType"
  | "key"
  | "challenge"
  | "plainParseError"
  | "otherSpelling"
  | "largeBatch"
  | "keyStatus"
  | "keyHoped"
  | "sameIdHoped"
  | "limitPrefix"
  | "pages"
  | "sorted"
  | "filter"
  | "total"
  | "ownAnswer"
  | "codeOfAnother"
  | "brokenByValue";

/** What answers of JSON-RPC servers are held to. The ids stay for ever: baselines and reports name them. */
export const rpcRules: Readonly<Record<RpcRuleName, Rule>> = {
  isThere: rule("J01", "MUST", "A documented method is there"),

  json: rule("J02", "MUST", "An answer is a response object in JSON", `${specification}, section 5`),
  version: rule("J03", "MUST", 'A response has the member jsonrpc, exactly "2.0"', `${specification}, section 5`),
  id: rule(
    "J04",
    "MUST",
    "A response has the id of its request, the same value of the same type",
    `${specification}, section 5`,
  ),
  members: rule("J05", "MUST", "A response has either a result or an error", `${specification}, section 5`),
  errorObject: rule(
    "J06",
    "MUST",
    "An error has an integer as code and a text as message",
    `${specification}, section 5.1`,
  ),
  surplus: rule(
    "J07",
    "SHOULD",
    "A response has no other members than the specification names",
    `${specification}, section 5`,
  ),
  status: rule("J08", "MUST", "A result comes with HTTP status 200", `${overHttp}, section 3.6`),
  mediaType: rule("J09", "MUST", "A response is sent as JSON", `${overHttp}, section 3.6`),
  noMediaType: rule("J10", "SHOULD", "A response names its media type", "RFC 9110, section 8.3"),

  resultType: rule("J11", "MUST", "A result is of its documented type"),
  exampleResult: rule("J12", "MUST", "What an example asks for gives a result"),
  exampleValue: rule("J13", "MUST", "A documented value that can't change is what is served"),
  exampleValueHoped: rule("J42", "SHOULD", "A documented value is what is served"),
  exampleFailure: rule("J14", "MUST", "What an example of an error asks for gives that error"),
  fixedMessage: rule("J15", "MUST", "An error has the message that its example fixes"),
  errorData: rule("J16", "MUST", "The data of a documented error is of its type"),

  goodRefused: rule(
    "J17",
    "MUST",
    "A method takes parameters that its document allows",
    `${specification}, section 5.1`,
  ),
  goodFailed: rule("J18", "SHOULD", "A method answers what its document allows with a result or a documented error"),
  brokenServer: rule("J19", "SHOULD", "A method does not fail inside of the server", `${specification}, section 5.1`),
  wrongCode: rule(
    "J20",
    "MUST",
    "Only what can't be parsed is answered with -32700, only a method that is not there with -32601",
    `${specification}, section 5.1`,
  ),

  wrongAccepted: rule("J21", "MUST", "A method refuses parameters that its document does not allow"),
  refusalCode: rule("J22", "MUST", "Wrong parameters are refused with the documented error, or -32602"),
  plainRefusalCode: rule("J23", "SHOULD", "Wrong parameters are refused with -32602", `${specification}, section 5.1`),
  surplusAccepted: rule(
    "J24",
    "SHOULD",
    "A method refuses parameters that it does not have",
    `${specification}, section 5.1`,
  ),
  absentFound: rule("J25", "MUST", "What can't exist is not found"),
  absentCode: rule("J26", "MUST", "What is not there is answered with the documented error"),
  plainAbsentCode: rule("J27", "SHOULD", "What is not there is answered with a documented error"),

  byName: rule("J28", "MUST", "Parameters by name and by position are the same", `${specification}, section 4.2`),
  byNameTaken: rule("J29", "MUST", "A method takes its parameters in the ways that its document names"),
  byNameHoped: rule(
    "J30",
    "SHOULD",
    "A method takes its parameters by name and by position",
    "OpenRPC, paramStructure",
  ),

  steadyHoped: rule("J44", "SHOULD", "What is asked for by a hash is answered the same twice"),
  steady: rule("J31", "MUST", "What can't change is answered the same twice"),
  default: rule("J32", "MUST", "A parameter that is left out is as its documented default"),
  arm: rule("J33", "MUST", "A parameter that picks the form of the result picks the one that the examples show"),
  limit: rule("J34", "MUST", "A list has at most as many elements as were asked for"),
  sameId: rule("J35", "MUST", "What is asked for by its id has that id"),
  sameObject: rule("J36", "MUST", "An object is the same whichever way it is asked for"),
  embeddedHoped: rule("J45", "SHOULD", "An object inside of another agrees with the one that is fetched alone"),
  embedded: rule("J37", "MUST", "An object inside of another is the one that is fetched alone"),
  listed: rule("J38", "MUST", "What a list names is there"),
  parent: rule("J39", "MUST", "The parent that an object names is there, one place below it"),
  batchSame: rule("J40", "MUST", "A call in a batch has the result that it has alone", `${specification}, section 6`),
  differentHashes: rule("J43", "MUST", "Different heights have different hashes"),
  different: rule("J41", "SHOULD", "Different things have different answers"),

  parseError: rule(
    "J50",
    "MUST",
    "What is no JSON is answered with -32700 and id null",
    `${specification}, sections 5 and 5.1`,
  ),
  invalidRequest: rule(
    "J51",
    "MUST",
    "What is no request is answered with -32600",
    `${specification}, sections 4 and 5.1`,
  ),
  unknownMethod: rule(
    "J52",
    "MUST",
    "A method that is not there is answered with -32601",
    `${specification}, section 5.1`,
  ),
  invalidId: rule(
    "J53",
    "SHOULD",
    "An id that is no text, number or null makes no request",
    `${specification}, section 4`,
  ),
  otherVersion: rule(
    "J54",
    "SHOULD",
    'A request whose jsonrpc is not "2.0" is answered with -32600',
    `${specification}, section 4`,
  ),
  nullId: rule("J55", "SHOULD", "A request with id null is answered", `${specification}, section 4`),
  notification: rule("J57", "MUST", "A notification is not answered", `${specification}, section 4.1`),
  batch: rule("J58", "MUST", "A batch is answered with a list of responses", `${specification}, section 6`),
  batchAnswers: rule(
    "J59",
    "MUST",
    "A batch has one response for each request with an id",
    `${specification}, section 6`,
  ),
  emptyBatch: rule("J60", "MUST", "An empty batch is answered with a single -32600", `${specification}, section 6`),
  batchMember: rule(
    "J61",
    "MUST",
    "What is no request in a batch is answered with -32600",
    `${specification}, section 6`,
  ),
  noParameters: rule("J62", "MUST", "A request may leave params out", `${specification}, section 4`),
  spelling: rule("J63", "MUST", "Equal JSON is the same request however it is written", "RFC 8259"),
  compression: rule("J64", "MUST", "An answer that is compressed is the same answer", "RFC 9110, section 8.4"),
  otherHttpMethod: rule("J65", "SHOULD", "A request that is no POST is answered with 405", "RFC 9110, section 15.5.6"),
  requestMediaType: rule(
    "J66",
    "SHOULD",
    "A body that is not sent as JSON is refused or answered well",
    `${overHttp}, section 3.1`,
  ),
  key: rule("J67", "MUST", "Nobody gets in without the key", "RFC 9110, section 15.5.2"),
  challenge: rule("J68", "SHOULD", "Status 401 comes with WWW-Authenticate", "RFC 9110, section 15.5.2"),
  plainParseError: rule("J70", "SHOULD", "An empty body is answered with -32700", `${specification}, section 5.1`),
  otherSpelling: rule("J71", "SHOULD", "Names of methods are told apart by their case", `${specification}, section 2`),
  largeBatch: rule("J72", "SHOULD", "A batch of twenty calls is taken"),
  keyStatus: rule(
    "J73",
    "SHOULD",
    "A request without the right key is answered with 401 or 403",
    "RFC 9110, section 15.5.2",
  ),
  keyHoped: rule("J74", "SHOULD", "A key is asked for where one is given"),
  sameIdHoped: rule("J46", "SHOULD", "Elements of a list have what they were asked for by"),
  limitPrefix: rule(
    "J47",
    "MUST",
    "A smaller limit gives the first elements of a longer list, and as many as there are",
  ),
  pages: rule("J48", "MUST", "Pages go on where the one before them ended"),
  sorted: rule("J49", "MUST", "Elements are in the order that was asked for"),
  filter: rule("J75", "MUST", "A filter lets through what it names, and all of it"),
  total: rule("J76", "MUST", "A total counts the elements of the list that it stands beside"),
  ownAnswer: rule("J77", "MUST", "A call has its own answer, whatever was asked before"),
  brokenByValue: rule(
    "J79",
    "MUST",
    "A method that works does not fail inside of the server for what its document names",
    `${specification}, section 5.1`,
  ),
  codeOfAnother: rule("J78", "MUST", "The code and the message of an error are those of the same documented error"),
};
