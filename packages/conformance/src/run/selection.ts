import type { PlannedCase } from "../contract/planned-case.ts";
import type { ConformanceSuite } from "../suite/suite.ts";
import { beginsWithOperation, matchesAny } from "../basics/name-pattern.ts";
import type { RunOptions } from "../contract/options.ts";

/** Which cases of a run are reported, and which are played for what they find out alone. */
export interface Selection {
  isSelected(planned: Pick<PlannedCase, "id" | "operation">): boolean;
  /** True when cases of an operation may be selected, also those that answers lead to. */
  maySelect(operation: string): boolean;
  /** True when a case that is not selected may find values that selected ones need. */
  isPrerequisite(planned: Pick<PlannedCase, "id" | "operation" | "group">): boolean;
}

export function createSelection(suite: ConformanceSuite, { only, skip }: Pick<RunOptions, "only" | "skip">): Selection {
  const names = new Map<string, readonly string[]>(
    suite.protocol === "graphql"
      ? suite.documents.map(({ name }) => [name, [name]])
      : suite.operations.map(({ name, origin, tags }) => [name, [name, origin, ...tags]]),
  );
  const namesOf = ({ id, operation }: Pick<PlannedCase, "id" | "operation">): readonly string[] => [
    id,
    ...(names.get(operation) ?? [operation]),
  ];
  const wanted = only === undefined || only.length === 0 ? undefined : only;
  return {
    maySelect: (operation) => {
      const own = names.get(operation) ?? [operation];
      if (matchesAny(skip, own)) return false;
      return wanted === undefined || matchesAny(wanted, own) || wanted.some((one) => beginsWithOperation(one, own));
    },
    isSelected: (planned) => {
      const own = namesOf(planned);
      return (wanted === undefined || matchesAny(wanted, own)) && !matchesAny(skip, own);
    },
    isPrerequisite: (planned) =>
      (planned.group === "example" || planned.group === "live") && !matchesAny(skip, namesOf(planned)),
  };
}
