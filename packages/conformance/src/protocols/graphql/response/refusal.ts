import type { CasePlay } from "../../../contract/planned-case.ts";
import { type RefusalKind, refusalKindOf } from "../../../inference/refusal-words.ts";
import type { GraphqlResponse } from "./read-response.ts";

/** Returns why a response has no data, inferred from its errors. */
export function refusalOf(response: GraphqlResponse): RefusalKind {
  const { status } = response.received;
  if (status === 401 || status === 403) return "denied";
  if (status === 413 || status === 414) return "size";
  const kinds = response.errors.map(refusalKindOf);
  return kinds.find((kind) => kind !== "unknown") ?? "unknown";
}

/** Reasons of refusals that are unrelated to the request; a case that ends with one is skipped. */
const reasonsOfTarget: Readonly<Partial<Record<RefusalKind, string>>> = {
  denied: "The target reports that this is not allowed",
  size: "The target reports that this is too much",
  missing: "The target reports that it does not offer this",
};

/** Returns whether the reason of a refusal is unrelated to the values of a request. */
export function isOfTarget(response: GraphqlResponse): boolean {
  return reasonsOfTarget[refusalOf(response)] !== undefined;
}

/** Skips a case when the reason of a refusal is unrelated to the values of a request. */
export function skipRefused(play: CasePlay, response: GraphqlResponse): void {
  const reason = reasonsOfTarget[refusalOf(response)];
  if (reason !== undefined) play.skip(reason);
}

/** Returns the reason that a response without data gives. */
export function reasonOf({ errors, received }: GraphqlResponse): string {
  return errors[0]?.message ?? `status ${received.status}`;
}

/** Returns the message for a field that fails because the server's own value does not match its type. */
export function rejectionText(field: string): string {
  return `${field} fails, since the server's own value is not of its type`;
}
