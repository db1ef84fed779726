import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheByDepth } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { entityTag } from "../response/entity-tag.ts";
import { renderStatus } from "../render/transaction-status.ts";

/** Returns the status of a transaction. An unknown one has the same response as one that waits, so the mempool need not be queried. */
export const getTransactionStatus: IndexHandler<"getTransactionStatus", IndexRestContext> = async (
  { txid },
  { index },
) => {
  const [block, tipHeight] = await Promise.all([index.transactionPlace(txid.toLowerCase()), index.tipHeight()]);
  const headers = {
    cacheControl: cacheByDepth(tipHeight, block?.height),
    eTag: entityTag(block?.hash ?? "unconfirmed"),
  };
  return { headers, body: renderStatus(block) };
};
