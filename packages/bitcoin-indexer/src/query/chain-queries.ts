import type { BlockHash, BlockHeader, Coin, Network, Transaction, TransactionId } from "@nodewright/bitcoin-primitives";
import type { PreviousOutput } from "../chain/connected-block.ts";
import type { ScriptStatistics } from "../store/script-sums-codec.ts";

/** A block of the index, without its transactions. */
export interface BlockRecord {
  readonly hash: BlockHash;
  /** Height; 0 for the genesis block. */
  readonly height: number;
  readonly header: BlockHeader;
  readonly transactionCount: number;
  /** Number of transactions of the chain up to and including this block. */
  readonly chainTransactionCount: number;
  /** Size in bytes with witnesses. */
  readonly size: number;
  /** Size in bytes without witnesses. */
  readonly strippedSize: number;
  /** Weight in BIP 141 weight units. */
  readonly weight: number;
  /** Median of the times of this block and the ten before it (BIP 113), seconds since 1970. */
  readonly medianTime: number;
  /** Expected number of hashes to produce the chain up to and including this block. */
  readonly chainWork: bigint;
  /** Hash of the parent; absent for the genesis block. */
  readonly previousHash?: BlockHash;
  /** Hash of the block above on the best chain; absent for the tip and for stale blocks. */
  readonly nextHash?: BlockHash;
  readonly onBestChain: boolean;
}

/** Position of a transaction on the best chain. */
export interface BlockPlace {
  readonly hash: BlockHash;
  readonly height: number;
  /** Time of the header, seconds since 1970. */
  readonly time: number;
  readonly medianTime: number;
  /** 0-based position in the block; 0 is the coinbase. */
  readonly position: number;
}

/** A transaction with the facts that only an index knows about it. */
export interface IndexedTransaction {
  readonly txid: TransactionId;
  readonly transaction: Transaction;
  /** Block of the transaction; absent when no block of the best chain contains it: it is in a stale block alone, or unconfirmed. */
  readonly block?: BlockPlace;
  /** Stale block that contains it, where `transaction` found it in no other: the only one except for rare transactions in several. */
  readonly staleBlock?: BlockHash;
  /** Previous outputs, one for each input, in order; `undefined` for the input of a coinbase. */
  readonly previousOutputs: readonly (PreviousOutput | undefined)[];
  /** Satoshi; 0 for a coinbase. */
  readonly fee: bigint;
}

/**
 * Serializer of a transaction in a caller's form, such as JSON: the same bytes for the same input. They must stay valid until the next
 * call.
 */
export type WriteTransaction = (transaction: IndexedTransaction) => Uint8Array;

/** A serialized transaction of the best chain in a caller's form. */
export interface WrittenTransaction {
  readonly txid: TransactionId;
  readonly block: BlockPlace;
  readonly bytes: Uint8Array;
}

/** Input that spends an output. */
export interface Spend {
  readonly txid: TransactionId;
  /** 0-based position of the input in the spending transaction. */
  readonly vin: number;
  readonly block: BlockPlace;
}

/** An output that no transaction of the best chain spends. */
export interface UnspentOutput {
  readonly txid: TransactionId;
  readonly vout: number;
  /** Satoshi. */
  readonly value: bigint;
  readonly isCoinbase: boolean;
  readonly block: BlockPlace;
}

/** A serialized transaction, without its spent outputs. */
export interface RawTransaction {
  readonly bytes: Uint8Array;
  /** Absent when the transaction is in a stale block alone. */
  readonly block?: BlockPlace;
}

/** Merkle proof from a transaction to the root of its block. */
export interface MerkleProof {
  readonly block: BlockPlace;
  /** Sibling hashes along the path, lowest first, in wire order. */
  readonly branch: readonly Uint8Array[];
}

/** Reference to an output by its transaction and its 0-based position there. */
export interface OutputName {
  readonly txid: TransactionId;
  readonly vout: number;
}

/** Maximum number of items in one list query. */
export const maximumBatch = 1_000;

