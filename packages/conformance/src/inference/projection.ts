import { isRecord } from "@nodewright/api-model";
import { membersOf } from "../compare/member-facts.ts";
import { fieldsName } from "./effect-roles.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { SuiteType, SuiteTypes } from "../suite/suite-type.ts";
import { findListType, type Parameter } from "./list-roles.ts";

/**
 * Returns whether an input asks for some members of the response only, as a sparse fieldset does: a parameter, or a member of one such as
 * LoopBack's `filter`, that is called `fields` and names members of the response. What it leaves out is then not missing.
 */
export function asksForSomeMembers(
  parameters: readonly Parameter[],
  result: SuiteType | undefined,
  input: Readonly<Record<string, unknown>>,
  types: SuiteTypes,
): boolean {
  const described = [result, findListType(result, types)?.element];
  const members = new Set(described.flatMap((type) => membersOf(type, types)).map(({ name }) => name));
  return parameters.some(({ name, property }) => namesSome(name, input[property], members));
}

function namesSome(name: string, value: unknown, members: ReadonlySet<string>): boolean {
  if (fieldsName.test(plainName(name))) return namesIn(value).some((one) => members.has(one));
  return isRecord(value) && Object.entries(value).some(([inner, one]) => namesSome(inner, one, members));
}

/** Returns the names of a list, of a string with commas, or of an object such as `{ "name": true }`. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value === "string") return value.split(/[,|\s]+/);
  return isRecord(value) ? Object.keys(value) : [];
}
