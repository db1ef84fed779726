import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { getNodeAddresses } from "../forward/node-addresses.ts";

/** Returns addresses of other nodes. */
export const getnodeaddresses: BitcoinHandler<"getnodeaddresses", BitcoinNodeContext> = (
  { count = 1, network },
  context,
) => getNodeAddresses(count, network, context);
