import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createTransactionIdsResponse } from "../transactions/mempool-transaction-ids.ts";

export const getMempoolTransactionIdsPageAfter: IndexHandler<"getMempoolTransactionIdsPageAfter", IndexRestContext> = (
  { lastSeenTxid, maxTxs },
  context,
) => createTransactionIdsResponse(context, lastSeenTxid, maxTxs);
