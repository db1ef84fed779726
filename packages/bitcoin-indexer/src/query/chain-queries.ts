import type { BlockHash, BlockHeader, Coin, Network, Transaction, TransactionId } from "@nodewright/bitcoin-primitives";

/** A block as the index knows it, without its transactions. */
export interface BlockRecord {
  readonly hash: BlockHash;
  /** 0 for the genesis block. */
  readonly height: number;
  readonly header: BlockHeader;
  readonly transactionCount: number;
  /** Transactions of the chain up to and with this block. */
  readonly chainTransactionCount: number;
  /** Bytes with witnesses. */
  readonly size: number;
  /** Bytes without witnesses. */
  readonly strippedSize: number;
  /** BIP 141 weight units. */
  readonly weight: number;
  /** Median of the times of this block and the ten before it (BIP 113), seconds since 1970. */
  readonly medianTime: number;
  /** Expected number of hashes to produce the chain up to and with this block. */
  readonly chainWork: bigint;
  /** Absent for the genesis block. */
  readonly previousHash?: BlockHash;
  /** The block above on the best chain; absent for the tip and for stale blocks. */
  readonly nextHash?: BlockHash;
  readonly onBestChain: boolean;
}

/** Where on the best chain a transaction stands. */
export interface BlockPlace {
  readonly hash: BlockHash;
  readonly height: number;
  /** The header's time, seconds since 1970. */
  readonly time: number;
  readonly medianTime: number;
  /** 0-based; 0 is the coinbase. */
  readonly position: number;
}

/** The output that an input spends. */
export interface PreviousOutput {
  /** Satoshi. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
  /** Of the block that made the output. */
  readonly height: number;
  readonly isCoinbase: boolean;
}

/** A transaction with what only an index can tell about it. */
export interface IndexedTransaction {
  readonly txid: TransactionId;
  readonly transaction: Transaction;
  /** Absent when no block of the best chain holds the transaction: it is in a stale block alone, or unconfirmed. */
  readonly block?: BlockPlace;
  /** A stale block that holds it, where `transaction` found it in no other: the only one but for rare ones that are in several. */
  readonly staleBlock?: BlockHash;
  /** One for each input, in order; `undefined` for the input of a coinbase. */
  readonly previousOutputs: readonly (PreviousOutput | undefined)[];
  /** Satoshi; 0 for a coinbase. */
  readonly fee: bigint;
}

/**
 * Writes a transaction in a caller's form, such as JSON: the same bytes whenever it is given the same. They have to stay valid until it is
 * called again.
 */
export type WriteTransaction = (transaction: IndexedTransaction) => Uint8Array;

/** A transaction of the best chain in a caller's form. */
export interface WrittenTransaction {
  readonly txid: TransactionId;
  readonly block: BlockPlace;
  readonly bytes: Uint8Array;
}

/** The input that spends an output. */
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

/** What the best chain paid to and from one script. */
export interface ScriptStatistics {
  readonly fundedOutputs: number;
  /** Satoshi. */
  readonly fundedValue: bigint;
  readonly spentOutputs: number;
  /** Satoshi. */
  readonly spentValue: bigint;
  /** Transactions that fund or spend, each counted once. */
  readonly transactions: number;
}

/** A transaction as it is serialized, without anything about what it spends. */
export interface RawTransaction {
  readonly bytes: Uint8Array;
  /** Absent when the transaction is in a stale block alone. */
  readonly block?: BlockPlace;
}

/** What leads from a transaction to the root of its block. */
export interface MerkleProof {
  readonly block: BlockPlace;
  /** The hashes beside the way, lowest first, in wire order. */
  readonly branch: readonly Uint8Array[];
}

/** Names an output by its transaction and its 0-based position there. */
export interface OutputName {
  readonly txid: TransactionId;
  readonly vout: number;
}

/** Most things that one question of a list of them may name. */
export const maximumBatch = 1_000;

/** Asks for one page of a script's history. */
export interface HistoryPage {
  /** Goes on below this transaction; unknown in this history: an empty page. */
  readonly after?: TransactionId | undefined;
  /** Goes on below this place of the best chain, whosever transaction is there; not together with `after`. */
  readonly below?: { readonly height: number; readonly position: number } | undefined;
  /** At least 1. */
  readonly limit: number;
}

/** Asks for a part of a script's history by its place, counted from the oldest transaction. */
export interface HistorySlice {
  /** Transactions that are left out at the beginning. */
  readonly skip: number;
  /** At least 1. */
  readonly limit: number;
}

/** A branch that left the best chain. */
export interface StaleBranch {
  /** Its highest block. */
  readonly tip: BlockRecord;
  /** Blocks that lead from the best chain to the tip, itself counted. */
  readonly length: number;
}

/** How much of a block is checked; each level checks what those below it do. See `ChainQueries.checkBlock`. */
export type BlockCheckLevel = 0 | 1 | 2 | 3 | 4;

/** Asks for one page of a script's unspent outputs. */
export interface UnspentOutputPage {
  /**
   * Goes on behind the place of this outpoint, which may have been spent since; an empty page when its transaction is not on the best
   * chain.
   */
  readonly after?: OutputName | undefined;
  /** At least 1. */
  readonly limit: number;
}

/**
 * The read side of an index.
 *
 * Every answer comes from one state of the chain: a reorganisation is seen whole or not at all. Hashes are lower-case hex in
 * display order; a text that is no hash is found nowhere. Script hashes are the SHA-256 of a scriptPubKey, in hex, not reversed.
 * `undefined` says that the thing asked about is unknown.
 */
