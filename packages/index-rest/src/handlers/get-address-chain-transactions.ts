import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createHistoryResponse } from "../scripts/history-response.ts";
import { scriptHashOfAddress } from "../scripts/script-hash.ts";
import { listConfirmed } from "../scripts/script-history.ts";

export const getAddressChainTransactions: IndexHandler<"getAddressChainTransactions", IndexRestContext> = async (
  { address },
  context,
) => {
  return createHistoryResponse(
    context,
    await listConfirmed(context.index, scriptHashOfAddress(address, context.index.network)),
  );
};
