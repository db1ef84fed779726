import type { ConformanceSuite } from "../suite/suite.ts";
import { readRelation } from "./relation-expression.ts";

/** Returns the mistakes in the relations of a description, one sentence each: a run reports them and continues. */
export function findRelationMistakes(suite: ConformanceSuite): readonly string[] {
  const operations = suite.protocol === "graphql" ? suite.documents : suite.operations;
  const names = new Set(operations.map(({ name }) => name));
  return operations.flatMap(({ name, relations }) =>
    relations.flatMap((relation) => {
      const expression = readRelation(relation);
      const isMissing = (called: string): boolean => !names.has(called);
      const problems =
        "problem" in expression
          ? [expression.problem]
          : expression.called.filter(isMissing).map((called) => `there is no operation ${called}`);
      const where = relation.place === undefined ? "" : ` (${relation.place})`;
      return problems.map((problem) => `The relation "${relation.name}" of ${name}${where} is left out: ${problem}`);
    }),
  );
}
