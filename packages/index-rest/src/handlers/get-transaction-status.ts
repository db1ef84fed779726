import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheByDepth } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { renderStatus } from "../render/transaction-status.ts";

export const getTransactionStatus: IndexHandler<"getTransactionStatus", IndexRestContext> = async (
  { txid },
  { index },
) => {
  const [found, tipHeight] = await Promise.all([index.transaction(txid.toLowerCase()), index.tipHeight()]);
  return { headers: { cacheControl: cacheByDepth(tipHeight, found?.block?.height) }, body: renderStatus(found?.block) };
};
