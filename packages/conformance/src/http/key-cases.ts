import { withPlace } from "../suite/with-place.ts";
import { wrongKeys } from "../wire/wrong-keys.ts";
import type { Finding } from "../contract/finding.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import type { SuiteHttpOperation } from "../suite/suite.ts";
import { isSuccessStatus, judgeAnswer } from "./http-answer.ts";
import { caseOf, type HttpContext, type Observation, wellObserved } from "./http-context.ts";
import { anyFindings, detailOf } from "./http-expect.ts";
import { httpRules } from "./http-rules.ts";

/** Ways of not having the key, of operations that ask for one. */
export function planKeys(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const { apiKey } = context.session.options;
  const observed = wellObserved(context, operation.name)[0];
  if (apiKey === undefined || observed === undefined || !asksForKey(operation)) return [];
  return wrongKeys(apiKey, ["no-key", "a-wrong-key", "an-almost-right-key"]).map(({ name, key }) =>
    caseOf(context, operation, {
      group: "key",
      name,
      rule: httpRules.key,
      expected: "status 401 with WWW-Authenticate",
      play: async (play) => {
        const answer = await play.send(observed.request, { key });
        const judged = judgeAnswer(operation, answer, context.types);
        const observation: Observation = { ...observed, judged };
        if (answer.status >= 500) return anyFindings(context, play, observation);
        return keyFindings(context, observation, name);
      },
    }),
  );
}

function keyFindings(context: HttpContext, observation: Observation, name: string): readonly Finding[] {
  const { operation, judged } = observation;
  const { status, headers } = judged.answer;
  const where = withPlace(operation.place);
  const what = name.replaceAll("-", " ");
  if (isSuccessStatus(status)) {
    return [{ rule: httpRules.key, message: `The operation lets callers in with ${what}`, ...where }];
  }
  if (status !== 401) {
    const message = `A caller with ${what} is answered with status ${status} instead of 401`;
    return [{ rule: httpRules.keyStatus, message, ...detailOf(observation), ...where }];
  }
  if (headers.has("www-authenticate")) return judged.findings;
  const message = "The 401 has no WWW-Authenticate";
  return [
    { rule: hasChallenge(context, operation) ? httpRules.challenge : httpRules.challengeOfKey, message, ...where },
    ...judged.findings,
  ];
}

/** Keys of an `apiKey` scheme have no challenge that HTTP knows. */
function hasChallenge({ suite }: HttpContext, { security = [] }: SuiteHttpOperation): boolean {
  const schemes = security.flatMap((requirement) => requirement.map(({ scheme }) => suite.security[scheme]));
  return schemes.length > 0 && schemes.every((scheme) => scheme !== undefined && scheme.kind !== "api-key");
}

/** An operation that the description opens to everybody is not closed by a wrong key. */
function asksForKey({ security }: SuiteHttpOperation): boolean {
  return security !== undefined && security.length > 0 && security.every((requirement) => requirement.length > 0);
}
