import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createHistoryResponse } from "../scripts/history-response.ts";
import { scriptHashOfAddress } from "../scripts/script-hash.ts";
import { listHistory } from "../scripts/script-history.ts";

export const getAddressTransactions: IndexHandler<"getAddressTransactions", IndexRestContext> = async (
  { address, ...wish },
  context,
) => {
  const history = await listHistory(context, [scriptHashOfAddress(address, context.index.network)], wish);
  return createHistoryResponse(context, history);
};
