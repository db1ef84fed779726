import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { scriptHashOfAddress } from "../script-hash.ts";
import { listUnspentOutputs } from "../unspent-outputs.ts";

export const getAddressUnspentOutputs: IndexHandler<"getAddressUnspentOutputs", IndexRestContext> = async (
  { address },
  { index },
) => {
  const scriptHash = scriptHashOfAddress(address, index.network);
  return { headers: { cacheControl: cacheShort }, body: await listUnspentOutputs(index, scriptHash) };
};
