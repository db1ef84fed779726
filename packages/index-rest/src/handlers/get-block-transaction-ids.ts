import type { IndexHandler } from "@nodewright/index-api/server";
import { getAnyBlock } from "../blocks/best-chain-block.ts";
import type { IndexRestContext } from "../request/context.ts";
import { blockNotFound } from "../response/refusal.ts";
import { renderTransactionIds } from "../render/transaction-ids.ts";

export const getBlockTransactionIds: IndexHandler<"getBlockTransactionIds", IndexRestContext> = async (
  { hash },
  { index },
) => {
  const { record, headers } = await getAnyBlock(index, hash);
  const ids = await index.transactionIdBytes(record.hash);
  if (ids === undefined) throw blockNotFound();
  return { headers, body: renderTransactionIds(ids) };
};
