import { isNamedByChance } from "../../inference/name-meaning.ts";
import { singularOf } from "../../basics/singular.ts";
import { findListType } from "../../inference/list-roles.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { answerTypeOf } from "../../suite/answer-type.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../suite/suite-type.ts";

/** Whether the description says that an answer is a list, or a page of one. */
export function answersList(operation: SuiteHttpOperation, types: SuiteTypes): boolean {
  return elementTypeOf(operation, types) !== undefined;
}

/** The type of the elements of the list that an operation answers; undefined when it answers none. */
function elementTypeOf(operation: SuiteHttpOperation, types: SuiteTypes): SuiteType | undefined {
  return findListType(answerTypeOf(operation), types)?.element;
}

/** The parameters in the path, in its order. */
export function pathParametersOf(operation: SuiteHttpOperation): readonly SuiteParameter[] {
  const named = new Map(
    operation.parameters.filter(({ location }) => location === "path").map((parameter) => [parameter.name, parameter]),
  );
  return [...operation.path.matchAll(/\{([^{}]*)\}/g)].flatMap(([, name = ""]) => {
    const parameter = named.get(name);
    return parameter === undefined ? [] : [parameter];
  });
}

/** The parameter that names the one thing that a path like `/pets/{petId}` is about: what its last segment is. */
export function subjectParameterOf(operation: SuiteHttpOperation): SuiteParameter | undefined {
  const last = operation.path.split("/").findLast((segment) => segment !== "") ?? "";
  const match = /^\{([^{}]*)\}$/.exec(last);
  return match === null ? undefined : pathParametersOf(operation).find(({ name }) => name === match[1]);
}

/** `pets` of `/pets/{petId}`, without its plural: `pet`. */
export function subjectNameOf(operation: SuiteHttpOperation): string | undefined {
  const things = thingsOf(operation);
  return things === undefined ? undefined : singularOf(plainName(things));
}

/** What a path ends with, but for its holes: `blocks` of `/chain/blocks/{height}`. */
export function thingsOf({ path }: SuiteHttpOperation): string | undefined {
  return path.split("/").findLast((segment) => segment !== "" && !segment.includes("{"));
}

/** Whether one path is what stands before the last hole of the other: `/pets` is above `/pets/{petId}`. */
export function isAbove(list: SuiteHttpOperation, target: SuiteHttpOperation): boolean {
  return list.method === "GET" && list.path.replace(/\/$/, "") === target.path.replace(/\/+\{[^{}]*\}\/?$/, "");
}

/** What is another each time because it is meant to be. */
export function isByChance({ path, name, isByChance: isSaid }: SuiteHttpOperation): boolean {
  return isSaid === true || isNamedByChance(`${path} ${name}`);
}
