import type { EthereumResolvers } from "@nodewright/ethereum-api/server";
import { propertyUnlessArguments } from "@nodewright/runtime/graphql";
import type { EthereumContext } from "../request/context.ts";
import type { EthereumParents } from "../resolvers/parents.ts";
import { AccountValue } from "../results/account-value.ts";
import { transactionInBlock, transactionNeeds } from "../values/transaction-value.ts";

/** Resolvers of the fields of `Log` that the log does not have. */
export const logResolvers: EthereumResolvers<EthereumContext, EthereumParents>["Log"] = {
  account: propertyUnlessArguments("account", ({ address }, { block }) => AccountValue.at(address, block)),

  transaction(log, _input, context, info) {
    const place = { blockHash: log.blockHash, blockNumber: log.blockNumber, index: log.transactionIndex };
    return transactionInBlock(log.transactionHash, place, transactionNeeds(info), context);
  },
};
