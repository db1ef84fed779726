import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { createHistoryResponse } from "../history-response.ts";
import { listConfirmed } from "../script-history.ts";

export const getScripthashChainTransactions: IndexHandler<"getScripthashChainTransactions", IndexRestContext> = async (
  { scripthash },
  context,
) => {
  return createHistoryResponse(context, await listConfirmed(context.index, scripthash.toLowerCase()));
};
