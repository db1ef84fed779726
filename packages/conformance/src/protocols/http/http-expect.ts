import { type Finding, finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { namesAlternatives } from "../../inference/name-meaning.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { detailOf, documentsStatus, isSuccessStatus } from "./classify-response.ts";
import { callOperation, type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import type { Input } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";

/** Calls an operation like `ask`, for what its response indicates about the input. */
export async function call(
  context: HttpContext,
  play: CasePlay,
  operation: SuiteHttpOperation,
  input: Input,
): Promise<Observation> {
  const observation = await callOperation(context, play, operation, input);
  skipInconclusive(context, play, observation);
  return observation;
}

/** Returns the findings of a request that must succeed. */
export function successFindings(observation: Observation, rule: Rule): readonly Finding[] {
  const { operation, checked } = observation;
  const { status } = checked.response;
  if (checked.kind === "success" || isSuccessStatus(status) || status >= 500) return checked.findings;
  // RFC 9110, section 15.5.10: a conflict is with the state of the target, not with the request.
  if (status === 409 && documentsStatus(operation, status)) return checked.findings;
  return [
    finding(rule, `Status ${status} instead of a success`, detailOf(observation.checked.response), operation),
    ...checked.findings.filter((one) => one.rule !== rule && one.rule !== httpRules.failureStatus),
  ];
}

/** Skips the case when the target denies access to this key or does not have the operation: such a response is unrelated to the input. */
export function skipInconclusive(context: HttpContext, play: CasePlay, { operation, checked }: Observation): void {
  const { session, suite } = context;
  const { status } = checked.response;
  if (status === 501 && (session.options.mayBeMissing ?? []).includes(operation.name)) {
    play.skip("The target has not this operation");
  }
  // Once access was granted, a denial is not about credentials.
  if ((status !== 401 && status !== 403) || wellObserved(context, operation.name).length > 0) return;
  const requiresKey = (operation.security?.length ?? 0) > 0 || Object.keys(suite.security).length > 0;
  const hasKey = session.options.apiKey !== undefined || session.options.basic !== undefined;
  if (!hasKey && (requiresKey || documentsStatus(operation, status))) play.skip("The target requires a key");
  if (wantsOtherCredentials(context, operation)) play.skip("The run has not the credentials that the operation wants");
}

/** Returns whether no alternative of an operation's security is satisfied by the run's key, or its user and password. */
function wantsOtherCredentials(
  { session: { options }, suite }: HttpContext,
  { security }: SuiteHttpOperation,
): boolean {
  if (security === undefined) return false;
  return security.every((requirement) => {
    const kinds = requirement.map(({ scheme }) => suite.security[scheme]?.kind);
    const keys = kinds.filter((kind) => kind !== "basic");
    const hasBasic = keys.length === kinds.length || options.basic !== undefined;
    const hasKeys = keys.length === 0 || (keys.length === 1 && options.apiKey !== undefined);
    return requirement.length > 0 && !(hasBasic && hasKeys);
  });
}

/** Returns whether a response names several optional parameters as alternatives. */
export function refersToAlternatives(observation: Observation): boolean {
  return namesAlternatives(detailOf(observation.checked.response), observation.operation.parameters);
}
