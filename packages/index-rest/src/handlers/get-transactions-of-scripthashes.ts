import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createHistoryResponse, withoutTag } from "../scripts/history-response.ts";
import { readScriptHashes } from "../scripts/script-group.ts";
import { listHistory } from "../scripts/script-history.ts";

export const getTransactionsOfScripthashes: IndexHandler<"getTransactionsOfScripthashes", IndexRestContext> = async (
  { body, ...wish },
  context,
) => {
  const history = await listHistory(context, readScriptHashes(body), wish);
  return withoutTag(createHistoryResponse(context, history));
};
