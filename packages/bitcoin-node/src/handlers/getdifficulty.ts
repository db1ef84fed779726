import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { difficultyOfBits } from "@nodewright/bitcoin-primitives";
import { getTip } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { roundDouble } from "../render/double.ts";

/** Returns the difficulty of the best block. */
export const getdifficulty: BitcoinHandler<"getdifficulty", BitcoinNodeContext> = async (_input, { index }) => {
  const { header } = await getTip(index);
  return roundDouble(difficultyOfBits(header.bits));
};
