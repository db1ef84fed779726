import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheByDepth } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { transactionNotFound } from "../refusal.ts";
import { renderTransaction } from "../render/transaction.ts";

export const getTransaction: IndexHandler<"getTransaction", IndexRestContext> = async ({ txid }, { index }) => {
  const [found, tipHeight] = await Promise.all([index.transaction(txid.toLowerCase()), index.tipHeight()]);
  if (found === undefined) throw transactionNotFound();
  return {
    headers: { cacheControl: cacheByDepth(tipHeight, found.block?.height) },
    body: renderTransaction(found, index.network),
  };
};
