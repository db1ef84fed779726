import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { awaitTip } from "../chain/await-tip.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Waits until a block is the best one. */
export const waitforblock: BitcoinHandler<"waitforblock", BitcoinNodeContext> = ({ blockhash, timeout = 0 }, context) =>
  awaitTip(context, timeout, ({ hash }) => hash === blockhash.toLowerCase());
