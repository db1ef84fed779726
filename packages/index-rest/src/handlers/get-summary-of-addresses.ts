import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createSummaryResponse, summaryLimit, withoutTag } from "../scripts/history-response.ts";
import { readAddresses } from "../scripts/script-group.ts";
import { listConfirmedOfAll } from "../scripts/script-history.ts";

export const getSummaryOfAddresses: IndexHandler<"getSummaryOfAddresses", IndexRestContext> = async (
  { body, afterTxid, maxTxs = summaryLimit },
  context,
) => {
  const scriptHashes = readAddresses(body, context.index.network);
  const history = await listConfirmedOfAll(context, scriptHashes, afterTxid, maxTxs);
  return withoutTag(await createSummaryResponse(scriptHashes, history));
};
