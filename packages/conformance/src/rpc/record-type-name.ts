import { resolveType } from "../compare/member-facts.ts";
import type { SuiteRpcMethod } from "../suite/suite.ts";
import type { SuiteType } from "../suite/suite-type.ts";
import { resultType } from "./rpc-call.ts";
import type { RpcContext } from "./rpc-context.ts";

/** The name of the type of the objects that a method answers: `Block` of a block or null. */
export function recordTypeName({ suite }: RpcContext, method: SuiteRpcMethod): string | undefined {
  const type = resultType(method);
  if (type?.kind === "reference") {
    const resolved = resolveType(type, suite.types);
    if (resolved?.kind === "record" || resolved?.kind === "intersection") return type.target;
    return resolved?.kind === "union" ? onlyReference(resolved.members) : undefined;
  }
  return type?.kind === "union" ? onlyReference(type.members) : undefined;
}

function onlyReference(members: readonly SuiteType[]): string | undefined {
  const references = members.filter(({ kind }) => kind !== "null");
  const [only] = references;
  return references.length === 1 && only?.kind === "reference" ? only.target : undefined;
}
