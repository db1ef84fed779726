import type { IndexHandler } from "@nodewright/index-api/server";
import { isPackageResult } from "@nodewright/index-api/validators";
import { callNode, throwUnreadableResponse } from "../transactions/broadcast.ts";
import { cacheShort } from "../response/cache-control.ts";
import type { IndexRestContext } from "../request/context.ts";
import { assertPackage, defaultMaximumFeeRate, publicPackageResult } from "../transactions/transaction-package.ts";

export const broadcastPackage: IndexHandler<"broadcastPackage", IndexRestContext> = async (
  { body, maxfeerate, maxburnamount },
  { upstream },
) => {
  assertPackage(body);
  // Positional: the second limit can't be given without the first, whose default is Bitcoin Core's.
  const limits = maxburnamount === undefined ? [maxfeerate] : [maxfeerate ?? defaultMaximumFeeRate, maxburnamount];
  const params = [body, ...limits.filter((limit) => limit !== undefined)];
  const result = await callNode(upstream, "submitpackage", params);
  return isPackageResult(result)
    ? { headers: { cacheControl: cacheShort }, body: publicPackageResult(result) }
    : throwUnreadableResponse("submitpackage");
};
