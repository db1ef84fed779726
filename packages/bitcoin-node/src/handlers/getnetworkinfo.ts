import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BitcoinNodeContext } from "../context/context.ts";
import { getNetworkInformation } from "../forward/network-information.ts";

/** Returns the state of the node in its network. */
export const getnetworkinfo: BitcoinHandler<"getnetworkinfo", BitcoinNodeContext> = (_input, context) =>
  getNetworkInformation(context);
