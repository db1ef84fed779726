import { armsOf, resolveType } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { isIdentifying } from "../../inference/identifier-member.ts";
import { hasRoleName } from "../../inference/list-roles.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { defaultOf, type Input } from "./rpc-params.ts";

/** Names of numbers that say in which form something is wanted. */
const formingName = /verb|format|mode|level|detail|kind|type|full|version|form$/;

/** Values of a type that has only a few, none of them null. */
export function fewValuesOf(type: SuiteType, types: SuiteTypes): readonly unknown[] {
  const resolved = resolveType(type, types);
  if (resolved === undefined) return [];
  switch (resolved.kind) {
    case "boolean":
      return [true, false];
    case "enumeration":
      return resolved.values.filter((value) => value !== null);
    case "union":
      return resolved.members.flatMap((member) => fewValuesOf(member, types));
    case "intersection":
      return resolved.members.map((member) => fewValuesOf(member, types)).find((values) => values.length > 0) ?? [];
    case "number":
      return rangeOf(resolved.integer, resolved.minimum, resolved.maximum);
    default:
      return [];
  }
}

/** More values than these are no choice of forms. */
const mostFewValues = 6;

function rangeOf(isInteger: boolean, minimum: unknown, maximum: unknown): readonly number[] {
  if (!isInteger || typeof minimum !== "number" || typeof maximum !== "number") return [];
  const length = maximum - minimum + 1;
  return length > 0 && length <= mostFewValues ? Array.from({ length }, (_none, index) => minimum + index) : [];
}

/**
 * Parameters that say in which form a result is wanted, not of what: booleans, values of short lists, and numbers with names such as
 * `verbosity`.
 */
export function formParameters({ parameters }: SuiteRpcMethod, types: SuiteTypes): readonly SuiteParameter[] {
  return parameters.filter((parameter) => {
    if (isIdentifying(parameter) && !formingName.test(plainName(parameter.name))) return false;
    if (hasRoleName("limit", parameter.name)) return false;
    const kinds = new Set(armsOf(parameter.type, types).map(({ kind }) => kind));
    // A list of words beside other texts, as in `latest` or a height, says which thing is meant.
    if (kinds.has("string")) return false;
    return (
      kinds.has("boolean") ||
      kinds.has("enumeration") ||
      (kinds.has("number") && formingName.test(plainName(parameter.name)))
    );
  });
}

/** The form in which an input asks for its result, as a text; defaults stand for what is left out. */
export function formOf(parameters: readonly SuiteParameter[], input: Input): string {
  return JSON.stringify(
    parameters.map((parameter) => input[parameter.property] ?? defaultOf(parameter) ?? null),
    (_name, value: unknown) => (typeof value === "bigint" ? Number(value) : value),
  );
}
