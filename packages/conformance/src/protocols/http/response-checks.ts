import { withPlace } from "../../suite/with-place.ts";
import type { Finding } from "../../contract/finding.ts";
import { showValue } from "../../compare/show-value.ts";
import { moreOf, nextTokenOf } from "../../inference/page-members.ts";
import type { ResponseCheck, HttpContext, Observation } from "./http-context.ts";
import { httpRules } from "./http-rules.ts";
import { propertyRules } from "../../properties/property-rules.ts";
import { pageLinksOf } from "./page-link.ts";
import { parametersOfRole } from "./operation-shape.ts";
import { inspectReceived } from "./property-operation.ts";

/** Checks within a single response, given its request: they need no further request. */
export const responseChecks: readonly ResponseCheck[] = [inspectReceived, checkMore, checkHeaders];

const entityTag = /^(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"$/;
const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/;
const obsoleteDate = /^(?:[A-Z][a-z]+day, \d{2}-|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d )/;

/** Checks headers whose syntax is defined by HTTP, independent of the description. */
function checkHeaders(_context: HttpContext, { checked }: Observation): readonly Finding[] {
  const isRight: Readonly<Record<string, (text: string) => boolean>> = {
    link: (text) => text.trim() === "" || /^[\s,]*<[^<>]*>/.test(text),
    etag: (text) => entityTag.test(text),
    "last-modified": (text) => httpDate.test(text) || obsoleteDate.test(text),
  };
  return Object.entries(isRight).flatMap(([name, check]): readonly Finding[] => {
    const text = checked.response.headers.get(name);
    if (text === undefined || check(text)) return [];
    const message = `The header ${name} is not written as HTTP writes it`;
    return [{ rule: httpRules.headerSyntax, message, detail: showValue(text) }];
  });
}

/** Checks that an indicator of further pages agrees with the link to the next page. */
function checkMore(context: HttpContext, reported: Observation): readonly Finding[] {
  const { operation, checked } = reported;
  const said = moreOf(checked.value);
  const link = pageLinksOf(reported).body.get("next");
  const place = withPlace(operation.place);
  if (said === false && typeof link === "string") {
    const message = "The body states that no more elements follow, and links to the next page";
    return [{ rule: propertyRules.pagination, message, detail: link, ...place }];
  }
  const isCounted = (["offset", "page"] as const).some(
    (kind) => parametersOfRole(operation, kind, context.types).length > 0,
  );
  if (said !== true || isCounted || link !== null || nextTokenOf(checked.value) !== undefined) return [];
  const message = "The body states that more elements follow, and that there is no next page";
  return [{ rule: propertyRules.pagination, message, ...place }];
}
