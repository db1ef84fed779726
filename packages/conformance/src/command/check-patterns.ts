import { beginsWithOperation, matchesAny } from "../basics/name-pattern.ts";
import { suggestion, UsageError } from "@nodewright/terminal-text";
import { protocolOperation } from "../contract/planned-case.ts";
import { planSuite } from "../run/plan-suite.ts";
import { describedOperations } from "../suite/described-operations.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { ConformArguments } from "./conform-arguments.ts";

/** Options that name operations, and those that name cases too. */
const operationPatterns = ["safe", "unsafe", "mayBeMissing", "enabled"] as const;
const casePatterns = ["only", "skip"] as const;

/**
 * Refuses patterns that nothing in a suite can match: a run must not do otherwise than it was told to for a slip of the pen.
 *
 * @throws {UsageError} for the first one
 */
export function checkPatterns(suite: ConformanceSuite, given: ConformArguments): void {
  const names = [...new Set([...describedOperations(suite).flatMap((one) => one.names), protocolOperation])];
  for (const option of operationPatterns) {
    const idle = given[option]?.find((pattern) => !matchesAny([pattern], names));
    if (idle !== undefined)
      throw idlePattern(option === "mayBeMissing" ? "may-be-missing" : option, idle, "operation", names);
  }
  const isIdle = (pattern: string, known: readonly string[]): boolean =>
    !matchesAny([pattern], known) && !beginsWithOperation(pattern, known);
  const open = casePatterns.flatMap((option) =>
    (given[option] ?? []).filter((pattern) => isIdle(pattern, names)).map((pattern) => ({ option, pattern })),
  );
  if (open.length === 0) return;
  // Operations that a schema has besides those of documents, and ids that begin with any text.
  const { cases } = planSuite(suite, { baseUrl: "http://plan.invalid", allowWrites: true });
  const planned = [...new Set(cases.flatMap(({ id, operation }) => [operation, id]))];
  // What comes of answers can't be known before: a pattern that begins with any text may match it.
  const idle = open.find(({ pattern }) => isIdle(pattern, planned) && !pattern.startsWith("*"));
  if (idle !== undefined) throw idlePattern(idle.option, idle.pattern, "operation or case", [...names, ...planned]);
}

function idlePattern(option: string, pattern: string, what: string, names: readonly string[]): UsageError {
  return new UsageError(
    `--${option} ${pattern} matches no ${what}${suggestion(pattern, names)}: --plan lists them; * stands for any text.`,
  );
}
