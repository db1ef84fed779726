import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { digestTag } from "../entity-tag.ts";
import { renderFeeEstimates } from "../fee-estimates.ts";
import { mempoolOf } from "../no-mempool.ts";

export const getFeeEstimates: IndexHandler<"getFeeEstimates", IndexRestContext> = async (_input, context) => {
  const body = renderFeeEstimates(await mempoolOf(context).feeEstimates());
  return { headers: { cacheControl: cacheShort, eTag: digestTag(Object.values(body)) }, body };
};
