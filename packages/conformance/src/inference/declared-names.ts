import { kindsIn, resolveType } from "../compare/member-facts.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { isValueOf } from "@nodewright/api-values";

/**
 * Returns the name under which the description declares a type, or the only type of a union with null. Undefined for a type without name.
 */
export function declaredName(type: SuiteType | undefined, types: SuiteTypes): string | undefined {
  if (type?.kind === "reference") {
    const inner = types[type.target];
    return inner?.kind === "reference" || inner?.kind === "union"
      ? (declaredName(inner, types) ?? type.target)
      : type.target;
  }
  if (type?.kind !== "union") return undefined;
  const [only, ...others] = type.members.filter((member) => resolveType(member, types)?.kind !== "null");
  return others.length === 0 ? declaredName(only, types) : undefined;
}

/** Returns the names of all types that a value of a type may have: of each arm, and of the types that one extends. */
export function declaredNames(type: SuiteType | undefined, types: SuiteTypes, depth = 0): ReadonlySet<string> {
  const own = declaredName(type, types);
  const resolved = resolveType(type, types);
  const parts = resolved?.kind === "union" || resolved?.kind === "intersection" ? resolved.members : [];
  const inner = depth > 4 ? [] : parts.flatMap((part) => [...declaredNames(part, types, depth + 1)]);
  return new Set([...(own === undefined ? [] : [own]), ...inner]);
}

/** Returns the type of a value: the matching arm of a union. */
export function typeOfValue(type: SuiteType | undefined, value: unknown, types: SuiteTypes): SuiteType | undefined {
  const resolved = resolveType(type, types);
  if (resolved?.kind !== "union") return type;
  const forms = resolved.members.filter((member) => resolveType(member, types)?.kind !== "null");
  const form = forms.length === 1 ? forms[0] : forms.find((member) => isValueOf(member, value, types, "response"));
  return form === undefined ? type : typeOfValue(form, value, types);
}

/** Whether values of two types can be compared: plain ones of the same kinds, or values of one declared type. */
export function isComparable(left: SuiteType | undefined, right: SuiteType | undefined, types: SuiteTypes): boolean {
  if (left === undefined || right === undefined) return false;
  const name = declaredName(left, types);
  if (name !== undefined && name === declaredName(right, types)) return true;
  const [own, others] = [left, right].map((type) => [...kindsIn(type, types)].toSorted().join(" "));
  return own === others && !/record|list|any/.test(own ?? "");
}
