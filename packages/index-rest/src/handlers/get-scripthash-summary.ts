import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createSummaryResponse, summaryLimit } from "../scripts/history-response.ts";
import { listConfirmedBelow } from "../scripts/script-history.ts";

export const getScripthashSummary: IndexHandler<"getScripthashSummary", IndexRestContext> = async (
  { scripthash, maxTxs = summaryLimit },
  context,
) => {
  const scriptHash = scripthash.toLowerCase();
  return createSummaryResponse([scriptHash], await listConfirmedBelow(context.index, scriptHash, undefined, maxTxs));
};
