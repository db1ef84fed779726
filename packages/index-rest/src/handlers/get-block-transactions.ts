import type { IndexHandler } from "@nodewright/index-api/server";
import { listBlockTransactions } from "../block-transactions.ts";
import type { IndexRestContext } from "../context.ts";

export const getBlockTransactions: IndexHandler<"getBlockTransactions", IndexRestContext> = async (
  { hash },
  { index },
) => {
  const { transactions, cacheControl } = await listBlockTransactions(index, hash, 0);
  return { headers: { cacheControl }, body: transactions };
};
