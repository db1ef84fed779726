import type { CasePlay } from "../../contract/planned-case.ts";
import { type RefusalKind, refusalKindOf } from "../../inference/refusal-words.ts";
import type { GraphqlResponse } from "./read-response.ts";

/** Reads from a response's errors why it has no data. */
export function refusalOf(response: GraphqlResponse): RefusalKind {
  const { status } = response.answer;
  if (status === 401 || status === 403) return "denied";
  if (status === 413 || status === 414) return "size";
  const kinds = response.errors.map(refusalKindOf);
  return kinds.find((kind) => kind !== "unknown") ?? "unknown";
}

/** Kinds of refusals that say nothing of the request, as a case that ends with one is skipped for. */
const reasonsOfTarget: Readonly<Partial<Record<RefusalKind, string>>> = {
  denied: "The target reports that this is not allowed",
  size: "The target reports that this is too much",
  missing: "The target reports that it does not offer this",
};

/** Whether a refusal has a reason that has nothing to do with the values of a request. */
export function isOfTarget(response: GraphqlResponse): boolean {
  return reasonsOfTarget[refusalOf(response)] !== undefined;
}

/** Skips a case where a refusal has a reason that has nothing to do with the values of a request. */
export function skipRefused(play: CasePlay, response: GraphqlResponse): void {
  const reason = reasonsOfTarget[refusalOf(response)];
  if (reason !== undefined) play.skip(reason);
}

/** What a response that has no data says of it. */
export function reasonOf({ errors, answer }: GraphqlResponse): string {
  return errors[0]?.message ?? `status ${answer.status}`;
}

/** What is wrong with a field whose error is of an unfit value. */
export function unfitText(field: string): string {
  return `${field} fails, since the server's own value is not of its type`;
}
