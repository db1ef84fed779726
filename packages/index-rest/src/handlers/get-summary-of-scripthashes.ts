import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { createSummaryResponse, summaryLimit, withoutTag } from "../history-response.ts";
import { readScriptHashes } from "../script-group.ts";
import { listConfirmedOfAll } from "../script-history.ts";

export const getSummaryOfScripthashes: IndexHandler<"getSummaryOfScripthashes", IndexRestContext> = async (
  { body, afterTxid, maxTxs = summaryLimit },
  context,
) => {
  const scriptHashes = readScriptHashes(body);
  const history = await listConfirmedOfAll(context, scriptHashes, afterTxid, maxTxs);
  return withoutTag(await createSummaryResponse(scriptHashes, history));
};
