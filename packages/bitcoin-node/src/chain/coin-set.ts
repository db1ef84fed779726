import { createHash, type Hash } from "node:crypto";
import { type BlockRecord, type ChainQueries, isIndexerError } from "@nodewright/bitcoin-indexer";
import {
  bogoSizeOf,
  type Coin,
  displayHash,
  equalBytes,
  MuHash,
  muHashDigest,
  serializeCoin,
  sha256,
} from "@nodewright/bitcoin-primitives";
import { ServiceError } from "@nodewright/runtime";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { getTip } from "./best-block.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Hash over all coins, in Bitcoin Core's names. */
export type CoinHashType = "hash_serialized_3" | "muhash" | "none";

/** Totals of all coins after a block, counted one by one. */
export interface CoinSet {
  readonly tip: BlockRecord;
  readonly coins: number;
  /** Number of transactions that have coins. */
  readonly transactions: number;
  readonly bogoSize: number;
  /** Satoshi. */
  readonly amount: bigint;
  /** Bytes of the coins as they are serialized for the hash. */
  readonly serializedSize: number;
  /** Hash in display order; absent where none was requested. */
  readonly hash: string | undefined;
}

/** Number of transactions above which the chain takes too long to be read for one response. */
const maximumTransactions = 1_000_000;

/** Number of attempts to read the coins, repeated when a block arrives meanwhile. */
const attempts = 5;

/** Latest or current count of each index: identical calls get the same result. */
const counted = new WeakMap<
  ChainQueries,
  Map<CoinHashType, { readonly tip: string; readonly set: Promise<CoinSet> }>
>();

/**
 * Counts all coins after the best block by reading them one by one, in small time slices. Throws -8 when there are too many transactions
 * for that, and `upstream_unavailable` when block after block arrives meanwhile.
 */
export async function countCoins(index: ChainQueries, hashType: CoinHashType): Promise<CoinSet> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const tip = await getTip(index);
    if (tip.chainTransactionCount > maximumTransactions) throw tooMany(hashType);
    try {
      return await countOnce(index, tip, hashType);
    } catch (reason) {
      if (!isIndexerError(reason) || reason.code !== "reorganised") throw reason;
    }
  }
  throw new ServiceError("upstream_unavailable", "Blocks arrived while the outputs were counted: try again", {
    retryAfterSeconds: 1,
  });
}

function tooMany(hashType: CoinHashType): ServiceError {
  return hashType === "hash_serialized_3"
    ? rpcError(
        "invalidParameter",
        "hash_serialized_3 reads all outputs in order, which are too many here: request muhash, which the index of coin statistics has",
      )
    : rpcError("invalidParameter", "There are too many outputs to be counted without coinstatsindex");
}

async function countOnce(index: ChainQueries, tip: BlockRecord, hashType: CoinHashType): Promise<CoinSet> {
  const ofIndex = counted.get(index) ?? new Map();
  counted.set(index, ofIndex);
  const known = ofIndex.get(hashType);
  if (known?.tip === tip.hash) return await known.set;
  const set = readCoins(index, tip, hashType);
  ofIndex.set(hashType, { tip: tip.hash, set });
  // A failed one is not cached.
  set.catch(() => {
    if (ofIndex.get(hashType)?.set === set) ofIndex.delete(hashType);
  });
  return await set;
}

async function readCoins(index: ChainQueries, tip: BlockRecord, hashType: CoinHashType): Promise<CoinSet> {
  const count = new CoinCount(hashType);
  for await (const coins of index.coinPages(tip.hash)) {
    for (const coin of coins) count.add(coin);
    if (isTimeSliceUsedUp()) await nextTimeSlice();
  }
  return { tip, ...count.result() };
}

class CoinCount {
  readonly #hash: Hash | MuHash | undefined;
  #coins = 0;
  #transactions = 0;
  #bogoSize = 0;
  #amount = 0n;
  #serializedSize = 0;
  #txid: Uint8Array | undefined;

  constructor(hashType: CoinHashType) {
    if (hashType === "muhash") this.#hash = new MuHash();
    if (hashType === "hash_serialized_3") this.#hash = createHash("sha256");
  }

  add(coin: Coin): void {
    const bytes = serializeCoin(coin);
    if (this.#hash instanceof MuHash) this.#hash.add(bytes);
    else this.#hash?.update(bytes);
    if (this.#txid === undefined || !equalBytes(this.#txid, coin.txid)) this.#transactions += 1;
    this.#txid = coin.txid;
    this.#coins += 1;
    this.#bogoSize += bogoSizeOf(coin.scriptPubKey);
    this.#amount += coin.value;
    this.#serializedSize += bytes.length;
  }

  result(): Omit<CoinSet, "tip"> {
    return {
      coins: this.#coins,
      transactions: this.#transactions,
      bogoSize: this.#bogoSize,
      amount: this.#amount,
      serializedSize: this.#serializedSize,
      hash: this.#digest(),
    };
  }

  #digest(): string | undefined {
    if (this.#hash === undefined) return undefined;
    return displayHash(this.#hash instanceof MuHash ? muHashDigest(this.#hash.value()) : sha256(this.#hash.digest()));
  }
}
