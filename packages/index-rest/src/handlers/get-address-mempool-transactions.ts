import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createHistoryResponse } from "../scripts/history-response.ts";
import { scriptHashOfAddress } from "../scripts/script-hash.ts";
import { listWaiting } from "../scripts/script-history.ts";

export const getAddressMempoolTransactions: IndexHandler<"getAddressMempoolTransactions", IndexRestContext> = async (
  { address },
  context,
) => {
  return createHistoryResponse(
    context,
    await listWaiting(context, scriptHashOfAddress(address, context.index.network)),
  );
};
