import { knowledgeOf } from "../../properties/knowledge.ts";
import type { Knowledge } from "../../properties/property.ts";
import type { SuiteRpcMethod } from "../../suite/suite.ts";
import { type ListRoles, listRolesOf } from "./list-roles.ts";
import { propertyOperation } from "./property-drafts.ts";
import type { RpcContext } from "./rpc-context.ts";
import { defaultOf, type Input } from "./rpc-params.ts";

/** A method that answers lists, and how they are asked for. */
export interface Lists {
  readonly context: RpcContext;
  readonly method: SuiteRpcMethod;
  readonly roles: ListRoles;
  readonly knowledge: Knowledge;
}

/** How a method is asked for lists; undefined where it does not answer any, or has not been asked well. */
export function listsOf(context: RpcContext, method: SuiteRpcMethod): Lists | undefined {
  const roles = listRolesOf(method, context.suite.types);
  const knowledge = roles === undefined ? undefined : knowledgeOf(propertyOperation(context, method));
  return roles === undefined || knowledge === undefined ? undefined : { context, method, roles, knowledge };
}

/** How many elements an input asks for at most. */
export function sizeOf({ limit }: ListRoles, input: Input): number | undefined {
  if (limit === undefined) return undefined;
  const size = input[limit.property] ?? defaultOf(limit);
  return typeof size === "number" ? size : 0;
}
