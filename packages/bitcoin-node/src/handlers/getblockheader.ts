import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { toHex } from "@nodewright/bitcoin-primitives";
import { getBlockRecord, getTip } from "../best-block.ts";
import type { BitcoinNodeContext } from "../context.ts";
import { renderBlockHeader } from "../render/block.ts";

/** The header of a block, by its hash. */
export const getblockheader: BitcoinHandler<"getblockheader", BitcoinNodeContext> = async (
  { hash, verbose = true },
  { index },
) => {
  const record = await getBlockRecord(index, hash);
  if (!verbose) return toHex(record.header.bytes);
  return renderBlockHeader(record, (await getTip(index)).height);
};
