import type { LogResolvers } from "@nodewright/ethereum-api/server";
import { fromParent } from "@nodewright/runtime/graphql";
import type { EthereumContext } from "../context.ts";
import type { EthereumParents } from "../resolvers/parents.ts";
import { AccountValue } from "../values/account-value.ts";
import { transactionInBlock, transactionNeeds } from "../values/transaction-value.ts";

/** The fields of `Log`. */
export const logResolvers: LogResolvers<EthereumContext, EthereumParents> = {
  topics: fromParent("topics"),
  data: fromParent("data"),

  index: (log) => log.logIndex,

  account: (log, input, context) => AccountValue.at(log.address, input.block, context),

  transaction(log, _input, context, info) {
    const place = { blockHash: log.blockHash, blockNumber: log.blockNumber, index: log.transactionIndex };
    return transactionInBlock(log.transactionHash, place, transactionNeeds(info), context);
  },
};
