import { beginsWithOperation, matchesAny } from "../basics/name-pattern.ts";
import type { RunOptions } from "../contract/options.ts";
import type { PlannedCase } from "../contract/planned-case.ts";
import { describedOperations } from "../suite/described-operations.ts";
import type { ConformanceSuite } from "../suite/suite.ts";

/** Which cases of a run are reported, and which are played for what they find out alone. */
export interface Selection {
  isSelected(planned: Pick<PlannedCase, "id" | "operation">): boolean;
  /** True when cases of an operation may be selected, also those that answers lead to. */
  maySelect(operation: string): boolean;
  /** True when a case that is not selected may find values that selected ones need. */
  isPrerequisite(planned: Pick<PlannedCase, "id" | "operation" | "group">): boolean;
}

export function createSelection(suite: ConformanceSuite, { only, skip }: Pick<RunOptions, "only" | "skip">): Selection {
  const known = new Map(describedOperations(suite).map(({ name, names }) => [name, names]));
  const namesOf = (operation: string): readonly string[] => known.get(operation) ?? [operation];
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
