import { beginsWithOperation, matchesAny } from "../basics/name-pattern.ts";
import type { RunOptions } from "../contract/options.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import { operationNames } from "../suite/described-operations.ts";
import type { ConformanceSuite } from "../suite/suite.ts";

/** Selection of reported cases, and of those that only provide values. */
export interface Selection {
  isSelected(planned: Pick<PlannedCase, "id" | "operation">): boolean;
  /** Returns whether cases of an operation may be selected, including those that are planned from responses. */
  maySelect(operation: string): boolean;
  /** Returns whether a case that is not selected may provide values that selected ones need. */
  isPrerequisite(planned: Pick<PlannedCase, "id" | "operation" | "group">): boolean;
}

export function createSelection(suite: ConformanceSuite, { only, skip }: Pick<RunOptions, "only" | "skip">): Selection {
  const namesOf = operationNames(suite);
  const wanted = only === undefined || only.length === 0 ? ["*"] : only;
  return {
    maySelect: (operation) => {
      const own = namesOf(operation);
      if (matchesAny(skip, own)) return false;
      return matchesAny(wanted, own) || wanted.some((one) => beginsWithOperation(one, own));
    },
    isSelected: ({ id, operation }) => {
      const own = [id, ...namesOf(operation)];
      return matchesAny(wanted, own) && !matchesAny(skip, own);
    },
    isPrerequisite: ({ id, operation, group }) =>
      ["example", "live", "boundary"].includes(group) && !matchesAny(skip, [id, ...namesOf(operation)]),
  };
}
