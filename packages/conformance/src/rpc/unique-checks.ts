import { identifierOf, identityOf, listOf } from "../compare/list-of.ts";
import { showValue } from "../compare/show-value.ts";
import { plainName } from "../compare/volatile-names.ts";
import type { Finding } from "../contract/finding.ts";
import type { SuiteRpcMethod } from "../suite/suite.ts";
import type { RpcContext } from "./rpc-context.ts";
import { finding } from "./rpc-finding.ts";
import type { Input } from "./rpc-params.ts";
import { rpcRules } from "./rpc-rules.ts";

/** No element is listed twice, told by its own id: what is called otherwise may name what it belongs to. */
export function checkUnique(
  _context: RpcContext,
  { place }: SuiteRpcMethod,
  _input: Input,
  value: unknown,
): readonly Finding[] {
  const items = listOf(value)?.items ?? [];
  const identifier = identifierOf(items);
  if (identifier === undefined || !/^(?:id|uuid|guid)$/.test(plainName(identifier))) return [];
  const identities = items.map((item) => identityOf(item, identifier));
  const again = identities.find((identity, index) => identities.indexOf(identity) < index);
  if (again === undefined) return [];
  const message = `the ${identifier} of an element is that of another one in the same list`;
  return [finding(rpcRules.unique, message, showValue(again), { pointer: `/*/${identifier}`, place })];
}
