import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { respondWithTransactionIds } from "../mempool-transaction-ids.ts";

export const getMempoolTransactionIdsPageAfter: IndexHandler<"getMempoolTransactionIdsPageAfter", IndexRestContext> = (
  { lastSeenTxid, maxTxs },
  context,
) => respondWithTransactionIds(context, lastSeenTxid, maxTxs);
