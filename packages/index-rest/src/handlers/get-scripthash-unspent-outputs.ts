import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { answerUnspentOutputs } from "../unspent-outputs.ts";

export const getScripthashUnspentOutputs: IndexHandler<"getScripthashUnspentOutputs", IndexRestContext> = async (
  { scripthash, ...wish },
  context,
) => {
  return answerUnspentOutputs(context, scripthash.toLowerCase(), wish);
};
