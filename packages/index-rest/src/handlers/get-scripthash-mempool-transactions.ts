import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { createHistoryResponse } from "../history-response.ts";
import { listWaiting } from "../script-history.ts";

export const getScripthashMempoolTransactions: IndexHandler<
  "getScripthashMempoolTransactions",
  IndexRestContext
> = async ({ scripthash }, context) => {
  return createHistoryResponse(context, await listWaiting(context, scripthash.toLowerCase()));
};
