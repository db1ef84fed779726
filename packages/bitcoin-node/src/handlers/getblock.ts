import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import { PreparedJson } from "@nodewright/runtime";
import { getBlockRecord, getTipHeight } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import type { BlockDetail } from "../render/block-body.ts";
import { blockResultStart } from "../render/block-text.ts";
import { renderHex } from "../render/hex-text.ts";
import { blockBodyOf, blockTextOf, foundPart, keptBlockBody } from "../render/rendered-blocks.ts";
import { verbosityOf } from "../parameters/verbosity.ts";

const highestVerbosity = 3;

/** Returns a block, by its hash. */
export const getblock: BitcoinHandler<"getblock", BitcoinNodeContext> = async (
  { blockhash, verbosity = 1, verbosetx = false },
  { index },
) => {
  // The older form is a pair of booleans: verbose, and with transactions.
  const level = verbosity === true && verbosetx ? 2 : verbosityOf(verbosity, highestVerbosity);
  let record = await getBlockRecord(index, blockhash);
  if (level === 0) return await renderHex(await foundPart(index.rawBlock(record.hash)));
  const detail = level as BlockDetail;
  let body = keptBlockBody(record, detail);
  if (body === undefined) {
    body = await blockBodyOf(index, record, detail);
    // The chain may have changed meanwhile.
    record = await getBlockRecord(index, record.hash);
  }
  const start = blockResultStart(record, blockTextOf(record), await getTipHeight(index));
  const [only] = body.pieces;
  return new PreparedJson(typeof only === "string" ? start + only : [start, ...body.pieces]);
};
