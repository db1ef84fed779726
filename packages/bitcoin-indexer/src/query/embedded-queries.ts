import type { BlockHash, Coin, Network, TransactionId } from "@nodewright/bitcoin-primitives";
import { IndexerError } from "../basics/indexer-error.ts";
import type { BlockFileReader } from "../store/block-files.ts";
import { BlockPlaces } from "../store/block-places.ts";
import type { DataDirectory } from "../store/data-directory.ts";
import type { TableReads } from "../store/environment.ts";
import { tips, unspentOutputs } from "../store/layout.ts";
import { StoredTransactions } from "../store/stored-transactions.ts";
import {
  type BlockCheckLevel,
  type BlockPlace,
  type BlockRecord,
  type ChainQueries,
  type HistoryPage,
  type HistorySlice,
  type IndexedTransaction,
  maximumBatch,
  type MerkleProof,
  type OutputName,
  type RawTransaction,
  type Spend,
  type StaleBranch,
  type UnspentOutput,
  type UnspentOutputPage,
  type WriteTransaction,
  type WrittenTransaction,
} from "./chain-queries.ts";
import type { PreviousOutput } from "../chain/connected-block.ts";
import type { ScriptStatistics } from "../store/script-sums-codec.ts";
import { checkBlock } from "./check-block.ts";
import { firstCoins, type ReadCoins, readCoins } from "./coin-reads.ts";
import { displayHashes } from "./display-hashes.ts";
import { readHistorySlice } from "./history-slice.ts";
import { inSlices } from "../basics/in-slices.ts";
import { KnownBlocks } from "./known-blocks.ts";
import { MerkleTrees } from "./merkle-trees.ts";
import { readStatistics, readUnspentOutputs, readHistory, readWrittenHistory, readAddresses } from "./script-reads.ts";
import { Snapshot } from "./snapshot.ts";
import { readStaleBranches } from "./stale-branches.ts";
import { StoredBytes } from "./stored-bytes.ts";
import { TransactionMemory } from "./transaction-memory.ts";
import { WrittenTransactions } from "./written-transactions.ts";

/** Index from which results are read. */
export interface EmbeddedIndex {
  readonly environment: TableReads;
  readonly files: BlockFileReader;
  /** Whether the index was created with address search. */
  readonly keepsAddresses: boolean;
  /** Directory of the index. */
  readonly directory: DataDirectory;
}

/** Function that returns the index, synchronously when it is open; `undefined` while the index does not exist. */
export type OpenEmbeddedIndex = () => EmbeddedIndex | undefined | Promise<EmbeddedIndex | undefined>;

const noStatistics: ScriptStatistics = {
  transactions: 0,
  fundedOutputs: 0,
  fundedValue: 0n,
  spentOutputs: 0,
  spentValue: 0n,
};

/**
 * Chain queries over the embedded store.
 *
 * Every result is read within one turn of the event loop, and thereby from one snapshot of the tables: once the index is open, no method
 * waits for another turn of the event loop.
 */
export class EmbeddedQueries implements ChainQueries {
  readonly network: Network;
  readonly #openIndex: OpenEmbeddedIndex;
  readonly #memory = new TransactionMemory();
  readonly #written = new WeakMap<WriteTransaction, WrittenTransactions>();
  readonly #places = new BlockPlaces();
  readonly #blocks = new KnownBlocks();
  readonly #trees = new MerkleTrees();
  readonly #storedBytes = new StoredBytes();

  /** Creates the queries. `openIndex` returns the index as soon as there is one. */
  constructor(network: Network, openIndex: OpenEmbeddedIndex) {
    this.network = network;
    this.#openIndex = openIndex;
  }

