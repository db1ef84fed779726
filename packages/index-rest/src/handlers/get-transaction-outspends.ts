import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { transactionNotFound } from "../refusal.ts";
import { renderOutspend } from "../render/outspend.ts";

export const getTransactionOutspends: IndexHandler<"getTransactionOutspends", IndexRestContext> = async (
  { txid },
  { index },
) => {
  const spends = await index.spends(txid.toLowerCase());
  if (spends === undefined) throw transactionNotFound();
  return { headers: { cacheControl: cacheShort }, body: spends.map(renderOutspend) };
};
