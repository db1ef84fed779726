import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { countConnections } from "../connections.ts";
import type { BitcoinNodeContext } from "../context.ts";

/** How many peers are connected. */
export const getconnectioncount: BitcoinHandler<"getconnectioncount", BitcoinNodeContext> = (_input, { upstream }) =>
  countConnections(upstream);
