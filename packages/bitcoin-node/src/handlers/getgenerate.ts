import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Returns whether the node mines, which it never does. */
export const getgenerate: BitcoinHandler<"getgenerate", BitcoinNodeContext> = () => false;