/** Parameters of one page of a script's history. */
export interface HistoryPage {
  /** Continues below this transaction; unknown in this history: an empty page. */
  readonly after?: TransactionId | undefined;
  /** Continues below this position of the best chain, whichever transaction is there; not together with `after`. */
  readonly below?: { readonly height: number; readonly position: number } | undefined;
  /** Maximum number of transactions, at least 1. */
  readonly limit: number;
}

/** Parameters of a slice of a script's history by position, counted from the oldest transaction. */
export interface HistorySlice {
  /** Number of transactions that are skipped at the beginning. */
  readonly skip: number;
  /** Maximum number of transactions, at least 1. */
  readonly limit: number;
}

/** A branch that left the best chain. */
export interface StaleBranch {
  /** Highest block of the branch. */
  readonly tip: BlockRecord;
  /** Number of blocks from the best chain to the tip, including the tip. */
  readonly length: number;
}

/** Level of a block check; each level includes those below it. See `ChainQueries.checkBlock`. */
export type BlockCheckLevel = 0 | 1 | 2 | 3 | 4;

/** Parameters of one page of a script's unspent outputs. */
export interface UnspentOutputPage {
  /**
   * Continues after the position of this outpoint, which may have been spent since; an empty page when its transaction is not on the best
   * chain.
   */
  readonly after?: OutputName | undefined;
  /** Maximum number of outputs, at least 1. */
  readonly limit: number;
}

/**
 * Read side of an index.
 *
 * Every result comes from one state of the chain: a reorganization is visible completely or not at all. Hashes are lower-case hex in
 * display order; a string that is not a hash is never found. Script hashes are the SHA-256 of a scriptPubKey, in hex, not reversed.
 * `undefined` means that the item is unknown.
 */
