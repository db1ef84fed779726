import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { digestTag } from "../entity-tag.ts";
import { renderRecommendedFees } from "../fee-estimates.ts";
import { mempoolOf } from "../no-mempool.ts";

export const getRecommendedFees: IndexHandler<"getRecommendedFees", IndexRestContext> = async (_input, context) => {
  const body = renderRecommendedFees(await mempoolOf(context).feeEstimates());
  return { headers: { cacheControl: cacheShort, eTag: digestTag(Object.values(body)) }, body };
};
