import { namesAlternatives } from "../../inference/name-meaning.ts";
import { withPlace } from "../../suite/with-place.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CasePlay } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import { shorten } from "../../compare/show-value.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { documentsStatus, isSuccessStatus } from "./http-answer.ts";
import { type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { httpRules } from "./http-rules.ts";

/** Text of an answer that stands beside a finding. */
const shownText = 200;

/** The answer to a request that has to succeed. Skips the case where the target does not let this key in, or has not the operation. */
export function successFindings(
  context: HttpContext,
  play: CasePlay,
  observation: Observation,
  rule: Rule,
): readonly Finding[] {
  const { operation, judged } = observation;
  skipUnjudged(context, play, observation);
  if (judged.kind === "success") return judged.findings;
  if (judged.kind === "undocumented" && isSuccessStatus(judged.answer.status)) return judged.findings;
  const { status } = judged.answer;
  if (status >= 500) return [serverFailed(operation, observation), ...judged.findings.filter(isNoServerError)];
  // RFC 9110, section 15.5.10: a conflict is with the state of the target, not with the request.
  if (status === 409 && documentsStatus(operation, status)) return judged.findings;
  return [
    {
      rule,
      message: `Status ${status} instead of a success`,
      ...detailOf(observation),
      ...withPlace(operation.place),
    },
    ...judged.findings.filter((finding) => finding.rule !== rule && finding.rule !== httpRules.failureStatus),
  ];
}

/** The answer to a request that may fail or not: only what is wrong with it by itself. */
export function anyFindings(context: HttpContext, play: CasePlay, observation: Observation): readonly Finding[] {
  skipUnjudged(context, play, observation);
  const { judged, operation } = observation;
  const isFailed = judged.answer.status >= 500;
  if (!isFailed) return judged.findings;
  return [serverFailed(operation, observation), ...judged.findings.filter(isNoServerError)];
}

/** Skips the case where the answer says nothing of what was asked for. */
export function skipUnjudged(context: HttpContext, play: CasePlay, observation: Observation): void {
  const { session, suite } = context;
  const { operation, judged } = observation;
  const { status } = judged.answer;
  if (status === 501 && (session.options.mayBeMissing ?? []).includes(operation.name)) {
    play.skip("The target has not this operation");
  }
  // Who was let in once is let in.
  if ((status !== 401 && status !== 403) || wellObserved(context, operation.name).length > 0) return;
  const asksForKey = (operation.security?.length ?? 0) > 0 || Object.keys(suite.security).length > 0;
  const hasKey = session.options.apiKey !== undefined || session.options.basic !== undefined;
  if (!hasKey && (asksForKey || documentsStatus(operation, status)))
    play.skip("The target lets nobody in without a key");
  if (wantsOtherCredentials(context, operation)) play.skip("The run has not the credentials that the operation wants");
}

/** Whether no alternative of an operation's security is met by the one key, or the user and password, of the run. */
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

/** The status and the beginning of the text of an answer. */
export function detailOf({ judged }: Observation): { readonly detail: string } {
  const { status, text } = judged.answer;
  const shown = text === undefined || text === "" ? "" : `: ${shorten(text.replaceAll(/\s+/g, " "), shownText)}`;
  return { detail: `status ${status}${shown}` };
}

/** Returns whether what a response shows names several optional parameters. */
export function refersToAlternatives(observation: Observation): boolean {
  return namesAlternatives(detailOf(observation).detail, observation.operation.parameters);
}

function serverFailed(operation: SuiteHttpOperation, observation: Observation): Finding {
  const { status } = observation.judged.answer;
  return {
    rule: httpRules.serverError,
    message: `The server failed with status ${status}`,
    ...detailOf(observation),
    ...withPlace(operation.place),
  };
}

function isNoServerError({ rule }: Finding): boolean {
  return rule !== httpRules.serverError;
}
