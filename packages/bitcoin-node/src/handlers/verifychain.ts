import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BlockCheckLevel } from "@nodewright/bitcoin-indexer";
import { verifyChain } from "../chain/verify-chain.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

const levels: readonly BlockCheckLevel[] = [0, 1, 2, 3, 4];
const defaultLevel = 3;
const defaultDepth = 288;

/** Returns whether the last blocks are as they were when they were connected. */
export const verifychain: BitcoinHandler<"verifychain", BitcoinNodeContext> = async (
  { checklevel = defaultLevel, checkdepth = defaultDepth },
  { index },
) =>
  verifyChain(index, {
    level: levels[Math.min(Math.max(checklevel, 0), levels.length - 1)] ?? defaultLevel,
    depth: checkdepth > 0 ? checkdepth : Number.POSITIVE_INFINITY,
  });
