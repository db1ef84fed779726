import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { prepareFeeEstimates } from "../transactions/fee-estimates.ts";
import { mempoolOf } from "../request/no-mempool.ts";

export const getFeeEstimates: IndexHandler<"getFeeEstimates", IndexRestContext> = async (_input, context) => {
  const { eTag, body } = prepareFeeEstimates(await mempoolOf(context).feeEstimates());
  return { headers: { cacheControl: cacheShort, eTag }, body };
};
