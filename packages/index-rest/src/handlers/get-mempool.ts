import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { hashedEntityTag } from "../response/entity-tag.ts";
import { mempoolOf } from "../request/no-mempool.ts";

export const getMempool: IndexHandler<"getMempool", IndexRestContext> = async (_input, context) => {
  const { count, virtualSize, totalFee, feeHistogram } = await mempoolOf(context).summary();
  const headers = {
    cacheControl: cacheShort,
    eTag: hashedEntityTag([count, virtualSize, totalFee, ...feeHistogram.flat()]),
  } as const;
  const body = { count, vsize: virtualSize, total_fee: Number(totalFee), fee_histogram: feeHistogram };
  return { headers, body };
};
