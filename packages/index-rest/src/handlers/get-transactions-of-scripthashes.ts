import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { createHistoryResponse, withoutTag } from "../history-response.ts";
import { readScriptHashes } from "../script-group.ts";
import { listHistory } from "../script-history.ts";

export const getTransactionsOfScripthashes: IndexHandler<"getTransactionsOfScripthashes", IndexRestContext> = async (
  { body, ...wish },
  context,
) => {
  const history = await listHistory(context, readScriptHashes(body), wish);
  return withoutTag(createHistoryResponse(context, history));
};
