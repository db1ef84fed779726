import type { IndexHandler } from "@nodewright/index-api/server";
import { ServiceError } from "@nodewright/runtime";
import { getAnyBlock } from "../best-chain-block.ts";
import type { IndexRestContext } from "../context.ts";
import { blockNotFound } from "../refusal.ts";

export const getBlockTransactionId: IndexHandler<"getBlockTransactionId", IndexRestContext> = async (
  { hash, index: position },
  { index },
) => {
  const { record, headers } = await getAnyBlock(index, hash);
  const ids = await index.transactionIds(record.hash);
  if (ids === undefined) throw blockNotFound();
  const id = ids[position];
  if (id === undefined) throw new ServiceError("not_found", "tx index out of range");
  return { headers, body: id };
};
