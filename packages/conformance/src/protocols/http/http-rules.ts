import { type Rule, rule } from "../../contract/rule.ts";

const described = "the description";
/** What a name promises without a word of the description. */
const named = "names in the description";

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
  | "redirect"
  | "failureText"
  | "headerSyntax"
  | "problemStatus"
  | "offered"
  | "documentedAccept"
  | "offeredLikely"
  | "formatLikely"
  | "foundId"
  | "brokenBody"
  | "unknownMediaType"
  | "accept"
  | "neverRefused"
  | "unknownPath"
  | "head"
  | "methodNotAllowed"
  | "allow"
  | "allowNames"
  | "conditional"
  | "notModified"
  | "inventedPath"
  | "documentedCondition"
  | "servedDescription"
  | "tagOfContent"
  | "pages"
  | "effect"
  | "part"
  | "effectLikely"
  | "linkedFound"
  | "linkedPages";

/** What answers over HTTP are held to. Ids stay for ever; a rule that is given up leaves its id unused. */
export const httpRules: Readonly<Record<HttpRuleName, Rule>> = {
  // Answers.
  accepted: rule("H101", "MUST", "A request that the description allows, and that names nothing, succeeds", described),
  acceptedLikely: rule(
    "H102",
    "SHOULD",
    "A request that the description allows succeeds, though what it names may not be at the target",
    described,
  ),
  successStatus: rule(
    "H103",
    "MUST",
    "A success has a status that the description names",
    "OpenAPI 3.1.1, section 4.8.16 (Responses Object)",
  ),
  failureStatus: rule(
    "H104",
    "SHOULD",
    "A failure has a status that the description names",
    "OpenAPI 3.1.1, section 4.8.16 (Responses Object)",
  ),
  serverError: rule("H105", "MUST", "No request makes the server fail", "RFC 9110, section 15.6"),
  contentType: rule(
    "H106",
    "MUST",
    "A body has a media type that the description names for its status",
    "OpenAPI 3.1.1, section 4.8.17 (Response Object)",
  ),
  readable: rule("H107", "MUST", "A body can be read as its media type says", "RFC 9110, section 8.3"),
  body: rule("H108", "MUST", "A body is of the type that the description gives it", described),
  requiredHeader: rule("H109", "MUST", "A header that the description requires is there", described),
  header: rule("H110", "MUST", "A header is of the type that the description gives it", described),
  noContent: rule(
    "H111",
    "MUST",
    "An answer to HEAD, and one with status 204, 205 or 304, has no content",
    "RFC 9110, sections 6.4.1 and 15.3.6",
  ),
  undocumentedBody: rule(
    "H112",
    "SHOULD",
    "An answer has no body where the description gives its status none",
    described,
  ),
  failureBody: rule(
    "H113",
    "MUST",
    "The body of a failure is of the type that the description gives its status",
    described,
  ),
  redirect: rule("H115", "SHOULD", "A request is answered where it is sent, and not redirected", described),
  failureText: rule("H116", "MUST", "A failure has the text that the description fixes for it", described),
  headerSyntax: rule(
    "H117",
    "MUST",
    "Link, ETag and Last-Modified are written as HTTP writes them",
    "RFC 8288, section 3; RFC 9110, sections 8.8.2 and 8.8.3",
  ),
  problemStatus: rule(
    "H118",
    "MUST",
    "The status in a problem's details is the one of its answer",
    "RFC 9457, section 3.1.2",
  ),
  offered: rule(
    "H119",
    "MUST",
    "Each media type that the description has for a success is served to those who ask for it",
    "RFC 9110, section 12.5.1",
  ),
  documentedAccept: rule(
    "H120",
    "MUST",
    "A media type that can't be served is answered with 406, where the description has a 406",
    "RFC 9110, section 15.5.7",
  ),
  offeredLikely: rule(
    "H121",
    "SHOULD",
    "A media type that is asked for and documented is served rather than another documented one",
    "RFC 9110, section 12.5.1",
  ),
  formatLikely: rule(
    "H122",
    "SHOULD",
    "A time has an offset and an address a scheme, where the description calls them date-time and uri",
    "RFC 3339, section 5.6; RFC 3986, section 3.1",
  ),

  // What is found and what is allowed is accepted.
  foundId: rule("H201", "heuristic", "What one answer names is found by the operation that looks it up", named),
  linkedFound: rule(
    "H204",
    "MUST",
    "What a declared link takes from an answer is found by the operation that it leads to",
    "OpenAPI 3.1.1, section 4.8.20 (Link Object)",
  ),

  // What is wrong is refused.
  brokenBody: rule("H307", "MUST", "A body that can't be read is refused", "RFC 9110, section 15.5.1"),
  unknownMediaType: rule(
    "H308",
    "SHOULD",
    "A body of a media type that the description does not name is refused",
    "RFC 9110, section 15.5.16",
  ),
  accept: rule(
    "H309",
    "SHOULD",
    "A request that accepts no documented media type is answered with 406, or with a documented one all the same",
    "RFC 9110, section 12.5.1",
  ),
  neverRefused: rule(
    "H310",
    "SHOULD",
    "Wrong values get the failure that is documented for them, and not 404 every one",
    described,
  ),

  // HTTP itself.
  unknownPath: rule("H401", "SHOULD", "A path that does not exist is answered with 404", "RFC 9110, section 15.5.5"),
  head: rule(
    "H402",
    "SHOULD",
    "HEAD is answered with the same status and headers as GET",
    "RFC 9110, sections 9.1 and 9.3.2",
  ),
  methodNotAllowed: rule(
    "H403",
    "SHOULD",
    "A method that a path does not have is answered with 405",
    "RFC 9110, section 15.5.6",
  ),
  allow: rule("H405", "MUST", "A 405 names in Allow the methods that its path has", "RFC 9110, section 15.5.6"),
  allowNames: rule(
    "H406",
    "SHOULD",
    "Allow names the methods that the description has for the path",
    "RFC 9110, section 10.2.1",
  ),
  conditional: rule(
    "H407",
    "MUST",
    "A request with If-None-Match or If-Modified-Since is answered with 304 or as one without it",
    "RFC 9110, section 13.1.2",
  ),
  notModified: rule(
    "H408",
    "SHOULD",
    "A request with If-None-Match is answered with 304 where nothing changed",
    "RFC 9110, section 13.1.2",
  ),
  inventedPath: rule(
    "H409",
    "MUST",
    "A path that does not exist is not answered with data",
    "RFC 9110, section 15.5.5",
  ),
  documentedCondition: rule(
    "H410",
    "MUST",
    "A request with If-None-Match is answered with 304 where nothing changed and the description has a 304 or this header",
    "RFC 9110, section 13.1.2",
  ),
  tagOfContent: rule(
    "H412",
    "heuristic",
    "The entity tag stays the same as long as the content does",
    "values in responses; RFC 9110, section 8.8.3",
  ),
  servedDescription: rule(
    "H411",
    "heuristic",
    "The description that a target serves of itself has the operations of this one, with their parameters",
    named,
  ),

  // Between answers, and between an answer and the description.
  pages: rule("R108", "heuristic", "Pages go on where the one before them ended, and share no element", named),
  part: rule("R127", "heuristic", "What a switch lists is a part of what is listed where it is the other way", named),
  effect: rule(
    "R113",
    "heuristic",
    "A parameter that chooses what an answer tells does what the description says or shows of it",
    named,
  ),
  effectLikely: rule(
    "R121",
    "heuristic",
    "A parameter that chooses what an answer tells does what its name says",
    named,
    "weak",
  ),
  linkedPages: rule("R126", "MUST", "The header Link leads to the pages that it names", "RFC 8288, section 3.3"),
};
