import type { BlockHash, BlockHeader, Network } from "@nodewright/bitcoin-primitives";
import type { BlockOrigin } from "../chain/bad-block.ts";
import type { IndexerError } from "../basics/indexer-error.ts";
import type { BlockLocation } from "../store/block-file.ts";
import type { ChainInFiles } from "./chain-in-files.ts";

/** A header of a source's chain, proven to have the work that it claims. */
export interface SourceHeader {
  readonly hash: BlockHash;
  readonly height: number;
  readonly header: BlockHeader;
}

/** A serialized block with its origin. */
export interface SourceBlock {
  readonly bytes: Uint8Array;
  /** Origin for messages: the source, the file and the byte at which the block starts. */
  readonly origin: BlockOrigin;
  /** Permanent location of the bytes; absent when they have none, or are compressed there. */
  readonly location?: BlockLocation | undefined;
}

/** Part of a source's best chain that runs upward without gap. */
export interface SourceChain {
  /** Headers from the first one whose parent is known upward; empty when the source has nothing new. */
  readonly headers: readonly SourceHeader[];
  /** Height of the source's best block; may be above the last header, which then requires another round. */
  readonly height: number;
}

/** Best chain by height, with which a source finds the fork point. */
export interface KnownChain {
  /** Height; -1 while nothing is indexed. */
  readonly height: number;
  hashAt(height: number): Promise<BlockHash | undefined>;
}

/** Decision whether an index follows its source to a chain that has no more work than its own. */
export type ChainConfirmation =
  | { readonly isConfirmed: true }
  /** `reason` is a clause for a person; absent when the source has moved on, so that its chain must be read again. */
  | { readonly isConfirmed: false; readonly reason?: string };

/**
 * Source of blocks: block files, a node, or an array.
 *
 * Temporary failures (a node that is down) are thrown as `IndexerError` with `retry`; others end indexing.
 */
export interface BlockSource {
  readonly network: Network;
  /** Name for messages; without credentials. */
  readonly name: string;
  /** Returns headers of the source's best chain above its fork point with `known`, ascending, a bounded number of them. */
  chain(known: KnownChain, signal: AbortSignal): Promise<SourceChain>;
  /** Yields the blocks of `headers`, in that order. */
  blocks(headers: readonly SourceHeader[], signal: AbortSignal): AsyncIterable<SourceBlock>;
  /** Returns the best chain of the latest result of `chain`, where its blocks are in files; absent where they are not. */
  readonly inFiles?: () => ChainInFiles | undefined;
  /** Whether blocks are fetched one by one over a network, so that many of them are better written to files first; absent: they are not. */
  readonly isRemote?: boolean | undefined;
  /**
   * Decides whether the index follows the source to the latest chain of `chain`, although it has no more work than the index's own. Absent
   * from a source that proves its chain by work alone.
   */
  readonly confirmChain?: ((signal: AbortSignal) => Promise<ChainConfirmation>) | undefined;
  /** Resolves when there may be something new; `undefined` from a source that never changes. */
  readonly changed?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /**
   * Reports to the source that its blocks were of no use: they were invalid for `reason`, or not a better chain. Returns true when the
   * source has another origin of blocks and uses that from now on.
   */
  readonly turnElsewhere?: ((reason?: IndexerError) => Promise<boolean>) | undefined;
  /** Time of the upstream node's last usable response, in milliseconds since 1970; absent before that, and without a node. */
  readonly respondedAt?: number | undefined;
  close(): Promise<void>;
}
