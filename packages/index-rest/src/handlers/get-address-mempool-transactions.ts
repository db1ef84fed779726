import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { createHistoryResponse } from "../history-response.ts";
import { scriptHashOfAddress } from "../script-hash.ts";
import { listWaiting } from "../script-history.ts";

export const getAddressMempoolTransactions: IndexHandler<"getAddressMempoolTransactions", IndexRestContext> = async (
  { address },
  context,
) => {
  return createHistoryResponse(
    context,
    await listWaiting(context, scriptHashOfAddress(address, context.index.network)),
  );
};
