import type { PlainRequest } from "../../contract/exchange.ts";
import type { Finding } from "../../contract/finding.ts";
import type { CaseDraft, CasePlay } from "../../contract/planned-case.ts";
import { documentsStatus, isSuccessStatus } from "./classify-response.ts";
import type { HttpContext, Observation } from "./http-context.ts";
import { httpRules } from "./http-rules.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import { faultOf, hasSameContent, type Variant, variantOf, withHeaders } from "./variant-case.ts";

/** A year in milliseconds. */
const longBefore = 31_536_000_000;

/** Plans conditional requests for responses with an entity tag or a `Last-Modified`. */
export function planConditions(context: HttpContext, from: Observation): readonly CaseDraft[] {
  const { headers } = from.checked.response;
  const [tag, date] = [headers.get("etag"), headers.get("last-modified")];
  // Well before the response's `Last-Modified`.
  const before = new Date(Date.parse(date ?? "") - longBefore);
  const variant = (name: string, given: PlainRequest["headers"], check: Variant["check"]): CaseDraft =>
    variantOf(context, from, {
      name,
      rule: httpRules.conditional,
      expected: "status 304 where nothing changed, otherwise the complete response",
      isLive: true,
      request: withHeaders(from, given),
      check: (observation, play) =>
        observation.checked.response.status >= 500 ? observation.checked.findings : check(observation, play),
    });
  const responded = (name: string, given: PlainRequest["headers"], what: string): CaseDraft =>
    variant(name, given, ({ checked }) =>
      isSuccessStatus(checked.response.status) ? checked.findings : [unexpected(what, checked.response.status)],
    );
  return [
    ...(tag === undefined
      ? []
      : [
          variant("same-tag", { "if-none-match": tag }, async (observation, play) => [
            ...sameTagFindings(observation, tag),
            ...(await restlessTagFindings(play, observation)),
          ]),
          responded("other-tag", { "if-none-match": '"nodewright-no-such-tag"' }, "an entity tag that was never given"),
        ]),
    ...(tag === undefined && date !== undefined && isConditionDocumented(from.operation, "if-modified-since")
      ? [variant("same-date", { "if-modified-since": date }, (observation) => sameDateFindings(observation, date))]
      : []),
    ...(Number.isNaN(before.getTime())
      ? []
      : [responded("changed-since", { "if-modified-since": before.toUTCString() }, "a time before the last change")]),
  ];
}

function sameTagFindings(observation: Observation, given: string): readonly Finding[] {
  const { operation, checked } = observation;
  const { status, headers } = checked.response;
  if (status === 304) {
    const found = checked.findings.filter(({ rule }) => rule === httpRules.noContent);
    // RFC 9110, section 15.4.5: headers that a 200 would have had.
    const message = "The 304 has no ETag, which the 200 has";
    return headers.has("etag") ? found : [...found, faultOf(observation, httpRules.conditional, message)];
  }
  if (!isSuccessStatus(status)) return [unexpected("the entity tag that was given", status)];
  if (headers.get("etag") !== given) return [];
  const rule = isConditionDocumented(operation, "if-none-match")
    ? httpRules.documentedCondition
    : httpRules.notModified;
  return [faultOf(observation, rule, "A request with the current entity tag has a complete response")];
}

function isConditionDocumented(operation: SuiteHttpOperation, header: string): boolean {
  return (
    documentsStatus(operation, 304) ||
    operation.parameters.some(({ location, name }) => location === "header" && name.toLowerCase() === header)
  );
}

function sameDateFindings(observation: Observation, given: string): readonly Finding[] {
  const { status, headers } = observation.checked.response;
  if (!isSuccessStatus(status)) return status === 304 ? [] : [unexpected("the time of the last change", status)];
  const message = "A request with the time of the last change has a complete response";
  return headers.get("last-modified") === given ? [faultOf(observation, httpRules.documentedCondition, message)] : [];
}

/**
 * Number of consecutive responses, each to a request with the entity tag of the previous one, after which a tag is considered to change
 * each time.
 */
const restlessReads = 3;

/** Returns a finding when the entity tag differs in each response although the content stays the same. */
async function restlessTagFindings(play: CasePlay, observation: Observation): Promise<readonly Finding[]> {
  const tags = new Set([observation.request.headers["if-none-match"]]);
  for (let { response } = observation.checked; ; ) {
    const tag = response.headers.get("etag");
    if (!isSuccessStatus(response.status) || tag === undefined || tags.has(tag)) return [];
    tags.add(tag);
    if (tags.size > restlessReads) break;
    const next = await play.send(withHeaders(observation, { "if-none-match": tag }));
    if (!hasSameContent(next, response)) return [];
    response = next;
  }
  const message = "The entity tag is another in each response, though the content is the same";
  return [faultOf(observation, httpRules.tagOfContent, message, [...tags].join(", "))];
}

function unexpected(what: string, status: number): Finding {
  return { rule: httpRules.conditional, message: `A condition with ${what} results in the status ${status}` };
}
