import type { TransactionStatus } from "@nodewright/index-api/types";
import type { BlockPlace } from "@nodewright/bitcoin-indexer";

/** The status of a transaction in a block of the best chain, or in none. */
export function renderStatus(block: BlockPlace | undefined): TransactionStatus {
  if (block === undefined) return { confirmed: false };
  return { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time };
}

/** The same in JSON. */
export function statusText(block: BlockPlace | undefined): string {
  if (block === undefined) return '{"confirmed":false}';
  return `{"confirmed":true,"block_height":${block.height},"block_hash":"${block.hash}","block_time":${block.time}}`;
}
