import type { IndexHandler } from "@nodewright/index-api/server";
import { ServiceError } from "@nodewright/runtime";
import { cacheLong } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { blockNotFound } from "../refusal.ts";

export const getBlockTransactionId: IndexHandler<"getBlockTransactionId", IndexRestContext> = async (
  { hash, index: position },
  { index },
) => {
  const ids = await index.transactionIds(hash.toLowerCase());
  if (ids === undefined) throw blockNotFound();
  const id = ids[position];
  if (id === undefined) throw new ServiceError("not_found", "tx index out of range");
  return { headers: { cacheControl: cacheLong }, body: id };
};
