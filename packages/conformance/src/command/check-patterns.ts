import { findIdlePattern } from "../run/check-patterns.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { ConformArguments } from "./conform-arguments.ts";
import { suggestion } from "../basics/suggestion.ts";
import { UsageError } from "../basics/usage-error.ts";

const optionNames = { mayBeMissing: "may-be-missing" } as const;

/**
 * Refuses patterns that match nothing.
 *
 * @throws {UsageError} for the first one
 */
export function checkPatterns(suite: ConformanceSuite, given: ConformArguments): void {
  const idle = findIdlePattern(suite, given);
  if (idle === undefined) return;
  const { option, pattern, names } = idle;
  const name = option === "mayBeMissing" ? optionNames[option] : option;
  const what = option === "only" || option === "skip" ? "operation or case" : "operation";
  throw new UsageError(
    `--${name} ${pattern} matches no ${what}${suggestion(pattern, names)}: --plan lists them; * stands for any text.`,
  );
}
