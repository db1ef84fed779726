import { escapeSegment, isRecord } from "@nodewright/api-model";
import { memberOf } from "../compare/member-facts.ts";
import { groupSumsIn } from "../inference/group-sums.ts";
import type { OperationDescription } from "./operation.ts";
import type { CalledResult, Problem, ResponseProperty } from "./property.ts";
import { propertyRules } from "./property-rules.ts";

/** Property that a total is the sum of its groups. */
export const sumProperty: ResponseProperty = { rule: propertyRules.sum, inspect };

function inspect(
  { result: type, types }: OperationDescription,
  { result: { value } }: CalledResult,
): readonly Problem[] {
  const data = isRecord(value) ? value["data"] : undefined;
  const sums = [...groupSumsIn(value, type, types), ...groupSumsIn(data, memberOf(type, "data", types)?.type, types)];
  return sums.flatMap(({ name, groups: parent, whole, parts, isWhole }): Problem[] => {
    const sum = parts.reduce((before, part) => before + part, 0);
    if (sum === whole || (!isWhole && sum < whole)) return [];
    const message = `${name} is not the sum of the values in ${parent}`;
    return [{ message, detail: `${whole}, and the sum is ${sum}`, pointer: `/${escapeSegment(name)}` }];
  });
}
