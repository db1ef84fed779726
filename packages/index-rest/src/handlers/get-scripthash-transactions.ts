import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createHistoryResponse } from "../scripts/history-response.ts";
import { listHistory } from "../scripts/script-history.ts";

export const getScripthashTransactions: IndexHandler<"getScripthashTransactions", IndexRestContext> = async (
  { scripthash, ...wish },
  context,
) => {
  const history = await listHistory(context, [scripthash.toLowerCase()], wish);
  return createHistoryResponse(context, history);
};
