import type { EthereumResolvers } from "@nodewright/ethereum-api/server";
import { fromParent } from "@nodewright/runtime/graphql";
import type { EthereumContext } from "../request/context.ts";
import type { EthereumParents } from "../resolvers/parents.ts";
import { accountResolvers } from "./account-resolvers.ts";
import { blockResolvers } from "./block-resolvers.ts";
import { logResolvers } from "./log-resolvers.ts";
import { pendingResolvers } from "./pending-resolvers.ts";
import { transactionResolvers } from "./transaction-resolvers.ts";

/** Resolvers of all object types. */
export const resolvers: EthereumResolvers<EthereumContext, EthereumParents> = {
  Account: accountResolvers,
  Block: blockResolvers,
  Log: logResolvers,
  Pending: pendingResolvers,
  Transaction: transactionResolvers,
  AccessTuple: { address: fromParent("address"), storageKeys: fromParent("storageKeys") },
  CallResult: {
    data: fromParent("data"),
    status: fromParent("status"),
    gasUsed: ({ gasUsed }) => {
      if (gasUsed === undefined) throw new Error("The gas of a call was not determined, although it was requested");
      return gasUsed;
    },
  },
  SyncState: {
    startingBlock: fromParent("startingBlock"),
    currentBlock: fromParent("currentBlock"),
    highestBlock: fromParent("highestBlock"),
  },
  Withdrawal: {
    index: fromParent("index"),
    validator: ({ validatorIndex }) => validatorIndex,
    address: fromParent("address"),
    amount: fromParent("amount"),
  },
};
