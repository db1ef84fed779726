import type { IndexHandler } from "@nodewright/index-api/server";
import { cacheShort } from "../cache-control.ts";
import type { IndexRestContext } from "../context.ts";
import { listUnspentOutputs } from "../unspent-outputs.ts";

export const getScripthashUnspentOutputs: IndexHandler<"getScripthashUnspentOutputs", IndexRestContext> = async (
  { scripthash },
  { index },
) => {
  const scriptHash = scripthash.toLowerCase();
  return { headers: { cacheControl: cacheShort }, body: await listUnspentOutputs(index, scriptHash) };
};
