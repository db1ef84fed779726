import { propertyRules } from "../../../properties/property-rules.ts";
import { type Finding, finding } from "../../../contract/finding.ts";
import type { CasePlay } from "../../../contract/planned-case.ts";
import type { Rule } from "../../../contract/rule.ts";
import { type GraphqlRequest, postOf } from "../contract/graphql-request.ts";
import { graphqlRules } from "../contract/graphql-rules.ts";
import { type GraphqlResponse, isOwnMediaType, readResponse } from "../response/read-response.ts";
import { formFindings } from "./response-form.ts";
import { refusalOf } from "../response/refusal.ts";

/** A name that no schema has. */
export const noSuchName = "nodewrightNoSuchName";

/** A request that must be refused. */
export interface RefusedRequest {
  readonly request: GraphqlRequest;
  readonly rule: Rule;
  /** Reason, as the end of "is refused where …". */
  readonly because: string;
  /** Subject of a message, when the mistake is a value. */
  readonly subject?: string;
  /** Values that the schema allows instead. */
  readonly accepted?: string | undefined;
  readonly place?: string | undefined;
}

/** Rules for the source text of a document. */
const rulesOfTexts: readonly Rule[] = [graphqlRules.syntax, graphqlRules.emptySelection, graphqlRules.invalidDocument];

/** Sends a request that must be refused. */
export async function playRefused(
  refused: RefusedRequest,
  play: CasePlay,
): Promise<{ readonly response: GraphqlResponse; readonly findings: readonly Finding[] }> {
  const { request } = refused;
  const response = readResponse(await play.send(postOf(request)));
  if (refusalOf(response) === "denied" && response.received.status !== 200)
    return play.skip("The target denies this request");
  return { response, findings: refusalFindings(refused, response) };
}

/** Returns the findings of a response to an invalid request, which requires errors, no data, and a corresponding status. */
function refusalFindings(refused: RefusedRequest, response: GraphqlResponse): readonly Finding[] {
  const { rule, because, subject, accepted, place, request } = refused;
  const { received, errors, hasData, data, isResponse } = response;
  const { status } = received;
  const ofForm = formFindings(response, request.query);
  const found = (broken: Rule, message: string, detail?: string): Finding =>
    finding(broken, message, detail, { place });
  // A response from a layer in front of GraphQL need not be a GraphQL response.
  if (!isResponse && status >= 400 && status < 500) return [];
  if (!isResponse && ofForm.length === 0) return [found(rule, `No refusal is given where ${because}`)];
  if (!isResponse) return ofForm;
  const isAccepted = subject === undefined ? `A request is not refused where ${because}` : `${subject} is accepted`;
  if (errors.length === 0) return [...ofForm, found(rule, isAccepted, accepted)];
  const isOwn = isOwnMediaType(received);
  const isSuccess = status >= 200 && status < 300;
  // Widely used servers report invalid variables with status 200: an audit of the protocol checks that once.
  const isOfVariables = subject !== undefined || rule === propertyRules.invalidInput;
  const isInText = rulesOfTexts.includes(rule) && !/^(?:#|$)/.test(request.query);
  const findings: Finding[] = [...ofForm];
  if (hasData && rule.level === "MUST" && data === null)
    findings.push(found(graphqlRules.noNullData, "data is null, and should not be there", `where ${because}`));
  else if (hasData && rule.level === "MUST")
    findings.push(found(graphqlRules.noData, `There is data where ${because}`));
  const statusRule = isOwn ? graphqlRules.clientError : graphqlRules.legacyStatus;
  if (isOwn ? isSuccess && !hasData && !isOfVariables : !isSuccess && status < 400)
    findings.push(found(statusRule, `The status is ${status} where ${because}`));
  if (isInText && !errors.some(({ isLocated }) => isLocated))
    findings.push(found(graphqlRules.syntaxLocations, "No error has locations", because));
  return findings;
}
