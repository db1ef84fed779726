import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createSummaryResponse, summaryLimit, withoutTag } from "../scripts/history-response.ts";
import { readScriptHashes } from "../scripts/script-group.ts";
import { listConfirmedOfAll } from "../scripts/script-history.ts";

export const getSummaryOfScripthashes: IndexHandler<"getSummaryOfScripthashes", IndexRestContext> = async (
  { body, afterTxid, maxTxs = summaryLimit },
  context,
) => {
  const scriptHashes = readScriptHashes(body);
  const history = await listConfirmedOfAll(context, scriptHashes, afterTxid, maxTxs);
  return withoutTag(await createSummaryResponse(scriptHashes, history));
};
