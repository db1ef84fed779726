import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { hashedEntityTag } from "../response/entity-tag.ts";
import { renderRecommendedFees } from "../transactions/fee-estimates.ts";
import { mempoolOf } from "../request/no-mempool.ts";

export const getRecommendedFees: IndexHandler<"getRecommendedFees", IndexRestContext> = async (_input, context) => {
  const body = renderRecommendedFees(await mempoolOf(context).feeEstimates());
  return { headers: { cacheControl: cacheShort, eTag: hashedEntityTag(Object.values(body)) }, body };
};
