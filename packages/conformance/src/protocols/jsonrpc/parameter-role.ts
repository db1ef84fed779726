import { armsOf } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { isIdentifying } from "../../inference/identifier-member.ts";
import { hasRoleName } from "../../inference/list-roles.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import type { SuiteTypes } from "../../suite/suite-type.ts";
import { defaultOf, type Input } from "./rpc-params.ts";

/** Names of numbers that say in which form something is wanted. */
const formingName = /verb|format|mode|level|detail|kind|type|full|version|form$/;

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
