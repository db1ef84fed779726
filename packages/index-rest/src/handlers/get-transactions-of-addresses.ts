import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createHistoryResponse, withoutTag } from "../scripts/history-response.ts";
import { readAddresses } from "../scripts/script-group.ts";
import { listHistory } from "../scripts/script-history.ts";

export const getTransactionsOfAddresses: IndexHandler<"getTransactionsOfAddresses", IndexRestContext> = async (
  { body, ...wish },
  context,
) => {
  const history = await listHistory(context, readAddresses(body, context.index.network), wish);
  return withoutTag(createHistoryResponse(context, history));
};
