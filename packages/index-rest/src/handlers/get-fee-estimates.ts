import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { lowestFeeEstimates } from "../fee-estimates.ts";

export const getFeeEstimates: IndexHandler<"getFeeEstimates", IndexRestContext> = () => {
  return { headers: { cacheControl: cacheShort }, body: lowestFeeEstimates };
};
