import {
  type BlockFilterRow,
  type BlockRecord,
  type ChainQueries,
  filterOfBlock,
  indexedBlock,
} from "@nodewright/bitcoin-indexer";
import { blockFilterHeader } from "@nodewright/bitcoin-primitives";
import { BoundedCache, type ServiceError } from "@nodewright/runtime";
import { getBlockRecord, getTipHeight } from "./best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { percentOfIndex } from "./index-progress.ts";
import { rpcError } from "../parameters/rpc-error.ts";

type FilterSources = Pick<BitcoinNodeContext, "index" | "optional">;

/**
 * Maximum number of blocks above the last one in the index of filters whose filters are computed to derive one header: the latest ones,
 * which the index is about to receive, and those of short branches that were stale before it was built.
 */
const maximumComputedFilters = 10;

/** Returns the basic filter of a block: from the index of filters, or otherwise from the block itself. */
export async function blockFilter(record: BlockRecord, { index, optional }: FilterSources): Promise<Uint8Array> {
  const row = await optional?.blockFilters?.find(record.hash, record.height);
  return row?.filter ?? (await makeFilter(index, record));
}

/**
 * Returns the basic filter of a block with its header. Throws -1 where no index of filters is kept, and while it is far below the block.
 */
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
    if (missing.length === maximumComputedFilters) throw await notIndexed(record, sources, await rows.height());
    missing.push(block);
    block = block.previousHash === undefined ? undefined : await getBlockRecord(index, block.previousHash);
  }
  for (const block of missing.toReversed()) {
    const filter = await makeFilter(index, block);
    row = { filter, header: blockFilterHeader(filter, row?.header) };
  }
  if (row === undefined) throw new Error("A block's filter was neither found nor made");
  return row;
}

/** Filters that were computed, or are being computed, of each index, by their blocks' hashes: of a large block some 20 kB. */
const made = new WeakMap<ChainQueries, BoundedCache<string, Promise<Uint8Array>>>();
const keptFilters = 100;

/** Queue of computations, one after the other: each takes as long as to read a block. */
let lastMade: Promise<unknown> = Promise.resolve();

function makeFilter(index: ChainQueries, record: BlockRecord): Promise<Uint8Array> {
  const filters = made.get(index) ?? new BoundedCache<string, Promise<Uint8Array>>(keptFilters);
  made.set(index, filters);
  const same = filters.find(record.hash);
  if (same !== undefined) return same;
  const filter = lastMade.then(() => filterOfBlock(indexedBlock(index, record)));
  lastMade = filter.catch(() => {
    // A retry may find the block.
    if (filters.find(record.hash) === filter) filters.delete(record.hash);
  });
  filters.set(record.hash, filter);
  return filter;
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
