import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createAllTransactionIdsResponse } from "../transactions/mempool-transaction-ids.ts";

export const getMempoolTransactionIds: IndexHandler<"getMempoolTransactionIds", IndexRestContext> = (_input, context) =>
  createAllTransactionIdsResponse(context);
