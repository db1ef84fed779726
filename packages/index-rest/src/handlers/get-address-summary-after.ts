import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createSummaryResponse, summaryLimit } from "../scripts/history-response.ts";
import { scriptHashOfAddress } from "../scripts/script-hash.ts";
import { listConfirmedBelow } from "../scripts/script-history.ts";

export const getAddressSummaryAfter: IndexHandler<"getAddressSummaryAfter", IndexRestContext> = async (
  { address, lastSeenTxid, maxTxs = summaryLimit },
  context,
) => {
  const scriptHash = scriptHashOfAddress(address, context.index.network);
  return createSummaryResponse([scriptHash], await listConfirmedBelow(context.index, scriptHash, lastSeenTxid, maxTxs));
};
