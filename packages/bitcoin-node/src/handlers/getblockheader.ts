import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { toHex } from "@nodewright/bitcoin-primitives";
import { PreparedJson } from "@nodewright/runtime";
import { getBlockRecord, getTipHeight } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { blockHeaderResult } from "../render/block-text.ts";
import { blockTextOf } from "../render/rendered-blocks.ts";
import { verbosityOf } from "../parameters/verbosity.ts";

/** Returns the header of a block, by its hash. */
export const getblockheader: BitcoinHandler<"getblockheader", BitcoinNodeContext> = async (
  { hash, verbose = true },
  { index },
) => {
  const record = await getBlockRecord(index, hash);
  if (verbosityOf(verbose, 1) === 0) return toHex(record.header.bytes);
  return new PreparedJson(blockHeaderResult(record, blockTextOf(record), await getTipHeight(index)));
};
