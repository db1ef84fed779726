import type { BlockHash, BlockHeader, Network, Outpoint } from "@nodewright/bitcoin-primitives";
import type { BulkTarget } from "../bulk/bulk-target.ts";
import type { ExtensionTarget } from "../bulk/extension-target.ts";
import type { ConnectedBlock, SpentOutput } from "../chain/connected-block.ts";
import type { ChainQueries } from "../query/chain-queries.ts";
import type { RepairTarget } from "./repair-blocks.ts";

/** A block of the best chain as far as building on it needs it. */
export interface StoredHeader {
  readonly height: number;
  readonly header: BlockHeader;
  readonly chainWork: bigint;
  /** Of the block above. */
  readonly nextTransactionNumber: number;
  readonly hash: BlockHash;
}

/** How far a store is. */
export interface StoreTip {
  /** -1 while nothing is indexed. */
  readonly height: number;
  readonly nextTransactionNumber: number;
}

/** Where a block's bytes stand for good, so that a store need not keep them as well. */
export interface BlockLocation {
  /** Absolute. */
  readonly path: string;
  /** Of the block's first byte. */
  readonly offset: number;
  /** What the file is masked with; empty for a plain file. */
  readonly mask: Uint8Array;
}

/** A block to be connected. */
export interface PlacedBlock extends ConnectedBlock {
  readonly location?: BlockLocation | undefined;
}

/**
 * Where an index is kept: the seam behind which an embedded or a distributed engine stands.
 *
 * One writer at a time, which the store itself sees to. A store decides how rows are keyed; it is given whole blocks in their places.
 * What every engine must keep, and the contract test asks for:
 *
 * - Readers, in every process, see the chain before or after a change, never a part of it; so does whoever opens the store after the
 *   writer was killed. A distributed engine writes rows first, under keys that no reader asks for yet, and moves the tip last.
 * - One query is answered from one state. A query that takes several reads must read as of the tip that it read first.
 * - What is asked at once is bounded, by the caller's list or limit, and costs no more on a long chain or for a script with a million
 *   transactions: no scan without a bound, no partition that grows with a script's history.
 * - Rows depend on the best chain alone, so a write that was repeated after a failure changes nothing.
 */
export interface IndexStore {
  readonly network: Network;
  /** What can be filled in bulk; absent where nothing can, or once there was a change. */
  readonly bulk?: BulkTarget | undefined;
  /** What can be extended in bulk; absent where nothing can, or while the index is empty. No change may be open. */
  readonly extension?: ExtensionTarget | undefined;
  /** What `repairReportedBlocks` mends blocks in; absent where blocks are kept otherwise. Also while a change is open. */
  readonly repairs?: RepairTarget | undefined;
  // While a change is open, only `queries` may be asked.
  tip(): Promise<StoreTip>;
  /** The best chain's headers from `fromHeight` to `toHeight`, both included, as far as they exist; ascending. */
  headers(fromHeight: number, toHeight: number): Promise<readonly StoredHeader[]>;
  /** For each outpoint the output, or `undefined` when the best chain has none or has spent it. */
  findUnspentOutputs(outpoints: readonly Outpoint[]): Promise<readonly (SpentOutput | undefined)[]>;
  /**
   * Begins a change of the best chain above `forkHeight`: what stands there becomes stale, and other blocks may be connected.
   *
   * One at a time. Memory is bounded whatever the number of blocks. `signal` is looked at while blocks are disconnected: aborted, the
   * change is cancelled and the signal's reason thrown.
   */
  change(forkHeight: number, signal?: AbortSignal): Promise<StoreChange>;
  /** The read side, of this process; valid until the store is closed. Sees committed changes alone. */
  queries(): ChainQueries;
  /** No change may be open. */
  close(): Promise<void>;
}

/** A change of the best chain that nobody sees before it is committed. After any failure it must be cancelled. */
export interface StoreChange {
  /** Like the store's, on the chain as this change has made it so far. */
  findUnspentOutputs(outpoints: readonly Outpoint[]): Promise<readonly (SpentOutput | undefined)[]>;
  /** Puts blocks on top, upward. */
  connect(blocks: readonly PlacedBlock[]): Promise<void>;
  /** Returns when the change would outlast the machine's power. */
  commit(): Promise<void>;
  /** Leaves everything as it was. */
  cancel(): Promise<void>;
}
