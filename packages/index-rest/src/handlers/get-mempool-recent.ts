import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { hashedEntityTag } from "../response/entity-tag.ts";
import { mempoolOf } from "../request/no-mempool.ts";

/** Number of recent transactions, Esplora's. */
const recentCount = 10;

export const getMempoolRecent: IndexHandler<"getMempoolRecent", IndexRestContext> = async (_input, context) => {
  const entries = await mempoolOf(context).recent(recentCount);
  const headers = {
    cacheControl: "public, max-age=5",
    eTag: hashedEntityTag(entries.map(({ txid }) => txid)),
  } as const;
  const body = entries.map(({ txid, fee, virtualSize, value }) => {
    return { txid, fee: Number(fee), vsize: virtualSize, value: Number(value) };
  });
  return { headers, body };
};
