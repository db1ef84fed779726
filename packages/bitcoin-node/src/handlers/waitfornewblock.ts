import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { getTip } from "../chain/best-block.ts";
import { awaitTip } from "../chain/await-tip.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Waits for a new best block. */
export const waitfornewblock: BitcoinHandler<"waitfornewblock", BitcoinNodeContext> = async (
  { timeout = 0, currentTip },
  context,
) => {
  const known = currentTip?.toLowerCase() ?? (await getTip(context.index)).hash;
  return await awaitTip(context, timeout, ({ hash }) => hash !== known);
};
