import { withPlace } from "../../suite/with-place.ts";
import type { PlannedCase } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { SuiteTypes } from "../../suite/suite-type.ts";
import { isValueOf } from "../../types/violations.ts";
import type { PlainRequest } from "../../contract/exchange.ts";
import { bareInputOf } from "./example-cases.ts";
import { isSuccessStatus, judgeAnswer } from "./http-answer.ts";
import { caseOf, type HttpContext } from "./http-context.ts";
import { anyFindings, detailOf } from "./http-expect.ts";
import { contentOf, type Input, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";
import { textOf } from "../../compare/list-of.ts";
import { baseInputOf } from "./relation-base.ts";
import { documentedRefusals, refusalText } from "./refusal.ts";
import { planUnknown } from "./not-found-cases.ts";
import { lenientReadings } from "./wire-readings.ts";

/** Identifiers that nothing has. */
export function planAbsent(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation) ?? bareInputOf(operation);
  if (base === undefined) return [];
  return planUnknown(context, operation, base);
}

/** Bodies that can't be read, and a documented refusal that no invalid value gets. */
export function planRefusals(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const base = baseInputOf(context, operation) ?? bareInputOf(operation);
  const broken = base === undefined ? [] : planBrokenBodies(context, operation, base);
  return [...broken, ...planNeverRefused(context, operation)];
}

function planBrokenBodies(context: HttpContext, operation: SuiteHttpOperation, base: Input): readonly PlannedCase[] {
  const request = requestOf(operation, base);
  const content = contentOf(operation, base);
  if (request?.body === undefined || content?.form !== "json") return [];
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

/** A documented 400 of an operation that has nothing but its path is what wrong values in the path get. */
function planNeverRefused(context: HttpContext, operation: SuiteHttpOperation): readonly PlannedCase[] {
  const isPathOnly =
    operation.parameters.length > 0 && operation.parameters.every(({ location }) => location === "path");
  if (!isPathOnly || operation.body !== undefined || documentedRefusals(operation).length === 0) return [];
  return [
    caseOf(context, operation, {
      group: "negative",
      name: "refused-as-documented",
      rule: httpRules.neverRefused,
      expected: `${refusalText(operation)} to at least one wrong value`,
      requests: 0,
      play: async (play) => {
        const wrong = (context.observations.get(operation.name) ?? []).filter(({ input }) =>
          operation.parameters.some(({ property, type }) => isWrongReading(input[property], type, context.types)),
        );
        if (wrong.length < 2) return play.skip("Too few wrong values were sent");
        if (!wrong.every(({ judged }) => judged.answer.status === 404)) return [];
        const message = `Every wrong value is answered with 404 instead of ${documentedRefusals(operation).join(" or ")}`;
        return [{ rule: httpRules.neverRefused, message, ...withPlace(operation.place) }];
      },
    }),
  ];
}

function isWrongReading(value: unknown, type: SuiteParameter["type"], types: SuiteTypes): boolean {
  if (value === undefined) return false;
  return lenientReadings(textOf(value)).every((one) => !isValueOf(type, one, types, "request"));
}
