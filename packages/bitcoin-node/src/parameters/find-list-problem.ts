import type { ServiceError } from "@nodewright/runtime";
import { typeName, typeProblem } from "./parameter-problems.ts";

/** Returns the error for a list of strings with other elements; `undefined` where there are none, or it is not a list. */
export function findListProblem(name: string, list: unknown): ServiceError | undefined {
  if (!Array.isArray(list)) return undefined;
  const values: readonly unknown[] = list;
  // One is enough to find the mistake.
  const position = values.findIndex((value) => typeName(value) !== "string");
  if (position === -1) return undefined;
  return typeProblem([{ place: `${name}[${position}]`, value: values[position], expected: "string" }]);
}
