import type { ConformanceSuite } from "../suite/suite.ts";
import { readRelation } from "./relation-expression.ts";

/** What is wrong with the relations of a description, in a sentence each: a run tells it and goes on. */
export function findRelationMistakes(suite: ConformanceSuite): readonly string[] {
  const operations = suite.protocol === "graphql" ? suite.documents : suite.operations;
  const names = new Set(operations.map(({ name }) => name));
  return operations.flatMap(({ name, relations }) =>
    relations.flatMap((relation) => {
      const where = relation.place === undefined ? "" : ` (${relation.place})`;
      const expression = readRelation(relation);
      if ("problem" in expression)
        return [`The relation "${relation.name}" of ${name}${where} is left out: ${expression.problem}`];
      return expression.called
        .filter((called) => !names.has(called))
        .map(
          (called) => `The relation "${relation.name}" of ${name}${where} is left out: there is no operation ${called}`,
        );
    }),
  );
}
