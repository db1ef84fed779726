import type { ServiceError } from "@nodewright/runtime";
import { typeName, typeProblem } from "./parameter-problems.ts";

/** The refusal of a list of texts that has something else in it; `undefined` where there is none, or no list. */
export function findListProblem(name: string, list: unknown): ServiceError | undefined {
  if (!Array.isArray(list)) return undefined;
  const values: readonly unknown[] = list;
  // One is enough to find the mistake by.
  const position = values.findIndex((value) => typeName(value) !== "string");
  if (position === -1) return undefined;
  return typeProblem([{ place: `${name}[${position}]`, value: values[position], expected: "string" }]);
}
