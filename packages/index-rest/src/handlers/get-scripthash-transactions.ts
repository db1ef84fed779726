import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { createHistoryResponse } from "../history-response.ts";
import { listHistory } from "../script-history.ts";

export const getScripthashTransactions: IndexHandler<"getScripthashTransactions", IndexRestContext> = async (
  { scripthash, ...wish },
  context,
) => {
  const history = await listHistory(context, [scripthash.toLowerCase()], wish);
  return createHistoryResponse(context, history);
};