export interface ChainQueries {
  readonly network: Network;
  /** The highest block of the best chain; `undefined` while nothing is indexed. */
  tip(): Promise<BlockRecord | undefined>;
  /** Of the highest block of the best chain, at a fraction of what `tip` costs. */
  tipHeight(): Promise<number | undefined>;
  /** On the best chain alone. */
  blockByHeight(height: number): Promise<BlockRecord | undefined>;
  /** Stale blocks too, with `onBestChain` false. */
  blockByHash(hash: BlockHash): Promise<BlockRecord | undefined>;
  /** At most `count` blocks of the best chain from `fromHeight` downward; none when `fromHeight` is above the tip. */
  blocks(fromHeight: number, count: number): Promise<readonly BlockRecord[]>;
  /** The branches that are kept of those that were the best chain once: highest first. */
  staleBranches(): Promise<readonly StaleBranch[]>;
  /** Bytes on disk of the files with the blocks, be they the index's own or the node's. */
  storedBytes(): Promise<number>;
  /**
   * Whether the block at a height of the best chain is as it was when it was connected: its bytes (0), what it says about itself (1),
   * the outputs that it spent (2), the rows that its disconnection needs (3), and all that connecting it checks again (4), but no
   * scripts. `undefined` above the tip. Lets other work go on meanwhile; throws `IndexerError` `reorganised` when blocks were
   * disconnected.
   */
  checkBlock(height: number, level: BlockCheckLevel): Promise<boolean | undefined>;
  /** The serialized block with its witnesses; stale blocks too. */
  rawBlock(hash: BlockHash): Promise<Uint8Array | undefined>;
  /** In block order; stale blocks too. */
  transactionIds(hash: BlockHash): Promise<readonly TransactionId[] | undefined>;
  /** The same in wire order, 32 bytes each, one after the other: at less cost. */
  transactionIdBytes(hash: BlockHash): Promise<Uint8Array | undefined>;
  /** Of the transaction at a 0-based position; stale blocks too. `undefined` also when the block has fewer. */
  transactionIdAt(hash: BlockHash, position: number): Promise<TransactionId | undefined>;
  /** At most `count` transactions in block order from the 0-based `start`; stale blocks too, then without `block`. */
  blockTransactions(hash: BlockHash, start: number, count: number): Promise<readonly IndexedTransaction[] | undefined>;
  /** On the best chain, or else in a stale block. */
  transaction(txid: TransactionId): Promise<IndexedTransaction | undefined>;
  /** One for each of at most `maximumBatch` txids, in order. */
  transactions(txids: readonly TransactionId[]): Promise<readonly (IndexedTransaction | undefined)[]>;
  /** The bytes alone, at less cost; like `transaction` also of stale blocks. */
  rawTransaction(txid: TransactionId): Promise<RawTransaction | undefined>;
  /** Where on the best chain the transaction stands, at less cost than reading it. */
  transactionPlace(txid: TransactionId): Promise<BlockPlace | undefined>;
  /** On the best chain alone. */
  merkleProof(txid: TransactionId): Promise<MerkleProof | undefined>;
  /** Outputs that transactions of the best chain made, spent or not; one for each of at most `maximumBatch` names, in order. */
  outputs(names: readonly OutputName[]): Promise<readonly (PreviousOutput | undefined)[]>;
  /** One for each output, in order; `undefined` in it for an output that nothing on the best chain spends. */
  spends(txid: TransactionId): Promise<readonly (Spend | undefined)[] | undefined>;
  /** The same for each of at most `maximumBatch` txids, in order. */
  spendsOf(txids: readonly TransactionId[]): Promise<readonly (readonly (Spend | undefined)[] | undefined)[]>;
  /** All zero for a script that the best chain never paid. */
  scriptStatistics(scriptHash: string): Promise<ScriptStatistics>;
  /** Confirmed transactions, newest first: by height, then position in the block, both descending. */
  scriptHistory(scriptHash: string, page: HistoryPage): Promise<readonly IndexedTransaction[]>;
  /**
   * The same, those in the form of `write` that are asked for often: they are remembered in it. One and the same function is to be given
   * for a form each time.
   */
  writtenHistory(
    scriptHash: string,
    page: HistoryPage,
    write: WriteTransaction,
  ): Promise<readonly (IndexedTransaction | WrittenTransaction)[]>;
  /** Confirmed transactions by their place in the history, oldest first; a deep one costs hardly more than the first. */
  scriptHistorySlice(scriptHash: string, slice: HistorySlice): Promise<readonly IndexedTransaction[]>;
  /** Confirmed unspent outputs, oldest first: by height, position in the block, then vout. */
  unspentOutputs(scriptHash: string, page: UnspentOutputPage): Promise<readonly UnspentOutput[]>;
  /**
   * All outputs that no input spends, at the cost of one row: with the first block's, which nobody can spend, and without replaced ones
   * (BIP 30) and those whose scripts begin with OP_RETURN.
   */
  unspentOutputCount(): Promise<number>;
  /**
   * All pages from that one on, each read when it is asked for: blocks that are connected meanwhile may show. Throws `IndexerError`
   * `reorganised` instead of a page when blocks were disconnected since the first.
   */
  unspentOutputPages(scriptHash: string, first: UnspentOutputPage): AsyncIterable<readonly UnspentOutput[]>;
  /**
   * All coins after `tip`, what Bitcoin Core keeps as its set of unspent outputs, by txid in wire order, then by vout; some at a time,
   * read when they are asked for. Takes time in proportion to all transactions of the chain. Throws `IndexerError` `reorganised`, also
   * half-way, when `tip` is not the best block, or not any more.
   */
  coinPages(tip: BlockHash): AsyncIterable<readonly Coin[]>;
  /**
   * At most `limit` addresses that the best chain paid and that begin with `prefix`, in the order of their bytes. `undefined` when the
   * index was made without address search.
   */
  addressesByPrefix(prefix: string, limit: number): Promise<readonly string[] | undefined>;
}
