import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Returns the hash of the block at a height. */
export const getblockhash: BitcoinHandler<"getblockhash", BitcoinNodeContext> = async ({ height }, { index }) => {
  const record = await index.blockByHeight(height);
  if (record === undefined) throw rpcError("invalidParameter", "Block height out of range");
  return record.hash;
};
