import type { SuiteHttpOperation } from "./suite.ts";
import type { SuiteType } from "./suite-type.ts";

/** Returns the type of an operation's first success that has a value. */
export function resultTypeOf({ successes }: Pick<SuiteHttpOperation, "successes">): SuiteType | undefined {
  return successes.find(({ content }) => content !== undefined)?.content?.type;
}
