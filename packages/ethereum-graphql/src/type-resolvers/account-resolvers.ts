import type { AccountResolvers } from "@nodewright/ethereum-api/server";
import { fromParent } from "@nodewright/runtime/graphql";
import type { EthereumContext } from "../context.ts";
import type { EthereumParents } from "../resolvers/parents.ts";
import type { AccountValue } from "../values/account-value.ts";

/** The fields of `Account`: each is a call of the node, those of one turn going out together. */
export const accountResolvers: AccountResolvers<EthereumContext, EthereumParents> = {
  address: fromParent("address"),
  balance: (account, _input, context) => readState("eth_getBalance", account, [], context),
  transactionCount: (account, _input, context) => readState("eth_getTransactionCount", account, [], context),
  code: (account, _input, context) => readState("eth_getCode", account, [], context),
  storage: (account, { slot }, context) => readState("eth_getStorageAt", account, [slot], context),
};

async function readState(
  method: string,
  { address, state }: AccountValue,
  extra: readonly string[],
  context: EthereumContext,
): Promise<string> {
  return (await context.read(method, [address, ...extra, await state()])) as string;
}
