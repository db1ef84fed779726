import { isTimeType } from "../../compare/member-facts.ts";
import { plainName } from "../../compare/volatile-names.ts";
import { inferListRoles, type ListRole } from "../../inference/list-roles.ts";
import type { SuiteHttpOperation, SuiteParameter } from "../../suite/suite.ts";
import type { SuiteTypes } from "../../suite/suite-type.ts";
import { answersList } from "./operation-shape.ts";

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
  if (!answersList(operation, types)) return [];
  const roles = inferListRoles(queryParametersOf(operation), types);
  return roles.flatMap((one) => (one.role === role ? [one.parameter] : []));
}

/** Whether a parameter names where a page begins or ends: what was never shown is no such place. */
export function isCursor(operation: SuiteHttpOperation, parameter: SuiteParameter, types: SuiteTypes): boolean {
  if (parametersOfRole(operation, "cursor", types).includes(parameter)) return true;
  const isBackward = backwardCursorName.test(plainName(parameter.name)) && !isTimeType(parameter.type, types);
  return isBackward && parameter.location === "query" && answersList(operation, types);
}
