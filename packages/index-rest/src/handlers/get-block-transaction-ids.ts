import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheLong } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { blockNotFound } from "../refusal.ts";

export const getBlockTransactionIds: IndexHandler<"getBlockTransactionIds", IndexRestContext> = async (
  { hash },
  { index },
) => {
  const ids = await index.transactionIds(hash.toLowerCase());
  if (ids === undefined) throw blockNotFound();
  return { headers: { cacheControl: cacheLong }, body: ids };
};
