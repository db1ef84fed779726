import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createTransactionIdsResponse } from "../transactions/mempool-transaction-ids.ts";

export const getMempoolTransactionIdsPage: IndexHandler<"getMempoolTransactionIdsPage", IndexRestContext> = (
  { maxTxs },
  context,
) => createTransactionIdsResponse(context, undefined, maxTxs);
