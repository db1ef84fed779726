import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Returns the hash rate of the node's mining, which it never does. */
export const gethashespersec: BitcoinHandler<"gethashespersec", BitcoinNodeContext> = () => 0;
