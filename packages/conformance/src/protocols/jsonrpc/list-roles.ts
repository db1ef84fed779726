import { findListType, inferListRoles, type ListRole } from "../../inference/list-roles.ts";
import type { SuiteParameter, SuiteRpcMethod } from "../../suite/suite.ts";
import type { SuiteType, SuiteTypes } from "../../suite/suite-type.ts";
import { resultType } from "./rpc-call.ts";

/** What the parameters of a method that answers a list are for, as far as their names and types tell. */
export type ListRoles = Readonly<Record<ListRole, SuiteParameter | undefined>>;

/** Tells what the parameters of a method are for; undefined where it does not answer a list. */
export function listRolesOf(method: SuiteRpcMethod, types: SuiteTypes): ListRoles | undefined {
  if (elementTypeOf(method, types) === undefined) return undefined;
  const roles = inferListRoles(method.parameters, types);
  const parameterOf = (role: ListRole): SuiteParameter | undefined => roles.find((one) => one.role === role)?.parameter;
  return {
    limit: parameterOf("limit"),
    offset: parameterOf("offset"),
    page: parameterOf("page"),
    cursor: parameterOf("cursor"),
    direction: parameterOf("direction"),
    sort: parameterOf("sort"),
  };
}

/** The type of the elements of the list that a method answers, itself or in the only list of an object. */
export function elementTypeOf(method: SuiteRpcMethod, types: SuiteTypes): SuiteType | undefined {
  return findListType(resultType(method), types)?.element;
}
