import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { createSummaryResponse, summaryLimit } from "../history-response.ts";
import { scriptHashOfAddress } from "../script-hash.ts";
import { listConfirmedBelow } from "../script-history.ts";

export const getAddressSummaryAfter: IndexHandler<"getAddressSummaryAfter", IndexRestContext> = async (
  { address, lastSeenTxid, maxTxs = summaryLimit },
  context,
) => {
  const scriptHash = scriptHashOfAddress(address, context.index.network);
  return createSummaryResponse([scriptHash], await listConfirmedBelow(context.index, scriptHash, lastSeenTxid, maxTxs));
};
