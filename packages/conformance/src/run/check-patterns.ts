import { describedOperations } from "../suite/described-operations.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { protocolOperation } from "../contract/planned-case.ts";
import { beginsWithOperation, matchesAny } from "../basics/name-pattern.ts";
import type { RunOptions } from "../contract/options.ts";
import { planSuite } from "./plan-suite.ts";

/** Options that name operations, and those that name cases too. */
const operationPatterns = ["safe", "unsafe", "mayBeMissing", "enabled"] as const;
const casePatterns = ["only", "skip"] as const;

type PatternOption = (typeof operationPatterns)[number] | (typeof casePatterns)[number];

/** A pattern that nothing in a suite can match, most likely misspelt. */
export interface IdlePattern {
  readonly option: PatternOption;
  readonly pattern: string;
  /** What it could have meant. */
  readonly names: readonly string[];
}

/** Finds a pattern that matches nothing: a run must not do otherwise than it was told to for a slip of the pen. */
export function findIdlePattern(
  suite: ConformanceSuite,
  options: Pick<RunOptions, PatternOption>,
): IdlePattern | undefined {
  const names = [...new Set([...describedOperations(suite).flatMap((one) => one.names), protocolOperation])];
  for (const option of operationPatterns)
    for (const pattern of options[option] ?? []) if (!matchesAny([pattern], names)) return { option, pattern, names };
  const open = casePatterns.flatMap((option) =>
    (options[option] ?? [])
      .filter((pattern) => !matchesAny([pattern], names) && !beginsWithOperation(pattern, names))
      .map((pattern) => ({ option, pattern })),
  );
  if (open.length === 0) return undefined;
  // Operations that a schema has besides those of documents, and ids that begin with any text.
  const { cases } = planSuite(suite, { baseUrl: "http://plan.invalid", allowWrites: true });
  const planned = [...new Set(cases.flatMap(({ id, operation }) => [operation, id]))];
  const idle = open.find(
    ({ pattern }) => !matchesAny([pattern], planned) && !beginsWithOperation(pattern, planned) && !isAnyText(pattern),
  );
  return idle === undefined ? undefined : { ...idle, names: [...names, ...planned] };
}

/** What comes of answers can't be known before: a pattern that begins with any text may match it. */
function isAnyText(pattern: string): boolean {
  return pattern.startsWith("*");
}
