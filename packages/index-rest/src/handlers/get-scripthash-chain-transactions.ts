import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createHistoryResponse } from "../scripts/history-response.ts";
import { listConfirmed } from "../scripts/script-history.ts";

export const getScripthashChainTransactions: IndexHandler<"getScripthashChainTransactions", IndexRestContext> = async (
  { scripthash },
  context,
) => {
  return createHistoryResponse(context, await listConfirmed(context.index, scripthash.toLowerCase()));
};
