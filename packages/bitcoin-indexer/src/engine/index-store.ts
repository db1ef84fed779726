import type { BlockHash, BlockHeader, Network, Outpoint } from "@nodewright/bitcoin-primitives";
import type { BulkTarget } from "../bulk/bulk-target.ts";
import type { ExtensionTarget } from "../bulk/extension-target.ts";
import type { ConnectedBlock, SpentOutput } from "../chain/connected-block.ts";
import type { ChainQueries } from "../query/chain-queries.ts";
import type { BlockLocation } from "../store/block-file.ts";
import type { BlockFileReader } from "../store/block-files.ts";
import type { DataDirectory } from "../store/data-directory.ts";
import type { Environment } from "../store/environment.ts";

/** Part of a block of the best chain that a block on top of it needs. */
export interface StoredHeader {
  readonly height: number;
  readonly header: BlockHeader;
  readonly chainWork: bigint;
  /** Next transaction number, that of the block above. */
  readonly nextTransactionNumber: number;
  readonly hash: BlockHash;
}

/** Progress of a store. */
export interface StoreTip {
  /** Height; -1 while nothing is indexed. */
  readonly height: number;
  readonly nextTransactionNumber: number;
}

/** Target in which blocks are repaired. */
export interface RepairTarget {
  readonly directory: DataDirectory;
  readonly environment: Environment;
  readonly files: BlockFileReader;
}

/** A block to be connected. */
export interface PlacedBlock extends ConnectedBlock {
  readonly location?: BlockLocation | undefined;
}

/**
 * Storage of an index: the interface of an embedded or a distributed engine.
 *
 * One writer at a time, which the store itself ensures. A store decides how rows are keyed; it receives complete blocks with their places.
 * Every engine must meet these requirements, which the contract test checks:
 *
 * - Readers, in every process, see the chain before or after a change, never a part of it; so does a process that opens the store after the
 *   writer was killed. A distributed engine writes rows first, under keys that no reader queries yet, and moves the tip last.
 * - The result of a query comes from one state. A query that takes several reads must read as of the tip that it read first.
 * - The size of a query is bounded, by the caller's list or limit, and it costs no more on a long chain or for a script with a million
 *   transactions: no scan without a bound, no partition that grows with a script's history.
 * - Rows depend on the best chain alone, so a write that was repeated after a failure changes nothing.
 */
export interface IndexStore {
  readonly network: Network;
  /** Target of a bulk fill; absent where none is possible, or once there was a change. */
  readonly bulk?: BulkTarget | undefined;
  /** Target of a bulk extension; absent where none is possible, or while the index is empty. No change may be open. */
  readonly extension?: ExtensionTarget | undefined;
  /** Target of `repairReportedBlocks`; absent where blocks are stored otherwise. Also available while a change is open. */
  readonly repairs?: RepairTarget | undefined;
  // While a change is open, only `queries` may be used.
  tip(): Promise<StoreTip>;
  /** Returns the best chain's headers from `fromHeight` to `toHeight`, both included, as far as they exist; ascending. */
  headers(fromHeight: number, toHeight: number): Promise<readonly StoredHeader[]>;
  /** Returns for each outpoint the output, or `undefined` when it does not exist or is spent on the best chain. */
  findUnspentOutputs(outpoints: readonly Outpoint[]): Promise<readonly (SpentOutput | undefined)[]>;
  /**
   * Begins a change of the best chain above `forkHeight`: existing blocks there become stale, and other blocks may be connected.
   *
   * One at a time. Memory is bounded whatever the number of blocks. `signal` is checked while blocks are disconnected: if aborted, the
   * change is cancelled and the signal's reason thrown.
   */
  change(forkHeight: number, signal?: AbortSignal): Promise<StoreChange>;
  /** Returns the read side, of this process; valid until the store is closed. It sees committed changes only. */
  queries(): ChainQueries;
  /** Closes the store. No change may be open. */
  close(): Promise<void>;
}

/** A change of the best chain that is invisible before it is committed. After any failure it must be cancelled. */
export interface StoreChange {
  /** Looks up outputs like the store's method, on the chain with the changes so far. */
  findUnspentOutputs(outpoints: readonly Outpoint[]): Promise<readonly (SpentOutput | undefined)[]>;
  /** Connects blocks on top, upward. */
  connect(blocks: readonly PlacedBlock[]): Promise<void>;
  /** Returns when the change would survive a power failure. */
  commit(): Promise<void>;
  /** Cancels the change and leaves everything unchanged. */
  cancel(): Promise<void>;
}
