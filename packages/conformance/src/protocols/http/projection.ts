import { isRecord } from "@nodewright/api-model";
import { membersOf } from "../../compare/member-facts.ts";
import { fieldsName } from "../../inference/effect-roles.ts";
import { plainName } from "../../compare/volatile-names.ts";
import type { SuiteHttpOperation } from "../../suite/suite.ts";
import type { SuiteTypes } from "../../suite/suite-type.ts";
import type { Input } from "./http-request.ts";
import { answerTypeOf } from "../../suite/answer-type.ts";
import { elementTypeOf } from "./operation-shape.ts";

/**
 * Returns whether an input asks for some members of the response only, as a sparse fieldset does: a parameter, or a member of one such as
 * LoopBack's `filter`, that is called `fields` and names members of the response. What it leaves out is then not missing.
 */
export function asksForSomeMembers(operation: SuiteHttpOperation, input: Input, types: SuiteTypes): boolean {
  const described = [answerTypeOf(operation), elementTypeOf(operation, types)];
  const members = new Set(described.flatMap((type) => membersOf(type, types)).map(({ name }) => name));
  return operation.parameters.some(({ name, property }) => namesSome(name, input[property], members));
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
