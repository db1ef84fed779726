import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { createUnspentOutputsResponse } from "../scripts/unspent-outputs.ts";

export const getScripthashUnspentOutputs: IndexHandler<"getScripthashUnspentOutputs", IndexRestContext> = async (
  { scripthash, ...wish },
  context,
) => {
  return createUnspentOutputsResponse(context, scripthash.toLowerCase(), wish);
};
