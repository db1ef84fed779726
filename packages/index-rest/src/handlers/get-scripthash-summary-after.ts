import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { answerSummary, summaryLimit } from "../history-answer.ts";
import { listConfirmedBelow } from "../script-history.ts";

export const getScripthashSummaryAfter: IndexHandler<"getScripthashSummaryAfter", IndexRestContext> = async (
  { scripthash, lastSeenTxid, maxTxs = summaryLimit },
  context,
) => {
  const scriptHash = scripthash.toLowerCase();
  return answerSummary([scriptHash], await listConfirmedBelow(context.index, scriptHash, lastSeenTxid, maxTxs));
};
