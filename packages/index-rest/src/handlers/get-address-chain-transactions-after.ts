import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { createHistoryResponse } from "../history-response.ts";
import { scriptHashOfAddress } from "../script-hash.ts";
import { listConfirmed } from "../script-history.ts";

export const getAddressChainTransactionsAfter: IndexHandler<
  "getAddressChainTransactionsAfter",
  IndexRestContext
> = async ({ address, lastSeenTxid }, context) => {
  const history = await listConfirmed(context.index, scriptHashOfAddress(address, context.index.network), lastSeenTxid);
  return createHistoryResponse(context, history);
};
