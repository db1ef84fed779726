import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createHistoryResponse } from "../scripts/history-response.ts";
import { scriptHashOfAddress } from "../scripts/script-hash.ts";
import { listConfirmed } from "../scripts/script-history.ts";

export const getAddressChainTransactionsAfter: IndexHandler<
  "getAddressChainTransactionsAfter",
  IndexRestContext
> = async ({ address, lastSeenTxid }, context) => {
  const history = await listConfirmed(context.index, scriptHashOfAddress(address, context.index.network), lastSeenTxid);
  return createHistoryResponse(context, history);
};
