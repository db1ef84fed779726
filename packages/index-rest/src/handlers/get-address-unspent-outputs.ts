import type { IndexHandler } from "@nodewright/index-api/server";
import type { IndexRestContext } from "../request/context.ts";
import { scriptHashOfAddress } from "../scripts/script-hash.ts";
import { createUnspentOutputsResponse } from "../scripts/unspent-outputs.ts";

export const getAddressUnspentOutputs: IndexHandler<"getAddressUnspentOutputs", IndexRestContext> = async (
  { address, ...wish },
  context,
) => {
  return createUnspentOutputsResponse(context, scriptHashOfAddress(address, context.index.network), wish);
};