export interface ChainQueries {
  readonly network: Network;
  /** Returns the highest block of the best chain; `undefined` while nothing is indexed. */
  tip(): Promise<BlockRecord | undefined>;
  /** Returns the height of the highest block of the best chain, at a fraction of the cost of `tip`. */
  tipHeight(): Promise<number | undefined>;
  /** Returns a block of the best chain only. */
  blockByHeight(height: number): Promise<BlockRecord | undefined>;
  /** Returns a block, including stale ones, with `onBestChain` false. */
  blockByHash(hash: BlockHash): Promise<BlockRecord | undefined>;
  /** Returns at most `count` blocks of the best chain from `fromHeight` downward; none when `fromHeight` is above the tip. */
  blocks(fromHeight: number, count: number): Promise<readonly BlockRecord[]>;
  /** Returns the retained branches that were the best chain once: highest first. */
  staleBranches(): Promise<readonly StaleBranch[]>;
  /** Returns the bytes on disk of the files with the blocks, either the index's own or the node's. */
  storedBytes(): Promise<number>;
  /**
   * Returns whether the block at a height of the best chain is as it was when it was connected: its bytes (0), the block in itself (1), the
   * outputs that it spent (2), the rows that its disconnection needs (3), and all checks of connecting it (4), except for scripts.
   * `undefined` above the tip. Yields to other work meanwhile. Throws `IndexerError` `reorganised` when blocks were disconnected.
   */
  checkBlock(height: number, level: BlockCheckLevel): Promise<boolean | undefined>;
  /** Returns the serialized block with its witnesses, including stale blocks. */
  rawBlock(hash: BlockHash): Promise<Uint8Array | undefined>;
  /** Returns the txids in block order, including stale blocks. */
  transactionIds(hash: BlockHash): Promise<readonly TransactionId[] | undefined>;
  /** Returns the same in wire order, 32 bytes each, one after the other: at less cost. */
  transactionIdBytes(hash: BlockHash): Promise<Uint8Array | undefined>;
  /** Returns the txid of the transaction at a 0-based position, including stale blocks. `undefined` also when the block has fewer. */
  transactionIdAt(hash: BlockHash, position: number): Promise<TransactionId | undefined>;
  /** Returns at most `count` transactions in block order from the 0-based `start`, including stale blocks, then without `block`. */
  blockTransactions(hash: BlockHash, start: number, count: number): Promise<readonly IndexedTransaction[] | undefined>;
  /** Returns a transaction of the best chain, or otherwise of a stale block. */
  transaction(txid: TransactionId): Promise<IndexedTransaction | undefined>;
  /** Returns one transaction for each of at most `maximumBatch` txids, in order. */
  transactions(txids: readonly TransactionId[]): Promise<readonly (IndexedTransaction | undefined)[]>;
  /** Returns the bytes alone, at less cost; like `transaction` also of stale blocks. */
  rawTransaction(txid: TransactionId): Promise<RawTransaction | undefined>;
  /** Returns the position of the transaction on the best chain, at less cost than reading it. */
  transactionPlace(txid: TransactionId): Promise<BlockPlace | undefined>;
  /** Returns the proof of a transaction on the best chain only. */
  merkleProof(txid: TransactionId): Promise<MerkleProof | undefined>;
  /** Returns outputs of transactions of the best chain, spent or not; one for each of at most `maximumBatch` names, in order. */
  outputs(names: readonly OutputName[]): Promise<readonly (PreviousOutput | undefined)[]>;
  /** Returns one spend for each output, in order; `undefined` for an output that nothing on the best chain spends. */
  spends(txid: TransactionId): Promise<readonly (Spend | undefined)[] | undefined>;
  /** Returns the same for each of at most `maximumBatch` txids, in order. */
  spendsOf(txids: readonly TransactionId[]): Promise<readonly (readonly (Spend | undefined)[] | undefined)[]>;
  /** Returns the statistics of a script; all zero for one that the best chain never paid. */
  scriptStatistics(scriptHash: string): Promise<ScriptStatistics>;
  /** Returns confirmed transactions, latest first: by height, then position in the block, both descending. */
  scriptHistory(scriptHash: string, page: HistoryPage): Promise<readonly IndexedTransaction[]>;
  /**
   * Returns the same, with frequently queried ones in the form of `write`, in which they are cached. The same function must be passed for a
   * form each time.
   */
  writtenHistory(
    scriptHash: string,
    page: HistoryPage,
    write: WriteTransaction,
  ): Promise<readonly (IndexedTransaction | WrittenTransaction)[]>;
  /** Returns confirmed transactions by their position in the history, oldest first; a deep one costs hardly more than the first. */
  scriptHistorySlice(scriptHash: string, slice: HistorySlice): Promise<readonly IndexedTransaction[]>;
  /** Returns confirmed unspent outputs, oldest first: by height, position in the block, then vout. */
  unspentOutputs(scriptHash: string, page: UnspentOutputPage): Promise<readonly UnspentOutput[]>;
  /**
   * Returns the number of outputs that no input spends, at the cost of one row: including the first block's unspendable one, and without
   * replaced ones (BIP 30) and those whose scripts begin with OP_RETURN.
   */
  unspentOutputCount(): Promise<number>;
  /**
   * Yields all pages from that one on, each read on demand: blocks that are connected meanwhile may be visible. Throws `IndexerError`
   * `reorganised` instead of a page when blocks were disconnected since the first.
   */
  unspentOutputPages(scriptHash: string, first: UnspentOutputPage): AsyncIterable<readonly UnspentOutput[]>;
  /**
   * Yields all coins after `tip`, Bitcoin Core's set of unspent outputs, by txid in wire order, then by vout; some at a time, read on
   * demand. Takes time in proportion to all transactions of the chain. Throws `IndexerError` `reorganised`, also half-way, when `tip` is
   * not the best block, or not any more.
   */
  coinPages(tip: BlockHash): AsyncIterable<readonly Coin[]>;
  /**
   * Returns at most `limit` addresses that the best chain paid and that begin with `prefix`, in byte order. `undefined` when the index was
   * created without address search.
   */
  addressesByPrefix(prefix: string, limit: number): Promise<readonly string[] | undefined>;
}
