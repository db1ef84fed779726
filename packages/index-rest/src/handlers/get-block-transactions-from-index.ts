import type { IndexHandler } from "@nodewright/index-api/server";
import { listBlockTransactions } from "../block-transactions.ts";
import type { IndexRestContext } from "../context.ts";
import { lenientNumber } from "../lenient-number.ts";

export const getBlockTransactionsFromIndex: IndexHandler<"getBlockTransactionsFromIndex", IndexRestContext> = async (
  { hash, startIndex },
  { index },
) => {
  const start = lenientNumber(startIndex) ?? 0;
  const { transactions, cacheControl } = await listBlockTransactions(index, hash, start);
  return { headers: { cacheControl }, body: transactions };
};
