import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context.ts";
import { getNodeAddresses } from "../forward/node-addresses.ts";

/** Addresses of other nodes. */
export const getnodeaddresses: BitcoinHandler<"getnodeaddresses", BitcoinNodeContext> = (
  { count = 1, network },
  context,
) => getNodeAddresses(count, network, context);
