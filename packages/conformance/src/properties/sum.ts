import { escapeSegment, isRecord } from "@nodewright/api-model";
import { turnedPairs } from "../inference/opposites.ts";
import { groupSumsIn } from "../inference/group-sums.ts";
import type { OperationDescription } from "./operation.ts";
import type { CalledResult, Problem, ResponseProperty } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** What is told of many is what its parts make: their sum, or what lies between the least and the greatest of them. */
export const sumProperty: ResponseProperty = { rule: propertyRules.sum, inspect };

function inspect(
  { result: type, types }: OperationDescription,
  { result: { value } }: CalledResult,
): readonly Problem[] {
  const groups = groupSumsIn(value, type, types).flatMap(
    ({ name, groups: parent, whole, parts, isWhole }): Problem[] => {
      const sum = parts.reduce((before, part) => before + part, 0);
      if (sum === whole || (!isWhole && sum < whole)) return [];
      const message = `${name} is not the sum of what stands in ${parent}`;
      return [{ message, detail: `${whole}, and the sum is ${sum}`, pointer: `/${escapeSegment(name)}` }];
    },
  );
  return [...groups, ...extremeProblems(value)];
}

/** Values of one response that are looked at. */
const mostLooked = 2000;

/** The least of something is not more than the greatest of it, and what is first is not later than what is last. */
function extremeProblems(value: unknown): readonly Problem[] {
  const found = new Map<string, Problem>();
  let looked = 0;
  const walk = (part: unknown, pointer: string): void => {
    looked += 1;
    if (looked > mostLooked) return;
    if (Array.isArray(part)) for (const item of part) walk(item, `${pointer}/*`);
    if (!isRecord(part)) return;
    for (const [low, high] of turnedPairs(part)) {
      const at = `${pointer}/${escapeSegment(low)}`;
      const detail = `${String(part[low])} and ${String(part[high])}`;
      if (!found.has(at)) found.set(at, { message: `${low} is more than ${high} beside it`, detail, pointer: at });
    }
    for (const [name, member] of Object.entries(part)) walk(member, `${pointer}/${escapeSegment(name)}`);
  };
  walk(value, "");
  return [...found.values()];
}
