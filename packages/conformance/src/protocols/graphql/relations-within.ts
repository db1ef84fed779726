import { isRecord } from "@nodewright/api-model";
import { withPlace } from "../../suite/with-place.ts";
import { getNamedType } from "graphql";
import { type Finding, uniqueFindings } from "../../contract/finding.ts";
import type { Rule } from "../../contract/rule.ts";
import { graphqlRules } from "./graphql-rules.ts";
import type { GraphqlRun } from "./graphql-run.ts";
import { inspectFields } from "./inspect-fields.ts";
import { placeOf } from "./place-of.ts";
import type { MetField } from "./walk-answer.ts";

/** What holds within one answer by the names and types of its fields. */
export function relationsWithin(run: GraphqlRun, met: readonly MetField[]): readonly Finding[] {
  return uniqueFindings([...met.flatMap(parentFindings), ...inspectFields(run, met)]);
}

/** A whole number as it was answered: a number, or digits, decimal or hexadecimal with 0x. */
function wholeNumberOf(value: unknown): bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : undefined;
  if (typeof value !== "string" || !/^(?:0x[0-9a-fA-F]{1,64}|-?[0-9]{1,78})$/.test(value)) return undefined;
  return BigInt(value);
}

/** `parent` of an object of the same type, both with a number or a height. */
function parentFindings({ parentType, parent, field, value }: MetField): readonly Finding[] {
  if (field.name !== "parent" || getNamedType(field.type).name !== parentType.name || !isRecord(value)) return [];
  for (const name of ["number", "height"]) {
    const own = wholeNumberOf(parent[name]);
    const before = wholeNumberOf(value[name]);
    if (own === undefined || before === undefined || before === own - 1n) continue;
    return [
      found(graphqlRules.parent, field, `The parent's ${name} is not one less`, `${before} is the parent of ${own}`),
    ];
  }
  return [];
}

function found(rule: Rule, field: MetField["field"], message: string, detail: string): Finding {
  return { rule, message, detail, ...withPlace(placeOf(field.astNode)) };
}
