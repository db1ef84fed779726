import type { Rule } from "../contract/rule.ts";

/** What the rules are called in the code; reports know them by their ids. */
export type HttpRuleName =
  | "accepted"
  | "acceptedLikely"
  | "successStatus"
  | "failureStatus"
  | "serverError"
  | "contentType"
  | "readable"
  | "body"
  | "requiredHeader"
  | "header"
  | "noContent"
  | "undocumentedBody"
  | "failureBody"
  | "exampleFailure"
  | "failureText"
  | "redirect"
  | "foundId"
  | "validValue"
  | "validValueLikely"
  | "wrongValue"
  | "wrongValueLikely"
  | "missingInput"
  | "unknownId"
  | "unknownIdLikely"
  | "inventedObject"
  | "brokenBody"
  | "unknownMediaType"
  | "accept"
  | "neverRefused"
  | "unknownPath"
  | "inventedPath"
  | "head"
  | "methodNotAllowed"
  | "methodAccepted"
  | "allow"
  | "allowNames"
  | "conditional"
  | "notModified"
  | "documentedCondition"
  | "headerSyntax"
  | "documentedAccept"
  | "problemStatus"
  | "offered"
  | "offeredLikely"
  | "key"
  | "keyStatus"
  | "challenge"
  | "challengeOfKey"
  | "documentedValue"
  | "documentedValueLikely"
  | "same"
  | "sameLikely"
  | "defaultValue"
  | "limit"
  | "limitPrefix"
  | "pages"
  | "cursor"
  | "sorted"
  | "filter"
  | "range"
  | "effect"
  | "effectLikely"
  | "identity"
  | "alone"
  | "counts"
  | "unique"
  | "order"
  | "created"
  | "countsLikely";

