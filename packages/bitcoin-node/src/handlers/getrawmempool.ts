import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context.ts";

/** The transactions of the mempool, of which the index has none. */
export const getrawmempool: BitcoinHandler<"getrawmempool", BitcoinNodeContext> = ({ verbose = false }) =>
  verbose ? {} : [];
