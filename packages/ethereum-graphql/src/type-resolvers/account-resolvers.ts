import type { AccountResolvers } from "@nodewright/ethereum-api/server";
import { fromParent } from "@nodewright/runtime/graphql";
import type { EthereumContext } from "../request/context.ts";
import { type PromiseOrValue, whenResolved } from "../basics/promise-or-value.ts";
import type { EthereumParents } from "../resolvers/parents.ts";
import type { AccountValue } from "../results/account-value.ts";
import { unexpectedResult } from "../basics/unexpected-result.ts";

/** Resolvers of the fields of `Account`: each is a call of the node unless its result is known; those of one turn are sent together. */
export const accountResolvers: AccountResolvers<EthereumContext, EthereumParents> = {
  address: fromParent("address"),
  balance: (account, _input, context) => readField("eth_getBalance", account, context),
  transactionCount: (account, _input, context) => readField("eth_getTransactionCount", account, context),
  code: (account, _input, context) => readField("eth_getCode", account, context),
  storage: ({ address, state }, { slot }, context) =>
    whenResolved(state(context), (known) => context.storage.read(address, slot, known)),
};

function readField(method: string, { address, state }: AccountValue, context: EthereumContext): PromiseOrValue<string> {
  return whenResolved(state(context), (known) => whenResolved(context.readState(method, [address], known), textOf));
}

function textOf(response: unknown): string {
  if (typeof response === "string") return response;
  throw unexpectedResult("a value that is not part of an account");
}
