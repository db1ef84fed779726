import type { ServiceError } from "@nodewright/runtime";
import { typeName, typeProblem } from "./parameter-problems.ts";

/** The refusal of a list of texts that has something else in it; `undefined` where there is none, or no list. */
export function findListProblem(name: string, list: unknown): ServiceError | undefined {
  if (!Array.isArray(list)) return undefined;
  const mistyped = [...list.entries()].filter(([, value]) => typeName(value) !== "string");
  if (mistyped.length === 0) return undefined;
  // One is enough to find the mistake by.
  const [position, value] = mistyped[0] ?? [0, undefined];
  return typeProblem([{ place: `${name}[${position}]`, value, expected: "string" }]);
}
