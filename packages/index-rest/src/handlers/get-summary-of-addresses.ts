import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { createSummaryResponse, summaryLimit, withoutTag } from "../history-response.ts";
import { readAddresses } from "../script-group.ts";
import { listConfirmedOfAll } from "../script-history.ts";

export const getSummaryOfAddresses: IndexHandler<"getSummaryOfAddresses", IndexRestContext> = async (
  { body, afterTxid, maxTxs = summaryLimit },
  context,
) => {
  const scriptHashes = readAddresses(body, context.index.network);
  const history = await listConfirmedOfAll(context, scriptHashes, afterTxid, maxTxs);
  return withoutTag(await createSummaryResponse(scriptHashes, history));
};
