import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { awaitTip } from "../chain/await-tip.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Waits until the chain has a height. */
export const waitforblockheight: BitcoinHandler<"waitforblockheight", BitcoinNodeContext> = (
  { height: awaited, timeout = 0 },
  context,
) => awaitTip(context, timeout, ({ height }) => height >= awaited);
