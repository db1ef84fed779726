import type { IndexHandler } from "@nodewright/index-api/server";
import { ServiceError } from "@nodewright/runtime";
import { getAnyBlock } from "../blocks/best-chain-block.ts";
import type { IndexRestContext } from "../request/context.ts";

export const getBlockTransactionId: IndexHandler<"getBlockTransactionId", IndexRestContext> = async (
  { hash, index: position },
  { index },
) => {
  const { record, headers } = await getAnyBlock(index, hash);
  const id = await index.transactionIdAt(record.hash, position);
  if (id === undefined) throw new ServiceError("not_found", "tx index out of range");
  return { headers, body: id };
};
