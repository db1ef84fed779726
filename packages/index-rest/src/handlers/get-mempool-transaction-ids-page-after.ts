import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { createTransactionIdsResponse } from "../mempool-transaction-ids.ts";

export const getMempoolTransactionIdsPageAfter: IndexHandler<"getMempoolTransactionIdsPageAfter", IndexRestContext> = (
  { lastSeenTxid, maxTxs },
  context,
) => createTransactionIdsResponse(context, lastSeenTxid, maxTxs);
