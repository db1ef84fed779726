import { type BlockFilterRow, type BlockRecord, filterOfBlock, indexedBlock } from "@nodewright/bitcoin-indexer";
import { blockFilterHeader } from "@nodewright/bitcoin-primitives";
import type { ServiceError } from "@nodewright/runtime";
import { getBlockRecord, getTipHeight } from "./best-block.ts";
import type { BitcoinNodeContext } from "./context.ts";
import { percentOfIndex } from "./index-progress.ts";
import { rpcError } from "./rpc-error.ts";

type FilterSources = Pick<BitcoinNodeContext, "index" | "optional">;

/**
 * Blocks above the last one in the index of filters whose filters are made to tell one header: the newest ones, of which the index will
 * hear in a moment, and those of short branches that were stale before it was built.
 */
const mostMadeFilters = 10;

/** The basic filter of a block: from the index of filters, or else from the block itself. */
export async function blockFilter(record: BlockRecord, { index, optional }: FilterSources): Promise<Uint8Array> {
  const row = await optional?.blockFilters?.find(record.hash, record.height);
  return row?.filter ?? (await filterOfBlock(indexedBlock(index, record)));
}

/** The basic filter of a block with its header. Throws -1 where no index of filters is kept, and while it is far below the block. */
export async function blockFilterAndHeader(
  record: BlockRecord,
  sources: FilterSources,
): Promise<Pick<BlockFilterRow, "filter" | "header">> {
  const { index, optional } = sources;
  const rows = optional?.blockFilters;
  if (rows === undefined) throw rpcError("miscellaneous", "Index is not enabled for filtertype basic");
  const missing: BlockRecord[] = [];
  let row: Pick<BlockFilterRow, "filter" | "header"> | undefined;
  for (let block: BlockRecord | undefined = record; block !== undefined; ) {
    row = await rows.find(block.hash, block.height);
    if (row !== undefined) break;
    if (missing.length === mostMadeFilters) throw await notIndexed(record, sources, await rows.height());
    missing.push(block);
    block = block.previousHash === undefined ? undefined : await getBlockRecord(index, block.previousHash);
  }
  for (const block of missing.toReversed()) {
    const filter = await filterOfBlock(indexedBlock(index, block));
    row = { filter, header: blockFilterHeader(filter, row?.header) };
  }
  if (row === undefined) throw new Error("A block's filter was neither found nor made");
  return row;
}

async function notIndexed(
  { onBestChain }: BlockRecord,
  { index }: FilterSources,
  height: number,
): Promise<ServiceError> {
  const tip = await getTipHeight(index);
  if (height >= tip && !onBestChain) {
    return rpcError("notFound", "Filter not found. Block was not connected to active chain.");
  }
  const percent = percentOfIndex(height, tip);
  return rpcError(
    "miscellaneous",
    `Filter not found. Block filters are still in the process of being indexed: ${percent} %.`,
  );
}
