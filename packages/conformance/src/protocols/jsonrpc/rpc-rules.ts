import { type Rule, rulesOf } from "../../contract/rule.ts";

const table = {
  isThere: "J01 | MUST | A documented method is there | the document",
  json: "J02 | MUST | A response is a response object in JSON | JSON-RPC 2.0, section 5",
  version: 'J03 | MUST | A response has the member jsonrpc, exactly "2.0" | JSON-RPC 2.0, section 5',
  id: "J04 | MUST | A response has the id of its request, the same value of the same type | JSON-RPC 2.0, section 5",
  members: "J05 | MUST | A response has either a result or an error, and not both | JSON-RPC 2.0, section 5",
  errorObject: "J06 | MUST | An error has an integer as code and a string as message | JSON-RPC 2.0, section 5.1",
  surplus: "J07 | SHOULD | A response has no other members than the specification names | JSON-RPC 2.0, section 5",
  status: "J08 | MUST | A result comes with HTTP status 200 | JSON-RPC over HTTP, draft of 2013-05-10, section 3.6",
  mediaType: "J09 | MUST | A response is sent as JSON | JSON-RPC over HTTP, draft of 2013-05-10, section 3.6",
  noMediaType: "J10 | SHOULD | A response names its media type | RFC 9110, section 8.3",
  resultType: "J11 | MUST | A result is of its documented type | the document",
  exampleResult: "J12 | MUST | A call that the document shows with a result has a result | the document",
  brokenServer: "J19 | SHOULD | A call does not fail inside of the server (-32603) | JSON-RPC 2.0, section 5.1",
  wrongCode:
    "J20 | MUST | -32700 is for what can't be parsed alone, and -32601 for methods that are not there | JSON-RPC 2.0, section 5.1",
  refusalCode: "J22 | MUST | Wrong parameters are refused with the documented error, or with -32602 | the document",
  plainRefusalCode: "J23 | SHOULD | Wrong parameters are refused with -32602 | JSON-RPC 2.0, section 5.1",
  plainAbsentCode:
    "J27 | SHOULD | A call for something that is not there has one of the documented errors | the document",
  byName: "J28 | MUST | Parameters have the same effect by name and by position | JSON-RPC 2.0, section 4.2",
  byNameTaken: "J29 | MUST | A method takes its parameters in the ways that other methods do | OpenRPC, paramStructure",
  byNameHoped:
    "J30 | SHOULD | A method takes its parameters by name and by position, where the document does not say otherwise | OpenRPC, paramStructure",
  arm: "J33 | MUST | A parameter that selects a form of the result gives the form that the examples show for it | the document",
  batchSame: "J40 | MUST | A call in a batch has the result that it has alone | JSON-RPC 2.0, section 6",
  parseError:
    "J50 | MUST | Invalid JSON results in the error -32700 with the id null | JSON-RPC 2.0, sections 5 and 5.1",
  invalidRequest:
    "J51 | MUST | JSON that is not a request results in the error -32600 | JSON-RPC 2.0, sections 4 and 5.1",
  unknownMethod: "J52 | MUST | A call of an unknown method results in the error -32601 | JSON-RPC 2.0, section 5.1",
  invalidId: "J53 | SHOULD | A request whose id is an object results in the error -32600 | JSON-RPC 2.0, section 4",
  otherVersion:
    'J54 | SHOULD | A request whose jsonrpc is not "2.0" results in the error -32600 | JSON-RPC 2.0, section 4',
  nullId: "J55 | SHOULD | A request with id null gets a response | JSON-RPC 2.0, section 4",
  notification: "J57 | MUST | A notification (a request without id) gets no response | JSON-RPC 2.0, section 4.1",
  batch: "J58 | MUST | The response to a batch is a list of responses | JSON-RPC 2.0, section 6",
  batchResponses: "J59 | MUST | A batch has one response for each request with an id | JSON-RPC 2.0, section 6",
  emptyBatch: "J60 | MUST | An empty batch results in a single error -32600 | JSON-RPC 2.0, section 6",
  batchMember:
    "J61 | MUST | A member of a batch that is not a request results in the error -32600 | JSON-RPC 2.0, section 6",
  noParameters: "J62 | MUST | A request may leave params out | JSON-RPC 2.0, section 4",
  spelling:
    "J63 | MUST | The same request written in another way (spaces, escapes, order of members) has the same result | RFC 8259",
  compression: "J64 | MUST | A compressed response equals an uncompressed one | RFC 9110, section 8.4",
  otherHttpMethod: "J65 | SHOULD | A GET does not result in a server error; 405 is best | RFC 9110, section 15.5.6",
  requestMediaType:
    "J66 | SHOULD | A body whose media type is not JSON is refused, or processed as usual | JSON-RPC over HTTP, draft of 2013-05-10, section 3.1",
  plainParseError: "J70 | SHOULD | An empty body results in the error -32700 | JSON-RPC 2.0, section 5.1",
  otherSpelling: "J71 | SHOULD | Method names are case-sensitive | JSON-RPC 2.0, section 2",
  largeBatch: "J72 | SHOULD | A batch of up to twenty calls is taken | the run's own measure",
  brokenByValue:
    "J79 | MUST | A method whose other calls succeed has no internal error (-32603) for a value that its document names | JSON-RPC 2.0, section 5.1",
  structure:
    "J93 | MUST | A method takes its parameters by name and by position where its document states `either` | OpenRPC, paramStructure",
  excludedStructure:
    "J94 | SHOULD | A method refuses parameters in the way that its stated `paramStructure` excludes | OpenRPC, paramStructure",
  discovery:
    "J95 | SHOULD | The document that rpc.discover returns has the methods of this one, with their parameters | OpenRPC, Service Discovery Method",
} as const;

/** Rules for responses of JSON-RPC servers. Ids are permanent: baselines and reports refer to them. */
export const rpcRules: Readonly<Record<keyof typeof table, Rule>> = rulesOf(table);
