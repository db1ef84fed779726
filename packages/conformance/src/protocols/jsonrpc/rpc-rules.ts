import { type Rule, rule } from "../../contract/rule.ts";

const specification = "JSON-RPC 2.0";
/** The draft that all servers follow: the specification itself says nothing of HTTP. */
const overHttp = "JSON-RPC over HTTP, draft of 2013-05-10";
const described = "the document";
/** What a name promises without a word of the document. */
const named = "names in the document";

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
  | "brokenServer"
  | "wrongCode"
  | "refusalCode"
  | "plainRefusalCode"
  | "plainAbsentCode"
  | "byName"
  | "byNameTaken"
  | "byNameHoped"
  | "structure"
  | "excludedStructure"
  | "discovery"
  | "arm"
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
  | "plainParseError"
  | "otherSpelling"
  | "largeBatch"
  | "brokenByValue"
  | "effect"
  | "head"
  | "counted"
  | "checked";

/** What answers of JSON-RPC servers are held to. The ids stay for ever: baselines and reports name them. */
export const rpcRules: Readonly<Record<RpcRuleName, Rule>> = {
  isThere: rule("J01", "MUST", "A documented method is there", described),
  json: rule("J02", "MUST", "An answer is a response object in JSON", `${specification}, section 5`),
  version: rule("J03", "MUST", 'A response has the member jsonrpc, exactly "2.0"', `${specification}, section 5`),
  id: rule(
    "J04",
    "MUST",
    "A response has the id of its request, the same value of the same type",
    `${specification}, section 5`,
  ),
  members: rule(
    "J05",
    "MUST",
    "A response has either a result or an error, and not both",
    `${specification}, section 5`,
  ),
  errorObject: rule(
    "J06",
    "MUST",
    "An error has an integer as code and a string as message",
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
  resultType: rule("J11", "MUST", "A result is of its documented type", described),
  exampleResult: rule("J12", "MUST", "A call that the document shows with a result has a result", described),
  brokenServer: rule(
    "J19",
    "SHOULD",
    "A call does not fail inside of the server (-32603)",
    `${specification}, section 5.1`,
  ),
  wrongCode: rule(
    "J20",
    "MUST",
    "-32700 is for what can't be parsed alone, and -32601 for methods that are not there",
    `${specification}, section 5.1`,
  ),
  refusalCode: rule("J22", "MUST", "Wrong parameters are refused with the documented error, or with -32602", described),
  plainRefusalCode: rule("J23", "SHOULD", "Wrong parameters are refused with -32602", `${specification}, section 5.1`),
  plainAbsentCode: rule(
    "J27",
    "SHOULD",
    "A call for something that is not there has one of the documented errors",
    described,
  ),
  byName: rule(
    "J28",
    "MUST",
    "Parameters have the same effect by name and by position",
    `${specification}, section 4.2`,
  ),
  byNameTaken: rule(
    "J29",
    "MUST",
    "A method takes its parameters in the ways that other methods do",
    "OpenRPC, paramStructure",
  ),
  byNameHoped: rule(
    "J30",
    "SHOULD",
    "A method takes its parameters by name and by position, where the document does not say otherwise",
    "OpenRPC, paramStructure",
  ),
  arm: rule(
    "J33",
    "MUST",
    "A parameter that selects a form of the result gives the form that the examples show for it",
    described,
  ),
  listed: rule("J38", "heuristic", "What a result names is found", named),
  parent: rule(
    "J39",
    "heuristic",
    "The parent that an object names is found, and its number or height is one less",
    named,
  ),
  batchSame: rule("J40", "MUST", "A call in a batch has the result that it has alone", `${specification}, section 6`),
  different: rule("J41", "heuristic", "Calls for two different things have different answers", named, "weak"),
  differentHashes: rule("J43", "heuristic", "Blocks at different heights have different hashes", named),
  parseError: rule(
    "J50",
    "MUST",
    "What is no JSON is answered with -32700 and the id null",
    `${specification}, sections 5 and 5.1`,
  ),
  invalidRequest: rule(
    "J51",
    "MUST",
    "What is JSON and no request is answered with -32600",
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
    "A request whose id is an object is answered with -32600",
    `${specification}, section 4`,
  ),
  otherVersion: rule(
    "J54",
    "SHOULD",
    'A request whose jsonrpc is not "2.0" is answered with -32600',
    `${specification}, section 4`,
  ),
  nullId: rule("J55", "SHOULD", "A request with id null is answered", `${specification}, section 4`),
  notification: rule(
    "J57",
    "MUST",
    "A notification (a request without id) is not answered",
    `${specification}, section 4.1`,
  ),
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
    "A member of a batch that is no request is answered with -32600",
    `${specification}, section 6`,
  ),
  noParameters: rule("J62", "MUST", "A request may leave params out", `${specification}, section 4`),
  spelling: rule(
    "J63",
    "MUST",
    "The same request written in another way (spaces, escapes, order of members) has the same answer",
    "RFC 8259",
  ),
  compression: rule("J64", "MUST", "A compressed answer says the same as one that is not", "RFC 9110, section 8.4"),
  otherHttpMethod: rule(
    "J65",
    "SHOULD",
    "A GET is answered without a failure of the server, at best with 405",
    "RFC 9110, section 15.5.6",
  ),
  requestMediaType: rule(
    "J66",
    "SHOULD",
    "A body whose media type is not JSON is refused, or answered as usual",
    `${overHttp}, section 3.1`,
  ),
  plainParseError: rule("J70", "SHOULD", "An empty body is answered with -32700", `${specification}, section 5.1`),
  otherSpelling: rule("J71", "SHOULD", "Names of methods are told apart by their case", `${specification}, section 2`),
  largeBatch: rule("J72", "SHOULD", "A batch of up to twenty calls is taken", "the run's own measure"),
  brokenByValue: rule(
    "J79",
    "MUST",
    "A method that answers other calls does not fail inside of the server (-32603) for a value that its document names",
    `${specification}, section 5.1`,
  ),
  effect: rule("J84", "heuristic", "A parameter that leaves out all there is has an effect", named),
  head: rule(
    "J85",
    "heuristic",
    "What tells the last height tells one that is there, and not one far below others",
    named,
  ),
  counted: rule("J86", "heuristic", "A count is the number of the elements that a list of the same has", named),
  checked: rule(
    "J87",
    "heuristic",
    "What is looked at for whether it is right is right where the target has it itself",
    named,
  ),
  structure: rule(
    "J93",
    "MUST",
    "A method takes its parameters by name and by position where its document states `either`",
    "OpenRPC, paramStructure",
  ),
  excludedStructure: rule(
    "J94",
    "SHOULD",
    "A method refuses parameters in the way that its stated `paramStructure` excludes",
    "OpenRPC, paramStructure",
  ),
  discovery: rule(
    "J95",
    "SHOULD",
    "The document that rpc.discover returns has the methods of this one, with their parameters",
    "OpenRPC, Service Discovery Method",
  ),
};
