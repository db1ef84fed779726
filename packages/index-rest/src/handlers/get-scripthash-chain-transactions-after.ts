import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createHistoryResponse } from "../scripts/history-response.ts";
import { listConfirmed } from "../scripts/script-history.ts";

export const getScripthashChainTransactionsAfter: IndexHandler<
  "getScripthashChainTransactionsAfter",
  IndexRestContext
> = async ({ scripthash, lastSeenTxid }, context) => {
  const history = await listConfirmed(context.index, scripthash.toLowerCase(), lastSeenTxid);
  return createHistoryResponse(context, history);
};
