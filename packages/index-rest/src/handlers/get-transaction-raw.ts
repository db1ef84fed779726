import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheByDepth } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { transactionNotFound } from "../refusal.ts";

export const getTransactionRaw: IndexHandler<"getTransactionRaw", IndexRestContext> = async ({ txid }, { index }) => {
  const [found, tipHeight] = await Promise.all([index.transaction(txid.toLowerCase()), index.tipHeight()]);
  if (found === undefined) throw transactionNotFound();
  return { headers: { cacheControl: cacheByDepth(tipHeight, found.block?.height) }, body: found.transaction.bytes };
};
