import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheByDepth } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { renderOutspend } from "../render/outspend.ts";

export const getTransactionOutspend: IndexHandler<"getTransactionOutspend", IndexRestContext> = async (
  { txid, vout },
  { index },
) => {
  const [spends, tipHeight] = await Promise.all([index.spends(txid.toLowerCase()), index.tipHeight()]);
  const spend = spends?.[vout];
  return { headers: { cacheControl: cacheByDepth(tipHeight, spend?.block.height) }, body: renderOutspend(spend) };
};