/** What answers over HTTP are held to. Ids stay for ever; a rule that is given up leaves its id unused. */
export const httpRules: Readonly<Record<HttpRuleName, Rule>> = {
  accepted: {
    id: "H101",
    level: "MUST",
    title: "A request that the description allows succeeds",
  },
  acceptedLikely: {
    id: "H102",
    level: "SHOULD",
    title: "A request that the description allows succeeds, as far as it can be told",
  },
  successStatus: {
    id: "H103",
    level: "MUST",
    title: "A success has a status that the description names",
    source: "OpenAPI 3.1.1, section 4.8.16 (Responses Object)",
  },
  failureStatus: {
    id: "H104",
    level: "SHOULD",
    title: "A failure has a status that the description names",
    source: "OpenAPI 3.1.1, section 4.8.16 (Responses Object)",
  },
  serverError: {
    id: "H105",
    level: "MUST",
    title: "No request makes the server fail",
    source: "RFC 9110, section 15.6",
  },
  contentType: {
    id: "H106",
    level: "MUST",
    title: "A body has a media type that the description names for its status",
    source: "OpenAPI 3.1.1, section 4.8.17 (Response Object)",
  },
  readable: {
    id: "H107",
    level: "MUST",
    title: "A body can be read as its media type says",
    source: "RFC 9110, section 8.3",
  },
  body: {
    id: "H108",
    level: "MUST",
    title: "A body is of the type that the description gives it",
  },
  requiredHeader: {
    id: "H109",
    level: "MUST",
    title: "A header that the description requires is there",
  },
  header: {
    id: "H110",
    level: "MUST",
    title: "A header is of the type that the description gives it",
  },
  noContent: {
    id: "H111",
    level: "MUST",
    title: "An answer to HEAD, and of status 204, 205 or 304, has no content",
    source: "RFC 9110, sections 6.4.1 and 15.3.6",
  },
  undocumentedBody: {
    id: "H112",
    level: "SHOULD",
    title: "A status that the description gives no body has none",
  },
  failureBody: {
    id: "H113",
    level: "MUST",
    title: "The body of a failure is what the description says of its status",
  },
  exampleFailure: {
    id: "H114",
    level: "MUST",
    title: "A documented failing request fails as documented",
  },
  failureText: {
    id: "H116",
    level: "MUST",
    title: "A failure is told in the text that the description fixes",
  },
  redirect: {
    id: "H115",
    level: "SHOULD",
    title: "A request is answered where it is asked",
  },
  foundId: {
    id: "H201",
    level: "MUST",
    title: "What one operation names, the operation that looks it up finds",
  },
  validValue: {
    id: "H202",
    level: "MUST",
    title: "A value within the documented bounds is accepted",
  },
  validValueLikely: {
    id: "H203",
    level: "SHOULD",
    title: "A value of the documented type is accepted",
  },
  wrongValue: {
    id: "H301",
    level: "MUST",
    title: "A value that the description excludes is refused as it documents",
  },
  wrongValueLikely: {
    id: "H302",
    level: "SHOULD",
    title: "A value that the description excludes is refused",
  },
  missingInput: {
    id: "H303",
    level: "MUST",
    title: "A request without a required input is refused as documented",
  },
  unknownId: {
    id: "H304",
    level: "MUST",
    title: "What does not exist is answered with the documented failure",
  },
  unknownIdLikely: {
    id: "H305",
    level: "SHOULD",
    title: "What does not exist is not answered with a success",
  },
  inventedObject: {
    id: "H306",
    level: "MUST",
    title: "An identifier that nothing has is not answered with an object of another identifier",
  },
  brokenBody: {
    id: "H307",
    level: "MUST",
    title: "A body that can't be read is refused",
    source: "RFC 9110, section 15.5.1",
  },
  unknownMediaType: {
    id: "H308",
    level: "SHOULD",
    title: "A body of a media type that the description does not name is refused",
    source: "RFC 9110, section 15.5.16",
  },
  accept: {
    id: "H309",
    level: "SHOULD",
    title: "A media type that can't be served is answered with 406 or with one that is documented",
    source: "RFC 9110, section 12.5.1",
  },
  neverRefused: {
    id: "H310",
    level: "MUST",
    title: "The documented failure for wrong values is one that wrong values get",
  },
  unknownPath: {
    id: "H401",
    level: "SHOULD",
    title: "A path that nothing is at is answered with 404",
    source: "RFC 9110, section 15.5.5",
  },
  inventedPath: {
    id: "H409",
    level: "MUST",
    title: "A path that nothing is at is not answered as if something were",
    source: "RFC 9110, section 15.5.5",
  },
  head: {
    id: "H402",
    level: "SHOULD",
    title: "What answers GET answers HEAD with the same status and headers",
    source: "RFC 9110, sections 9.1 and 9.3.2",
  },
  methodNotAllowed: {
    id: "H403",
    level: "SHOULD",
    title: "A path answers a method that it does not have with 405",
    source: "RFC 9110, section 15.5.6",
  },
  methodAccepted: {
    id: "H404",
    level: "MUST",
    title: "A method that nobody has defined does not succeed",
    source: "RFC 9110, section 9.1",
  },
  allow: {
    id: "H405",
    level: "MUST",
    title: "A 405 names the methods of its path in Allow",
    source: "RFC 9110, section 15.5.6",
  },
  allowNames: {
    id: "H406",
    level: "SHOULD",
    title: "Allow names the methods that the description has for the path",
    source: "RFC 9110, section 10.2.1",
  },
  conditional: {
    id: "H407",
    level: "MUST",
    title: "A request on condition of another state is answered with 304 or the same",
    source: "RFC 9110, section 13.1.2",
  },
  notModified: {
    id: "H408",
    level: "SHOULD",
    title: "A request on condition of another state is answered with 304 where nothing changed",
    source: "RFC 9110, section 13.1.2",
  },
  documentedCondition: {
    id: "H410",
    level: "MUST",
    title: "Where the description has 304 or If-None-Match, the entity tag that was given is answered with 304",
    source: "RFC 9110, section 13.1.2",
  },
  offeredLikely: {
    id: "H121",
    level: "SHOULD",
    title:
      "Each media type that the description has for a success is served to who asks for it, as far as it can be told",
    source: "RFC 9110, section 12.5.1",
  },
  headerSyntax: {
    id: "H117",
    level: "MUST",
    title: "Link, ETag and Last-Modified are written as HTTP writes them",
    source: "RFC 8288, section 3; RFC 9110, sections 8.8.2 and 8.8.3",
  },
  documentedAccept: {
    id: "H120",
    level: "MUST",
    title: "A media type that can't be served is answered with 406 where the description says so",
    source: "RFC 9110, section 15.5.7",
  },
  problemStatus: {
    id: "H118",
    level: "MUST",
    title: "The status in a problem's details is the one of its answer",
    source: "RFC 9457, section 3.1.2",
  },
  offered: {
    id: "H119",
    level: "MUST",
    title: "Each media type that the description has for a success is served to who asks for it",
    source: "RFC 9110, section 12.5.1",
  },
  key: {
    id: "H501",
    level: "MUST",
    title: "An operation that asks for a key lets nobody in without it",
  },
  keyStatus: {
    id: "H502",
    level: "SHOULD",
    title: "A missing or wrong key is answered with 401",
    source: "RFC 9110, section 15.5.2",
  },
  challenge: {
    id: "H503",
    level: "MUST",
    title: "A 401 says in WWW-Authenticate how to get in",
    source: "RFC 9110, section 11.6.1",
  },
  challengeOfKey: {
    id: "H504",
    level: "SHOULD",
    title: "A 401 says in WWW-Authenticate how to get in, where keys have no challenge of their own too",
    source: "RFC 9110, section 11.6.1",
  },
  documentedValue: {
    id: "R101",
    level: "MUST",
    title: "What the description shows of an object is what is served",
  },
  documentedValueLikely: {
    id: "R102",
    level: "SHOULD",
    title: "What the description shows is what is served, as far as it can be told",
  },
  same: {
    id: "R103",
    level: "MUST",
    title: "What never changes is the same when it is asked for again",
  },
  sameLikely: {
    id: "R104",
    level: "SHOULD",
    title: "What is asked for twice in a row is the same",
  },
  defaultValue: {
    id: "R105",
    level: "MUST",
    title: "A parameter that is left out is as if it had its default",
  },
  limit: {
    id: "R106",
    level: "MUST",
    title: "A limit of n gives at most n elements",
  },
  limitPrefix: {
    id: "R107",
    level: "MUST",
    title: "A smaller limit gives the first elements of a greater one, and as many as there are",
  },
  pages: {
    id: "R108",
    level: "MUST",
    title: "Pages go on where the one before them ended, and share no element",
  },
  cursor: {
    id: "R109",
    level: "MUST",
    title: "A page begins behind its cursor",
  },
  sorted: {
    id: "R110",
    level: "MUST",
    title: "Elements are in the order that was asked for",
  },
  filter: {
    id: "R111",
    level: "MUST",
    title: "A filter lets through what it names, and all of it",
  },
  range: {
    id: "R112",
    level: "MUST",
    title: "Elements are within the bounds that were asked for",
  },
  effect: {
    id: "R113",
    level: "MUST",
    title: "A parameter does what the description says or shows of it",
  },
  effectLikely: {
    id: "R121",
    level: "SHOULD",
    title: "A parameter does what the description says or shows of it, as far as it can be told",
  },
  identity: {
    id: "R114",
    level: "MUST",
    title: "What is asked for by its identifier has it",
  },
  alone: {
    id: "R115",
    level: "MUST",
    title: "An object in another answer is the object that is answered alone",
  },
  counts: {
    id: "R116",
    level: "MUST",
    title: "What counts elements agrees with them",
  },
  unique: {
    id: "R117",
    level: "MUST",
    title: "No element is listed twice",
  },
  order: {
    id: "R118",
    level: "MUST",
    title: "Elements are in the order that the description shows",
  },
  created: {
    id: "R119",
    level: "MUST",
    title: "What was created is there, as it was sent",
  },
  countsLikely: {
    id: "R120",
    level: "SHOULD",
    title: "What counts elements agrees with them, as far as it can be told",
  },
};
