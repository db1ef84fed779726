import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createHistoryResponse } from "../scripts/history-response.ts";
import { listWaiting } from "../scripts/script-history.ts";

export const getScripthashMempoolTransactions: IndexHandler<
  "getScripthashMempoolTransactions",
  IndexRestContext
> = async ({ scripthash }, context) => {
  return createHistoryResponse(context, await listWaiting(context, scripthash.toLowerCase()));
};
