import { isRecord } from "@nodewright/api-model";
import { propertyRules } from "../../properties/property-rules.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { withPlace } from "../../suite/with-place.ts";
import { type GraphqlQuestion, postOf } from "./graphql-request.ts";
import { graphqlRules } from "./graphql-rules.ts";
import { type GraphqlResponse, isOwnMediaType, readResponse } from "./read-response.ts";
import { refusalOf } from "./refusal.ts";

/** A request that has to be refused. */
export interface RefusedRequest {
  readonly question: GraphqlQuestion;
  readonly rule: Rule;
  /** What is wrong, as the end of "is refused where …". */
  readonly because: string;
  /** What is wrong as the subject of a message, where it is a value. */
  readonly subject?: string;
  /** The value with what the schema allows. */
  readonly accepted?: string | undefined;
  readonly place?: string | undefined;
}

/** Sends a request that has to be refused. */
export async function playRefused(
  request: RefusedRequest,
  play: CasePlay,
): Promise<{ readonly response: GraphqlResponse; readonly findings: readonly Finding[] }> {
  const { question } = request;
  const response = readResponse(await play.send(postOf(question)), question.query);
  if (refusalOf(response) === "denied" && response.answer.status !== 200)
    return play.skip("The target says that this may not be asked");
  return { response, findings: refusalFindings(request, response) };
}

/** What a request that is wrong has to be answered with: errors, no data, and a status that says so. */
function refusalFindings(
  { rule, because, subject, accepted, place, question }: RefusedRequest,
  response: GraphqlResponse,
): readonly Finding[] {
  const { answer, errors, hasData, data } = response;
  const spot = withPlace(place);
  const { status } = answer;
  // Before GraphQL is come to, an answer need not be one of GraphQL.
  if (!response.isResponse && status >= 400 && status < 500) return [];
  const findings: Finding[] = [...response.findings];
  if (!response.isResponse)
    return findings.length > 0 ? findings : [{ rule, message: `No refusal is given where ${because}`, ...spot }];
  if (errors.length === 0) {
    const detail = accepted === undefined ? {} : { detail: accepted };
    const message = subject === undefined ? `A request is not refused where ${because}` : `${subject} is accepted`;
    findings.push({ rule, message, ...detail, ...spot });
    return findings;
  }
  if (hasData && (rule.level === "MUST" || data !== null) && !(rule.level !== "MUST" && isRecord(data))) {
    const message =
      data === null ? `data is null, and should not be there, where ${because}` : `There is data where ${because}`;
    findings.push({ rule: data === null ? graphqlRules.noNullData : graphqlRules.noData, message, ...spot });
  }
  // Widely used servers tell of variables with 200: that is looked at once, with the protocol.
  const isOfVariables = subject !== undefined || rule === propertyRules.invalidInput;
  if (isOwnMediaType(answer) && status >= 200 && status < 300 && !hasData && !isOfVariables) {
    findings.push({ rule: graphqlRules.clientError, message: `The status is ${status} where ${because}`, ...spot });
  }
  const isLegacy = !isOwnMediaType(answer);
  if (isLegacy && !(status >= 200 && status < 300) && !(status >= 400 && status < 500) && status < 500) {
    findings.push({ rule: graphqlRules.legacyStatus, message: `The status is ${status} where ${because}`, ...spot });
  }
  const isInText =
    rule === graphqlRules.syntax || rule === graphqlRules.emptySelection || rule === graphqlRules.invalidDocument;
  if (
    isInText &&
    question.query !== "" &&
    !question.query.startsWith("#") &&
    !errors.some(({ isLocated }) => isLocated)
  ) {
    findings.push({ rule: graphqlRules.syntaxLocations, message: "No error has locations", detail: because, ...spot });
  }
  return findings;
}
