import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { ChainQueries } from "@nodewright/bitcoin-indexer";
import { toHex } from "@nodewright/bitcoin-primitives";
import { getTip } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";

/** Maximum number of headers: as many as peers send each other in one message. */
const maximumHeaders = 2_000;

/** Returns serialized headers after a known block. */
export const getheaders: BitcoinHandler<"getheaders", BitcoinNodeContext> = async (
  { blocklocators, hashstop },
  { index },
) => {
  const stop = await heightOf(index, hashstop);
  const from = blocklocators.length === 0 ? stop : (await heightOfFirst(index, blocklocators)) + 1;
  if (from === undefined) return [];
  const tip = await getTip(index);
  const last = Math.min(tip.height, from + maximumHeaders - 1, stop === undefined || stop < from ? tip.height : stop);
  if (last < from) return [];
  const records = await index.blocks(last, last - from + 1);
  return records.map(({ header }) => toHex(header.bytes)).toReversed();
};

/** Returns the height of the first locator that is on the best chain; that of the first block, which every node knows, when none is. */
async function heightOfFirst(index: ChainQueries, locators: readonly string[]): Promise<number> {
  for (const locator of locators) {
    const height = await heightOf(index, locator);
    if (height !== undefined) return height;
  }
  return 0;
}

/** Returns the height; `undefined` for a block that is not on the best chain. */
async function heightOf(index: ChainQueries, hash: string): Promise<number | undefined> {
  const record = await index.blockByHash(hash.toLowerCase());
  return record?.onBestChain === true ? record.height : undefined;
}