  async tip(): Promise<BlockRecord | undefined> {
    return (await this.#snapshot())?.tip();
  }

  async tipHeight(): Promise<number | undefined> {
    const height = (await this.#openIndex())?.environment.get(tips)?.height ?? -1;
    return height === -1 ? undefined : height;
  }

  async blockByHeight(height: number): Promise<BlockRecord | undefined> {
    return (await this.#snapshot())?.blockByHeight(height);
  }

  async blockByHash(hash: BlockHash): Promise<BlockRecord | undefined> {
    return (await this.#snapshot())?.blockByHash(hash);
  }

  async blocks(fromHeight: number, count: number): Promise<readonly BlockRecord[]> {
    return (await this.#snapshot())?.blocks(fromHeight, count) ?? [];
  }

  async staleBranches(): Promise<readonly StaleBranch[]> {
    const index = await this.#openIndex();
    return index === undefined ? [] : readStaleBranches(index.environment);
  }

  async storedBytes(): Promise<number> {
    const index = await this.#openIndex();
    return index === undefined ? 0 : this.#storedBytes.count(index.environment, index.directory);
  }

  async checkBlock(height: number, level: BlockCheckLevel): Promise<boolean | undefined> {
    const index = await this.#openIndex();
    const snapshot = this.#snapshotOf(index);
    if (index === undefined || snapshot?.blockByHeight(height) === undefined) return undefined;
    const { environment: reads, files } = index;
    const stored = new StoredTransactions(reads, files, this.#places);
    const checked = { network: this.network, reads, files, places: this.#places, stored };
    return inSlices(checkBlock(checked, height, level), async () => {
      if ((await this.#snapshot())?.reorganisations !== snapshot.reorganisations) throw reorganised();
    });
  }

  async rawBlock(hash: BlockHash): Promise<Uint8Array | undefined> {
    return (await this.#snapshot())?.rawBlock(hash);
  }

  async transactionIds(hash: BlockHash): Promise<readonly TransactionId[] | undefined> {
    const ids = (await this.#snapshot())?.transactionIdBytes(hash);
    return ids && displayHashes(ids);
  }

  async transactionIdBytes(hash: BlockHash): Promise<Uint8Array | undefined> {
    return (await this.#snapshot())?.transactionIdBytes(hash);
  }

  async transactionIdAt(hash: BlockHash, position: number): Promise<TransactionId | undefined> {
    return (await this.#snapshot())?.transactionIdAt(hash, position);
  }

  async blockTransactions(
    hash: BlockHash,
    start: number,
    count: number,
  ): Promise<readonly IndexedTransaction[] | undefined> {
    return (await this.#snapshot())?.blockTransactions(hash, start, count);
  }

  async transaction(txid: TransactionId): Promise<IndexedTransaction | undefined> {
    return this.#transaction(await this.#snapshot(), txid);
  }

  async transactions(txids: readonly TransactionId[]): Promise<readonly (IndexedTransaction | undefined)[]> {
    assertBatch(txids);
    const snapshot = await this.#snapshot();
    return txids.map((txid) => this.#transaction(snapshot, txid));
  }

  async rawTransaction(txid: TransactionId): Promise<RawTransaction | undefined> {
    return (await this.#snapshot())?.rawTransaction(txid);
  }

  async transactionPlace(txid: TransactionId): Promise<BlockPlace | undefined> {
    return (await this.#snapshot())?.transactionPlace(txid);
  }

  async merkleProof(txid: TransactionId): Promise<MerkleProof | undefined> {
    return (await this.#snapshot())?.merkleProof(txid);
  }

  async outputs(names: readonly OutputName[]): Promise<readonly (PreviousOutput | undefined)[]> {
    assertBatch(names);
    const snapshot = await this.#snapshot();
    return names.map((name) => snapshot?.output(name));
  }

  async spends(txid: TransactionId): Promise<readonly (Spend | undefined)[] | undefined> {
    return (await this.#snapshot())?.spends(txid);
  }

  async spendsOf(txids: readonly TransactionId[]): Promise<readonly (readonly (Spend | undefined)[] | undefined)[]> {
    assertBatch(txids);
    const snapshot = await this.#snapshot();
    return txids.map((txid) => snapshot?.spends(txid));
  }

  async scriptStatistics(scriptHash: string): Promise<ScriptStatistics> {
    const index = await this.#openIndex();
    const tip = index?.environment.get(tips);
    if (index === undefined || tip === undefined) return noStatistics;
    const hasReplaced = this.#blocks.hasReplaced(index.environment, tip);
    return readStatistics(index.environment, scriptHash, hasReplaced) ?? noStatistics;
  }

  async scriptHistory(scriptHash: string, page: HistoryPage): Promise<readonly IndexedTransaction[]> {
    const snapshot = await this.#snapshot();
    return snapshot === undefined ? [] : readHistory(snapshot, scriptHash, page);
  }

  async scriptHistorySlice(scriptHash: string, slice: HistorySlice): Promise<readonly IndexedTransaction[]> {
    const snapshot = await this.#snapshot();
    return snapshot === undefined ? [] : readHistorySlice(snapshot, scriptHash, slice);
  }

  async writtenHistory(
    scriptHash: string,
    page: HistoryPage,
    write: WriteTransaction,
  ): Promise<readonly (IndexedTransaction | WrittenTransaction)[]> {
    const snapshot = await this.#snapshot();
    if (snapshot === undefined) return [];
    return readWrittenHistory(snapshot, scriptHash, page, write, this.#writtenBy(write, snapshot));
  }

  async unspentOutputs(scriptHash: string, page: UnspentOutputPage): Promise<readonly UnspentOutput[]> {
    const snapshot = await this.#snapshot();
    return snapshot === undefined ? [] : readUnspentOutputs(snapshot, scriptHash, page);
  }

  async unspentOutputCount(): Promise<number> {
    return (await this.#openIndex())?.environment.count(unspentOutputs) ?? 0;
  }

  async *unspentOutputPages(
    scriptHash: string,
    { after, limit }: UnspentOutputPage,
  ): AsyncIterable<readonly UnspentOutput[]> {
    let reorganisations: number | undefined;
    for (let cursor = after; ; ) {
      const snapshot = await this.#snapshot();
      if (snapshot === undefined) return;
      reorganisations ??= snapshot.reorganisations;
      if (snapshot.reorganisations !== reorganisations) throw reorganised();
      const page = readUnspentOutputs(snapshot, scriptHash, { after: cursor, limit });
      if (page.length > 0) yield page;
      if (page.length < limit) return;
      cursor = page.at(-1);
    }
  }

  async *coinPages(tip: BlockHash): AsyncIterable<readonly Coin[]> {
    for (let start: Uint8Array | undefined = firstCoins; start !== undefined; ) {
      const snapshot = await this.#snapshot();
      if (snapshot?.tip()?.hash !== tip) throw reorganised();
      const { coins, next }: ReadCoins = readCoins(snapshot, start);
      yield coins;
      start = next;
    }
  }

  async addressesByPrefix(prefix: string, limit: number): Promise<readonly string[] | undefined> {
    const index = await this.#openIndex();
    if (index === undefined) return [];
    return index.keepsAddresses ? readAddresses(index.environment, prefix, limit) : undefined;
  }

  #writtenBy(write: WriteTransaction, { reorganisations }: Snapshot): WrittenTransactions {
    const written = this.#written.get(write) ?? new WrittenTransactions();
    this.#written.set(write, written);
    written.refresh(reorganisations);
    return written;
  }

  #transaction(snapshot: Snapshot | undefined, txid: TransactionId): IndexedTransaction | undefined {
    return snapshot && this.#memory.find(snapshot.changes, txid, () => snapshot.transaction(txid));
  }

  /**
   * Returns the current tables, for use within one turn of the event loop. Synchronous when the index is open, as for every query except
   * the first few.
   */
  #snapshot(): Snapshot | undefined | Promise<Snapshot | undefined> {
    const index = this.#openIndex();
    return index instanceof Promise ? index.then((opened) => this.#snapshotOf(opened)) : this.#snapshotOf(index);
  }

  #snapshotOf(index: EmbeddedIndex | undefined): Snapshot | undefined {
    const tip = index?.environment.get(tips);
    if (index === undefined || tip === undefined) return undefined;
    this.#places.refresh(index.environment, tip);
    this.#blocks.refresh(tip);
    return new Snapshot({
      tip,
      reads: index.environment,
      files: index.files,
      places: this.#places,
      blocks: this.#blocks,
      trees: this.#trees,
    });
  }
}

function reorganised(): IndexerError {
  return new IndexerError("reorganised", "The chain was reorganized during the request: try again.", {
    retry: true,
  });
}

function assertBatch(list: readonly unknown[]): void {
  if (list.length > maximumBatch) throw new Error(`Requested ${list.length} at once, more than ${maximumBatch}`);
}
