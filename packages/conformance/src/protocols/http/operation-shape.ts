import { singularOf } from "../../basics/singular.ts";
import { isTimeType } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { isNamedByChance } from "../../inference/name-meaning.ts";
import { isNamedByHash } from "../../inference/lasting.ts";
import { findListType, inferListRoles, type ListRole } from "../../inference/list-roles.ts";
import { answerTypeOf } from "../../suite/answer-type.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { SuiteTypes } from "../../suite/suite-type.ts";
import type { Observation } from "./http-context.ts";

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

const backwardCursorName =
  /^(?:before|endingbefore|endbefore|beforeid|before[a-z]*(?:id|hash)|maxid|prevcursor|previouscursor|prevpagetoken)$/;

/** The parameters of a query. */
export function queryParametersOf({ parameters }: SuiteHttpOperation): readonly SuiteParameter[] {
  return parameters.filter(({ location }) => location === "query");
}

/** The parameters of a role in a list; none where the operation does not return one. */
export function parametersOfRole(
  operation: SuiteHttpOperation,
  role: ListRole,
  types: SuiteTypes,
): readonly SuiteParameter[] {
  if (findListType(answerTypeOf(operation), types) === undefined) return [];
  const roles = inferListRoles(queryParametersOf(operation), types);
  return roles.flatMap((one) => (one.role === role ? [one.parameter] : []));
}

/** Whether a parameter names where a page begins or ends: what was never shown is no such place. */
export function isCursor(operation: SuiteHttpOperation, parameter: SuiteParameter, types: SuiteTypes): boolean {
  if (findListType(answerTypeOf(operation), types) === undefined || parameter.location !== "query") return false;
  const isBackward = backwardCursorName.test(plainName(parameter.name)) && !isTimeType(parameter.type, types);
  return isBackward || parametersOfRole(operation, "cursor", types).includes(parameter);
}

/** Whether a request always has the same response: the description or the server says so, or a hash in the path lets guess it. */
export function steadinessOf({ operation, input, judged }: Observation): "declared" | "guessed" | undefined {
  const control = judged.answer.headers.get("cache-control") ?? "";
  // RFC 8246.
  if (operation.isImmutable ?? /(?:^|[\s,])immutable(?:[\s,]|$)/i.test(control)) return "declared";
  if (operation.isImmutable === false || operation.method !== "GET") return undefined;
  const inPath = pathParametersOf(operation).map(({ property, name }) => [name, input[property]] as const);
  return isNamedByHash(operation.path, Object.fromEntries(inPath)) ? "guessed" : undefined;
}
