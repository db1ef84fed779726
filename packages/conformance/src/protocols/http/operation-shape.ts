import { singularOf } from "../../basics/singular.ts";
import { isTimeType } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { isNamedByChance } from "../../inference/name-meaning.ts";
import { isNamedByHash } from "../../inference/lasting.ts";
import { findListType, inferListRoles, type ListRole } from "../../inference/list-roles.ts";
import { resultTypeOf } from "../../suite/result-type.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { SuiteTypes } from "../../suite/suite-type.ts";
import type { Observation } from "./http-context.ts";

/** Returns the path parameters, in the order of the path. */
export function pathParametersOf(operation: SuiteHttpOperation): readonly SuiteParameter[] {
  const named = new Map(
    operation.parameters.filter(({ location }) => location === "path").map((parameter) => [parameter.name, parameter]),
  );
  return [...operation.path.matchAll(/\{([^{}]*)\}/g)].flatMap(([, name = ""]) => {
    const parameter = named.get(name);
    return parameter === undefined ? [] : [parameter];
  });
}

/** Returns the path parameter that identifies the resource of a path like `/pets/{petId}`: its last segment. */
export function subjectParameterOf(operation: SuiteHttpOperation): SuiteParameter | undefined {
  const last = operation.path.split("/").findLast((segment) => segment !== "") ?? "";
  const match = /^\{([^{}]*)\}$/.exec(last);
  return match === null ? undefined : pathParametersOf(operation).find(({ name }) => name === match[1]);
}

/** Returns the singular name of the resource: `pet` for `/pets/{petId}`. */
export function subjectNameOf(operation: SuiteHttpOperation): string | undefined {
  const typeNames = typeNamesOf(operation);
  return typeNames === undefined ? undefined : singularOf(plainName(typeNames));
}

/** Returns the last segment of a path that is not a path parameter: `blocks` for `/chain/blocks/{height}`. */
export function typeNamesOf({ path }: SuiteHttpOperation): string | undefined {
  return path.split("/").findLast((segment) => segment !== "" && !segment.includes("{"));
}

/** Returns whether one path is the part of the other before its last path parameter: `/pets` is above `/pets/{petId}`. */
export function isAbove(list: SuiteHttpOperation, target: SuiteHttpOperation): boolean {
  return list.method === "GET" && list.path.replace(/\/$/, "") === target.path.replace(/\/+\{[^{}]*\}\/?$/, "");
}

/** Returns whether an operation intentionally returns a different value each time. */
export function isByChance({ path, name, isByChance: isStated }: SuiteHttpOperation): boolean {
  return isStated === true || isNamedByChance(`${path} ${name}`);
}

const backwardCursorName =
  /^(?:before|endingbefore|endbefore|beforeid|before[a-z]*(?:id|hash)|maxid|prevcursor|previouscursor|prevpagetoken)$/;

/** Returns the query parameters. */
export function queryParametersOf({ parameters }: SuiteHttpOperation): readonly SuiteParameter[] {
  return parameters.filter(({ location }) => location === "query");
}

/** Returns the parameters with a role in a list; none when the operation does not return a list. */
export function parametersOfRole(
  operation: SuiteHttpOperation,
  role: ListRole,
  types: SuiteTypes,
): readonly SuiteParameter[] {
  if (findListType(resultTypeOf(operation), types) === undefined) return [];
  const roles = inferListRoles(queryParametersOf(operation), types);
  return roles.flatMap((one) => (one.role === role ? [one.parameter] : []));
}

/** Returns whether a parameter is a cursor of a page: a value that was never returned is not a valid one. */
export function isCursor(operation: SuiteHttpOperation, parameter: SuiteParameter, types: SuiteTypes): boolean {
  if (findListType(resultTypeOf(operation), types) === undefined || parameter.location !== "query") return false;
  const isBackward = backwardCursorName.test(plainName(parameter.name)) && !isTimeType(parameter.type, types);
  return isBackward || parametersOfRole(operation, "cursor", types).includes(parameter);
}

/**
 * Returns whether a request always has the same response: as declared by the description or the server, or guessed from a hash in the path.
 */
export function steadinessOf({ operation, input, checked }: Observation): "declared" | "guessed" | undefined {
  const control = checked.response.headers.get("cache-control") ?? "";
  // RFC 8246.
  if (operation.isImmutable ?? /(?:^|[\s,])immutable(?:[\s,]|$)/i.test(control)) return "declared";
  if (operation.isImmutable === false || operation.method !== "GET") return undefined;
  const inPath = pathParametersOf(operation).map(({ property, name }) => [name, input[property]] as const);
  return isNamedByHash(operation.path, Object.fromEntries(inPath)) ? "guessed" : undefined;
}
