import type { IndexHandler } from "@nodewright/index-api/server";
import { ServiceError } from "@nodewright/runtime";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { hashedEntityTag } from "../response/entity-tag.ts";
import { listSpends, spendKey } from "../transactions/outspends.ts";
import { renderOutspend } from "../render/outspend.ts";

/** Maximum transactions of a request, the number of mempool.space. */
const maximumTransactions = 50;

export const getOutspendsOfTransactions: IndexHandler<"getOutspendsOfTransactions", IndexRestContext> = async (
  { txids = "" },
  context,
) => {
  if (txids === "") throw new ServiceError("invalid_input", "No txids specified");
  const ids = txids.split(",");
  if (ids.length > maximumTransactions) throw new ServiceError("invalid_input", "Too many txids requested");
  const found = await listSpends(
    context,
    ids.map((txid) => txid.toLowerCase()),
  );
  const lists = found.map((spends) => spends ?? []);
  const names = lists.flatMap((spends) => ["of", ...spends.map(spendKey)]);
  const body = lists.map((spends) => spends.map(renderOutspend));
  return { headers: { cacheControl: cacheShort, eTag: hashedEntityTag(names) }, body };
};
