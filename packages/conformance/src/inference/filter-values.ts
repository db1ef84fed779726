import { armsOf, kindsIn, listedOf } from "../compare/member-facts.ts";
import { plainName } from "../compare/volatile-names.ts";
import { singularOf } from "../basics/singular.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";

/**
 * Relation of the value of a filter to that of an element. `has`: the element's list contains it; `present`: whether the element has a
 * value at all.
 */
export type FilterTest = "is" | "has" | "contains" | "prefix" | "present" | "minimum" | "maximum";

/** Returns a key that is equal for words with the same meaning: `DOCTORS`, `doctor` and `Doctor`. */
export function wordKey(word: string): string {
  return singularOf(plainName(word));
}

/** Returns the values that a type lists; for a list type, those of its elements. */
export function listedValues(type: SuiteType, types: SuiteTypes): readonly unknown[] {
  return armsOf(type, types).flatMap((arm): readonly unknown[] => {
    if (arm.kind === "boolean") return [true, false];
    return listedOf(arm.kind === "list" ? arm.element : arm, types);
  });
}

/** Whether two types list the same values. */
function hasSameValues(type: SuiteType, member: SuiteType, types: SuiteTypes): boolean {
  const [left, right] = [type, member].map((one) => listedValues(one, types).map(String).toSorted().join());
  return left !== "" && left === right;
}

/** Returns whether values of a filter can be related to those of a member. */
export function areComparable(test: FilterTest, type: SuiteType, member: SuiteType, types: SuiteTypes): boolean {
  const [requested, own] = [kindsIn(type, types), kindsIn(member, types)];
  if (requested.has("record") || own.has("record") || own.has("list")) return false;
  const isBoolean = requested.has("boolean");
  switch (test) {
    case "present":
      return isBoolean && !own.has("boolean");
    case "contains":
    case "prefix":
      return requested.has("string") && own.has("string");
    case "minimum":
    case "maximum":
      return !isBoolean && !own.has("boolean") && (!requested.has("enumeration") || hasSameValues(type, member, types));
    default:
      return isBoolean === own.has("boolean") || own.has("any");
  }
}
