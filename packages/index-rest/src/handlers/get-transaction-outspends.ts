import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { hashedEntityTag } from "../response/entity-tag.ts";
import { listSpends, spendKey } from "../transactions/outspends.ts";
import { transactionNotFound } from "../response/refusal.ts";
import { renderOutspend } from "../render/outspend.ts";

export const getTransactionOutspends: IndexHandler<"getTransactionOutspends", IndexRestContext> = async (
  { txid },
  context,
) => {
  const [spends] = await listSpends(context, [txid.toLowerCase()]);
  if (spends === undefined) throw transactionNotFound();
  const headers = { cacheControl: cacheShort, eTag: hashedEntityTag(spends.map(spendKey)) } as const;
  return { headers, body: spends.map(renderOutspend) };
};
