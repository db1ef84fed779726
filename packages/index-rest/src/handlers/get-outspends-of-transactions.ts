import type { IndexHandler } from "@nodewright/index-api/server";
import { ServiceError } from "@nodewright/runtime";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { digestTag } from "../response/entity-tag.ts";
import { listSpends, nameOfSpend } from "../transactions/outspends.ts";
import { renderOutspend } from "../render/outspend.ts";

/** Maximum transactions of a request, the number of mempool.space. */
const mostTransactions = 50;

export const getOutspendsOfTransactions: IndexHandler<"getOutspendsOfTransactions", IndexRestContext> = async (
  { txids = "" },
  context,
) => {
  if (txids === "") throw new ServiceError("invalid_input", "No txids specified");
  const ids = txids.split(",");
  if (ids.length > mostTransactions) throw new ServiceError("invalid_input", "Too many txids requested");
  const found = await listSpends(
    context,
    ids.map((txid) => txid.toLowerCase()),
  );
  const lists = found.map((spends) => spends ?? []);
  const names = lists.flatMap((spends) => ["of", ...spends.map(nameOfSpend)]);
  const body = lists.map((spends) => spends.map(renderOutspend));
  return { headers: { cacheControl: cacheShort, eTag: digestTag(names) }, body };
};
