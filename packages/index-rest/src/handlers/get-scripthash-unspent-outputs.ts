import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { respondWithUnspentOutputs } from "../unspent-outputs.ts";

export const getScripthashUnspentOutputs: IndexHandler<"getScripthashUnspentOutputs", IndexRestContext> = async (
  { scripthash, ...wish },
  context,
) => {
  return respondWithUnspentOutputs(context, scripthash.toLowerCase(), wish);
};
