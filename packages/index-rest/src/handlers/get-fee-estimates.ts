import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { prepareFeeEstimates } from "../fee-estimates.ts";
import { mempoolOf } from "../no-mempool.ts";

export const getFeeEstimates: IndexHandler<"getFeeEstimates", IndexRestContext> = async (_input, context) => {
  const { eTag, body } = prepareFeeEstimates(await mempoolOf(context).feeEstimates());
  return { headers: { cacheControl: cacheShort, eTag }, body };
};
