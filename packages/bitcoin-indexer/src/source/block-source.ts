import type { BlockHash, BlockHeader, Network } from "@nodewright/bitcoin-primitives";
import type { IndexerError } from "../indexer-error.ts";
import type { BlockLocation } from "../store/index-store.ts";
import type { ChainInFiles } from "./chain-in-files.ts";

/** A header of a source's chain, proven to have the work that it claims. */
export interface SourceHeader {
  readonly hash: BlockHash;
  readonly height: number;
  readonly header: BlockHeader;
}

/** A serialized block, and where it was found. */
export interface SourceBlock {
  readonly bytes: Uint8Array;
  /** For messages: the source, the file and the byte at which the block starts. */
  readonly origin: BlockOrigin;
  /** Where the bytes stand for good; absent when they do not, or stand there packed. */
  readonly location?: BlockLocation | undefined;
}

/** Where bytes of a block came from, for a person. */
export interface BlockOrigin {
  /** A file's path, or a word for the node; without credentials. */
  readonly name: string;
  /** 0-based byte in that file; absent when the block came from elsewhere. */
  readonly offset?: number;
}

/** A part of a source's best chain that runs upward without gap. */
export interface SourceChain {
  /** From the first header whose parent is known upward; empty when the source has nothing new. */
  readonly headers: readonly SourceHeader[];
  /** Height of the source's best block; may be above the last header, which then asks for another round. */
  readonly height: number;
}

/** Says which block of the best chain stands at a height, so that a source can find the fork point. */
export interface KnownChain {
  /** -1 while nothing is indexed. */
  readonly height: number;
  hashAt(height: number): Promise<BlockHash | undefined>;
}

/** Whether an index follows its source to a chain that has no more work than its own. */
export type ChainConfirmation =
  | { readonly isConfirmed: true }
  /** `reason` is a clause for a person; absent when the source has moved on, so that its chain must be read again. */
  | { readonly isConfirmed: false; readonly reason?: string };

/**
 * Where blocks come from: block files, a node, or an array.
 *
 * Failures that pass by themselves (a node that is down) are thrown as `IndexerError` with `retry`; others end indexing.
 */
export interface BlockSource {
  readonly network: Network;
  /** For messages; without credentials. */
  readonly name: string;
  /** Headers of the source's best chain above its fork point with `known`, ascending, a bounded number of them. */
  chain(known: KnownChain, signal: AbortSignal): Promise<SourceChain>;
  /** The blocks of `headers`, in that order. */
  blocks(headers: readonly SourceHeader[], signal: AbortSignal): AsyncIterable<SourceBlock>;
  /** The best chain as `chain` last gave it, where its blocks stand in files; absent where they do not. */
  readonly inFiles?: () => ChainInFiles | undefined;
  /** Whether blocks come one by one over a network, so that many of them are sooner written to files first; absent: they do not. */
  readonly isRemote?: boolean | undefined;
  /**
   * Decides whether the index follows the source to the chain that `chain` gave last, although it has no more work than the index's own.
   * Absent from a source that proves its chain by work alone.
   */
  readonly confirmChain?: ((signal: AbortSignal) => Promise<ChainConfirmation>) | undefined;
  /** Resolves when there may be something new; `undefined` from a source that never changes. */
  readonly changed?: ((signal: AbortSignal) => Promise<void>) | undefined;
  /**
   * Told that what it gave led nowhere: it was wrong for `reason`, or not a better chain. True when the source has another place for
   * blocks and gives them from there from now on.
   */
  readonly turnElsewhere?: ((reason?: IndexerError) => Promise<boolean>) | undefined;
  /** When the node behind the source last gave a usable answer, in milliseconds since 1970; absent before that, and without a node. */
  readonly answeredAt?: number | undefined;
  close(): Promise<void>;
}
