import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { createHistoryResponse } from "../history-response.ts";
import { scriptHashOfAddress } from "../script-hash.ts";
import { listConfirmed } from "../script-history.ts";

export const getAddressChainTransactions: IndexHandler<"getAddressChainTransactions", IndexRestContext> = async (
  { address },
  context,
) => {
  return createHistoryResponse(
    context,
    await listConfirmed(context.index, scriptHashOfAddress(address, context.index.network)),
  );
};
