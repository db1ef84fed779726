import type { PendingResolvers } from "@nodewright/ethereum-api/server";
import type { Transaction, TxpoolContent, TxpoolStatus } from "@nodewright/ethereum-node-api/types";
import { estimateGas, runCall } from "../call.ts";
import { type EthereumContext, isFull } from "../context.ts";
import type { NodeBlock } from "../node-values.ts";
import { quantity } from "../quantity.ts";
import type { EthereumParents } from "../resolvers/parents.ts";
import { Selection } from "../selection.ts";
import { failureOfNode, isMethodMissing } from "../upstream-calls.ts";
import { AccountValue } from "../values/account-value.ts";
import { TransactionValue } from "../values/transaction-value.ts";

/** The fields of `Pending`. */
export const pendingResolvers: PendingResolvers<EthereumContext, EthereumParents> = {
  async transactionCount(_pending, _input, context) {
    try {
      return ((await context.calls.read("txpool_status")) as TxpoolStatus).pending;
    } catch (reason) {
      if (!isMethodMissing(reason)) throw failureOfNode(reason);
      return quantity((await readPendingBlock(context)).length);
    }
  },

  async transactions(_pending, _input, context) {
    const bodies = context.count(await readPendingTransactions(context));
    return bodies.map((body) => new TransactionValue(body.hash, { place: undefined, body }));
  },

  account: (_pending, { address }) => new AccountValue(address, () => "pending"),

  call: (_pending, { data }, context, info) => runCall(data, "pending", Selection.of(info).has("gasUsed"), context),

  async estimateGas(_pending, { data }, context) {
    return await estimateGas(data, await context.headReference(), context);
  },
};

/** Those that could be executed now; `queued` ones wait for a nonce that comes before theirs. */
async function readPendingTransactions(context: EthereumContext): Promise<readonly Transaction[]> {
  try {
    const { pending } = (await context.calls.read("txpool_content")) as TxpoolContent;
    return Object.values(pending).flatMap((byNonce) => Object.values(byNonce));
  } catch (reason) {
    if (!isMethodMissing(reason)) throw failureOfNode(reason);
    return await readPendingBlock(context);
  }
}

/** For clients that do not show their pool: what they would put into the next block. */
async function readPendingBlock(context: EthereumContext): Promise<readonly Transaction[]> {
  const block = (await context.read("eth_getBlockByNumber", ["pending", true])) as NodeBlock | null;
  return block !== null && isFull(block) ? block.transactions : [];
}
