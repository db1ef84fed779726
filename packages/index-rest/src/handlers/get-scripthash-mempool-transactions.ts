import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { answerHistory } from "../history-answer.ts";
import { listWaiting } from "../script-history.ts";

export const getScripthashMempoolTransactions: IndexHandler<
  "getScripthashMempoolTransactions",
  IndexRestContext
> = async ({ scripthash }, context) => {
  return answerHistory(context, await listWaiting(context, scripthash.toLowerCase()));
};
