import { withPlace } from "../../suite/with-place.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import type { PlainRequest } from "../../contract/exchange.ts";
import { bareInputOf } from "./example-cases.ts";
import { isSuccessStatus, judgeAnswer } from "./http-answer.ts";
import { caseOf, type HttpContext } from "./http-context.ts";
import { anyFindings, detailOf } from "./http-expect.ts";
import { contentOf, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { baseInputOf } from "./relation-base.ts";
import { planUnknown } from "./not-found-cases.ts";

/** Identifiers that nothing has. */
export function planAbsent(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation) ?? bareInputOf(operation);
  if (base === undefined) return [];
  return planUnknown(context, operation, base);
}

/** Bodies that can't be read. */
export function planBrokenBodies(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation) ?? bareInputOf(operation);
  const request = base && requestOf(operation, base);
  const content = contentOf(operation, base);
  if (base === undefined || request?.body === undefined || content?.form !== "json") return [];
  const { headers } = request;
  const variants: readonly (readonly [string, Rule, string, PlainRequest])[] = [
    ["body-no-json", httpRules.brokenBody, "A body that is no JSON", { ...request, body: '{"' }],
    [
      "body-other-media-type",
      httpRules.unknownMediaType,
      "A body of another media type",
      { ...request, headers: { ...headers, "content-type": "application/x-nodewright" } },
    ],
  ];
  return variants.map(([name, rule, what, sent]) =>
    caseOf(context, operation, {
      group: "negative",
      name,
      rule,
      expected: "a failure of the caller's: 400, 415 or 422",
      play: async (play) => {
        const judged = judgeAnswer(operation, await play.send(sent), context.types);
        const observation = { operation, input: base, request: sent, judged };
        if (!isSuccessStatus(judged.answer.status)) return anyFindings(context, play, observation);
        return [
          { rule, message: `${what} is accepted`, ...detailOf(observation), ...withPlace(operation.body?.place) },
        ];
      },
    }),
  );
}
