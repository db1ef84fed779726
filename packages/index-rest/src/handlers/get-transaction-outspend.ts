import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheByDepth } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { entityTag } from "../response/entity-tag.ts";
import { findSpend, spendKey } from "../transactions/outspends.ts";
import { renderOutspend } from "../render/outspend.ts";

export const getTransactionOutspend: IndexHandler<"getTransactionOutspend", IndexRestContext> = async (
  { txid, vout },
  context,
) => {
  const [spend, tipHeight] = await Promise.all([
    findSpend(context, txid.toLowerCase(), vout),
    context.index.tipHeight(),
  ]);
  const headers = {
    cacheControl: cacheByDepth(tipHeight, spend?.block?.height),
    eTag: entityTag(spendKey(spend)),
  };
  return { headers, body: renderOutspend(spend) };
};
