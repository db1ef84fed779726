import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context.ts";

/** How fast the node mines, which it never does. */
export const gethashespersec: BitcoinHandler<"gethashespersec", BitcoinNodeContext> = () => 0;
