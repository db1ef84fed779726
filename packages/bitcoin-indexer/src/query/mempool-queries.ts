import type { TransactionId } from "@nodewright/bitcoin-primitives";
import type { IndexedTransaction, ScriptStatistics } from "./chain-queries.ts";

/** In how many blocks a transaction is to be confirmed: what fee estimates are given for. */
export const feeEstimateTargets: readonly number[] = [
  ...Array.from({ length: 25 }, (_, index) => index + 1),
  144,
  504,
  1_008,
];

/** Satoshi per virtual byte: the least that nodes relay, and the estimate when nothing better is known. */
export const unknownFeeRate = 1;

/** What all unconfirmed transactions come to. */
export interface MempoolSummary {
  readonly count: number;
  /** Virtual bytes. */
  readonly virtualSize: number;
  /** Satoshi. */
  readonly totalFee: bigint;
  /**
   * From the highest fee rate down: satoshi per virtual byte, and the virtual bytes that pay at least that much and less than the bin
   * before. Bins are closed above 50,000 virtual bytes, as Esplora closes them.
   */
  readonly feeHistogram: readonly (readonly [feeRate: number, virtualSize: number])[];
}

/** An unconfirmed transaction in a line. */
export interface MempoolEntry {
  readonly txid: TransactionId;
  /** Satoshi. */
  readonly fee: bigint;
  /** Virtual bytes. */
  readonly virtualSize: number;
  /** Of the outputs that it spends, satoshi. */
  readonly value: bigint;
  /** When it was first seen here, seconds since 1970. */
  readonly time: number;
}

/** An unconfirmed transaction with how it stands to the others. */
export interface MempoolMember {
  readonly txid: TransactionId;
  readonly wtxid: TransactionId;
  /** Satoshi. */
  readonly fee: bigint;
  /** Bytes with witnesses. */
  readonly size: number;
  /** Virtual bytes. */
  readonly virtualSize: number;
  /** BIP 141 weight units. */
  readonly weight: number;
  /** When it was first seen here, seconds since 1970. */
  readonly time: number;
  /** Of the best block of the index when it was first seen. */
  readonly height: number;
  /** Unconfirmed transactions whose outputs it spends, each once, in the order of their texts. */
  readonly parents: readonly TransactionId[];
  /** Unconfirmed transactions that spend its outputs, each once, in the order of their texts. */
  readonly children: readonly TransactionId[];
}

/** The input of an unconfirmed transaction that spends an output. */
export interface MempoolSpend {
  readonly txid: TransactionId;
  /** 0-based position of the input in the spending transaction. */
  readonly vin: number;
}

/** An output of an unconfirmed transaction that no other spends. */
export interface MempoolUnspentOutput {
  readonly txid: TransactionId;
  readonly vout: number;
  /** Satoshi. */
  readonly value: bigint;
}

/** Asks for one page of a script's unconfirmed history. */
export interface MempoolHistoryPage {
  /** Goes on behind this transaction; unknown in this history: an empty page. */
  readonly after?: TransactionId | undefined;
  /** At least 1. */
  readonly limit: number;
}

/**
 * The unconfirmed transactions that the node behind an index knows.
 *
 * Answers come from one state of the mempool each. A block may have confirmed meanwhile what is told here: callers ask the chain as
 * well, and what it says counts. Without a node everything is empty.
 */
export interface MempoolQueries {
  summary(): Promise<MempoolSummary>;
  /** In the order of their hex texts, at most `limit` of them behind `after`, which need not exist. */
  transactionIds(page: {
    readonly after?: TransactionId | undefined;
    readonly limit: number;
  }): Promise<readonly TransactionId[]>;
  /** One for each of at most `maximumBatch` txids, in order. */
  members(txids: readonly TransactionId[]): Promise<readonly (MempoolMember | undefined)[]>;
  /** How often what is told here has changed since the indexer was started; 0 without a node. */
  changes(): Promise<number>;
  /** The last to arrive, newest first. */
  recent(count: number): Promise<readonly MempoolEntry[]>;
  /** `block` is absent. Spent outputs of other unconfirmed transactions have height -1. */
  transaction(txid: TransactionId): Promise<IndexedTransaction | undefined>;
  /** Whether `transaction` would find it, at less cost. */
  has(txid: TransactionId): Promise<boolean>;
  /** One for each outpoint, in order; outputs of the chain and of the mempool alike. */
  spends(
    outpoints: readonly { readonly txid: TransactionId; readonly vout: number }[],
  ): Promise<readonly (MempoolSpend | undefined)[]>;
  scriptStatistics(scriptHash: string): Promise<ScriptStatistics>;
  /** Newest arrivals first. */
  scriptHistory(scriptHash: string, page: MempoolHistoryPage): Promise<readonly IndexedTransaction[]>;
  /** In the order of arrival, then vout. */
  unspentOutputs(scriptHash: string): Promise<readonly MempoolUnspentOutput[]>;
  /** The outputs of this script that unconfirmed transactions spend; a few dozen at most for any but the busiest scripts. */
  spentOutputs(scriptHash: string): Promise<readonly { readonly txid: TransactionId; readonly vout: number }[]>;
  /** Satoshi per virtual byte by number of blocks: 1 to 25, 144, 504 and 1008, all of them always. */
  feeEstimates(): Promise<ReadonlyMap<number, number>>;
}
