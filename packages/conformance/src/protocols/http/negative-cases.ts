import { finding } from "../../contract/finding.ts";
import type { CaseDraft } from "../../contract/planned-case.ts";
import type { Rule } from "../../contract/rule.ts";
import type { PlainRequest } from "../../contract/exchange.ts";
import { detailOf, isSuccessStatus } from "./http-answer.ts";
import type { HttpOperation } from "./http-operation.ts";
import { variantOf } from "./variant-case.ts";

import { contentOf, requestOf } from "./http-request.ts";
import { httpRules } from "./http-rules.ts";

/** Bodies that can't be read. */
export function planBrokenBodies({ context, source: operation, base }: HttpOperation): readonly CaseDraft[] {
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
    variantOf(
      context,
      { operation, input: base },
      {
        group: "negative",
        name,
        rule,
        expected: "a failure of the caller's: 400, 415 or 422",
        request: sent,
        check: ({ judged }) =>
          isSuccessStatus(judged.answer.status)
            ? [finding(rule, `${what} is accepted`, detailOf(judged.answer), { place: operation.body?.place })]
            : judged.findings,
      },
    ),
  );
}
