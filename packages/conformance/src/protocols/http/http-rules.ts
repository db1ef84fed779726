import { type Rule, rulesOf } from "../../contract/rule.ts";

const table = {
  // Responses.
  accepted: "H101 | MUST | A request that the description allows, and that names nothing, succeeds | the description",
  acceptedHeuristic:
    "H102 | SHOULD | A request that the description allows succeeds, though what it names may not be at the target | the description",
  successStatus:
    "H103 | MUST | A success has a status that the description names | OpenAPI 3.1.1, section 4.8.16 (Responses Object)",
  failureStatus:
    "H104 | SHOULD | A failure has a status that the description names | OpenAPI 3.1.1, section 4.8.16 (Responses Object)",
  serverError: "H105 | MUST | No request makes the server fail | RFC 9110, section 15.6",
  contentType:
    "H106 | MUST | A body has a media type that the description names for its status | OpenAPI 3.1.1, section 4.8.17 (Response Object)",
  readable: "H107 | MUST | A body can be decoded according to its media type | RFC 9110, section 8.3",
  body: "H108 | MUST | A body conforms to its described type | the description",
  requiredHeader: "H109 | MUST | A header that the description requires is there | the description",
  header: "H110 | MUST | A header conforms to its described type | the description",
  noContent:
    "H111 | MUST | A response to HEAD, and one with status 204, 205 or 304, has no content | RFC 9110, sections 6.4.1 and 15.3.6",
  undocumentedBody:
    "H112 | SHOULD | A response has no body where the description has none for its status | the description",
  failureBody: "H113 | MUST | The body of a failure conforms to the type described for its status | the description",
  redirect: "H115 | SHOULD | A request is not redirected | the description",
  failureText: "H116 | MUST | A failure has the text that the description fixes for it | the description",
  headerSyntax:
    "H117 | MUST | Link, ETag and Last-Modified are written as HTTP writes them | RFC 8288, section 3; RFC 9110, sections 8.8.2 and 8.8.3",
  problemStatus: "H118 | MUST | The status in problem details is that of the response | RFC 9457, section 3.1.2",
  offered:
    "H119 | MUST | Each media type that the description has for a success is served to clients that accept it | RFC 9110, section 12.5.1",
  documentedAccept:
    "H120 | MUST | A media type that can't be served results in 406, where the description has a 406 | RFC 9110, section 15.5.7",
  offeredHeuristic:
    "H121 | SHOULD | A documented media type that is accepted is served rather than another documented one | RFC 9110, section 12.5.1",
  formatHeuristic:
    "H122 | SHOULD | A time has an offset and an address a scheme, where the description calls them date-time and uri | RFC 3339, section 5.6; RFC 3986, section 3.1",

  // Found and allowed values are accepted.
  foundId:
    "H201 | heuristic | An object that a response refers to is found by the operation that looks it up | names in the description",
  linkedFound:
    "H204 | MUST | A value that a declared link takes from a response is accepted by the linked operation | OpenAPI 3.1.1, section 4.8.20 (Link Object)",

  // Invalid requests are refused.
  brokenBody: "H307 | MUST | A body that can't be read is refused | RFC 9110, section 15.5.1",
  unknownMediaType:
    "H308 | SHOULD | A body of a media type that the description does not name is refused | RFC 9110, section 15.5.16",
  accept:
    "H309 | SHOULD | A request that accepts no documented media type results in 406, or in a documented media type | RFC 9110, section 12.5.1",

  // HTTP itself.
  unknownPath: "H401 | SHOULD | A path that does not exist results in 404 | RFC 9110, section 15.5.5",
  head: "H402 | SHOULD | HEAD has the same status and headers as GET | RFC 9110, sections 9.1 and 9.3.2",
  methodNotAllowed: "H403 | SHOULD | A method that a path does not have results in 405 | RFC 9110, section 15.5.6",
  allow: "H405 | MUST | A 405 names in Allow the methods that its path has | RFC 9110, section 15.5.6",
  allowNames:
    "H406 | SHOULD | Allow names the methods that the description has for the path | RFC 9110, section 10.2.1",
  conditional:
    "H407 | MUST | A request with If-None-Match or If-Modified-Since results in 304, or in the same response as without it | RFC 9110, section 13.1.2",
  notModified:
    "H408 | SHOULD | A request with If-None-Match results in 304 where nothing changed | RFC 9110, section 13.1.2",
  inventedPath: "H409 | MUST | A path that does not exist has no data | RFC 9110, section 15.5.5",
  documentedCondition:
    "H410 | MUST | A request with If-None-Match or If-Modified-Since results in 304 where nothing changed and the description has a 304 or this header | RFC 9110, section 13.1.2",
  tagOfContent:
    "H412 | heuristic | The entity tag stays the same as long as the content does | values in responses; RFC 9110, section 8.8.3",
  servedDescription:
    "H411 | heuristic | The description that a target serves of itself has the operations of this one, with their parameters | names in the description",

  // Comparisons between responses, and of a response with the description.
} as const;

/** Rules for responses over HTTP. Ids are permanent; the id of a removed rule is not reused. */
export const httpRules: Readonly<Record<keyof typeof table, Rule>> = rulesOf(table);
