import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { answerHistory } from "../history-answer.ts";
import { listConfirmed } from "../script-history.ts";

export const getScripthashChainTransactions: IndexHandler<"getScripthashChainTransactions", IndexRestContext> = async (
  { scripthash },
  context,
) => {
  return answerHistory(context, await listConfirmed(context.index, scripthash.toLowerCase()));
};
