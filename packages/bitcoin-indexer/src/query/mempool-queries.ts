import type { TransactionId } from "@nodewright/bitcoin-primitives";
import type { MempoolSummary } from "../store/mempool-layout.ts";
import type { IndexedTransaction } from "./chain-queries.ts";
import type { ScriptStatistics } from "../store/script-sums-codec.ts";

/** Confirmation targets in blocks, for which fee estimates are returned. */
export const feeEstimateTargets: readonly number[] = [
  ...Array.from({ length: 25 }, (_, index) => index + 1),
  144,
  504,
  1_008,
];

/** Fee rate in satoshi per virtual byte: the minimum that nodes relay, and the estimate when nothing better is known. */
export const unknownFeeRate = 1;

/** Summary of an unconfirmed transaction. */
export interface MempoolEntry {
  readonly txid: TransactionId;
  /** Satoshi. */
  readonly fee: bigint;
  /** Virtual bytes. */
  readonly virtualSize: number;
  /** Total value of the outputs that it spends, in satoshi. */
  readonly value: bigint;
  /** Time when it was first seen here, seconds since 1970. */
  readonly time: number;
}

/** An unconfirmed transaction with its relations to the others. */
export interface MempoolMember {
  readonly txid: TransactionId;
  readonly wtxid: TransactionId;
  /** Satoshi. */
  readonly fee: bigint;
  /** Size in bytes with witnesses. */
  readonly size: number;
  /** Virtual bytes. */
  readonly virtualSize: number;
  /** BIP 141 weight units. */
  readonly weight: number;
  /** Time when it was first seen here, seconds since 1970. */
  readonly time: number;
  /** Height of the best block of the index when it was first seen. */
  readonly height: number;
  /** Unconfirmed transactions whose outputs it spends, each once, in the order of their hex strings. */
  readonly parents: readonly TransactionId[];
  /** Unconfirmed transactions that spend its outputs, each once, in the order of their hex strings. */
  readonly children: readonly TransactionId[];
}

/** Input of an unconfirmed transaction that spends an output. */
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

/** Parameters of one page of a script's unconfirmed history. */
export interface MempoolHistoryPage {
  /** Continues after this transaction; unknown in this history: an empty page. */
  readonly after?: TransactionId | undefined;
  /** Maximum number of transactions, at least 1. */
  readonly limit: number;
}

/**
 * Unconfirmed transactions of the upstream node.
 *
 * Each result comes from one state of the mempool. A block may have confirmed its transactions meanwhile: callers query the chain as well,
 * which is authoritative. Without a node everything is empty.
 */
export interface MempoolQueries {
  summary(): Promise<MempoolSummary>;
  /** Returns at most `limit` txids in the order of their hex strings after `after`, which need not exist. */
  transactionIds(page: {
    readonly after?: TransactionId | undefined;
    readonly limit: number;
  }): Promise<readonly TransactionId[]>;
  /** Returns one member for each of at most `maximumBatch` txids, in order. */
  members(txids: readonly TransactionId[]): Promise<readonly (MempoolMember | undefined)[]>;
  /** Returns the number of changes since the indexer was started; 0 without a node. */
  changes(): Promise<number>;
  /** Returns the latest arrivals, latest first. */
  recent(count: number): Promise<readonly MempoolEntry[]>;
  /** Returns a transaction; `block` is absent. Spent outputs of other unconfirmed transactions have height -1. */
  transaction(txid: TransactionId): Promise<IndexedTransaction | undefined>;
  /** Returns whether `transaction` would find it, at less cost. */
  has(txid: TransactionId): Promise<boolean>;
  /** Returns one spend for each outpoint, in order; outputs of the chain and of the mempool alike. */
  spends(
    outpoints: readonly { readonly txid: TransactionId; readonly vout: number }[],
  ): Promise<readonly (MempoolSpend | undefined)[]>;
  scriptStatistics(scriptHash: string): Promise<ScriptStatistics>;
  /** Returns the history, latest arrivals first. */
  scriptHistory(scriptHash: string, page: MempoolHistoryPage): Promise<readonly IndexedTransaction[]>;
  /** Returns the unspent outputs in the order of arrival, then vout. */
  unspentOutputs(scriptHash: string): Promise<readonly MempoolUnspentOutput[]>;
  /** Returns the outputs of this script that unconfirmed transactions spend; a few dozen at most for any except the busiest scripts. */
  spentOutputs(scriptHash: string): Promise<readonly { readonly txid: TransactionId; readonly vout: number }[]>;
  /** Returns satoshi per virtual byte by number of blocks: 1 to 25, 144, 504 and 1008, always all of them. */
  feeEstimates(): Promise<ReadonlyMap<number, number>>;
}
