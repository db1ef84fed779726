import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../context.ts";
import { createUnspentOutputsResponse } from "../unspent-outputs.ts";

export const getScripthashUnspentOutputs: IndexHandler<"getScripthashUnspentOutputs", IndexRestContext> = async (
  { scripthash, ...wish },
  context,
) => {
  return createUnspentOutputsResponse(context, scripthash.toLowerCase(), wish);
};
