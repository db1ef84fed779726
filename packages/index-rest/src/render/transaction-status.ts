import type { TransactionStatus } from "@nodewright/index-api/types";
import type { BlockPlace } from "@nodewright/bitcoin-indexer";
import { type JsonBytes, literalOf } from "@nodewright/runtime/node";

/** Returns the status of a transaction in a block of the best chain, or in none. */
export function renderStatus(block: BlockPlace | undefined): TransactionStatus {
  if (block === undefined) return { confirmed: false };
  return { confirmed: true, block_height: block.height, block_hash: block.hash, block_time: block.time };
}

const names = {
  waiting: literalOf('{"confirmed":false}'),
  height: literalOf('{"confirmed":true,"block_height":'),
  hash: literalOf(',"block_hash":"'),
  time: literalOf('","block_time":'),
} as const;
const closingBrace = 0x7d;

/** Writes the same in JSON. */
export function writeStatus(out: JsonBytes, block: BlockPlace | undefined): void {
  if (block === undefined) {
    out.literal(names.waiting);
    return;
  }
  out.literal(names.height);
  out.number(block.height);
  out.literal(names.hash);
  out.text(block.hash);
  out.literal(names.time);
  out.number(block.time);
  out.byte(closingBrace);
}
