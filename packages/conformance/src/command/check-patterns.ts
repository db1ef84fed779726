import { beginsWithOperation, matchesAny } from "../basics/name-pattern.ts";
import { suggestion, UsageError } from "@nodewright/terminal-text";
import { protocolOperation } from "../contract/planned-case.ts";
import { planSuite } from "../run/plan-suite.ts";
import { describedOperations } from "../suite/described-operations.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import type { ConformArguments } from "./conform-arguments.ts";
import { flagOf } from "./conform-options.ts";

/** Options that match operations, and those that match cases too. */
const operationPatterns = ["safe", "unsafe", "mayBeMissing", "enabled"] as const;
const casePatterns = ["only", "skip"] as const;

/**
 * Rejects patterns that can't match anything in a suite: a typo must not silently change a run.
 *
 * @throws {UsageError} for the first one
 */
export function checkPatterns(suite: ConformanceSuite, given: ConformArguments): void {
  const names = [...new Set([...describedOperations(suite).flatMap((one) => one.names), protocolOperation])];
  for (const option of operationPatterns) {
    const idle = given[option]?.find((pattern) => !matchesAny([pattern], names));
    if (idle !== undefined) throw idlePattern(flagOf(option), idle, "operation", names);
  }
  const isIdle = (pattern: string, known: readonly string[]): boolean =>
    !matchesAny([pattern], known) && !beginsWithOperation(pattern, known);
  const open = casePatterns.flatMap((option) =>
    (given[option] ?? []).filter((pattern) => isIdle(pattern, names)).map((pattern) => ({ option, pattern })),
  );
  if (open.length === 0) return;
  // Operations that a schema has in addition to those of documents, and ids that begin with a wildcard.
  const { cases } = planSuite(suite, { baseUrl: "http://plan.invalid", allowWrites: true });
  const planned = [...new Set(cases.flatMap(({ id, operation }) => [operation, id]))];
  // Cases that depend on responses are unknown here: a pattern that begins with a wildcard may match one.
  const idle = open.find(({ pattern }) => isIdle(pattern, planned) && !pattern.startsWith("*"));
  if (idle !== undefined) throw idlePattern(idle.option, idle.pattern, "operation or case", [...names, ...planned]);
}

function idlePattern(option: string, pattern: string, what: string, names: readonly string[]): UsageError {
  return new UsageError(
    `--${option} ${pattern} matches no ${what}${suggestion(pattern, names)}: --plan lists them; * matches any characters.`,
  );
}
