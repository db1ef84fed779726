import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { displayHash, type Network, type Outpoint, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import type { ProcessLock } from "@nodewright/process-lock";
import { abandonBulk, dropBulkTables } from "../bulk/abandon-bulk.ts";
import type { BulkTarget } from "../bulk/bulk-target.ts";
import type { ExtensionTarget } from "../bulk/extension-target.ts";
import type { SpentOutput } from "../chain/connected-block.ts";
import type { ChainQueries } from "../query/chain-queries.ts";
import { EmbeddedQueries } from "../query/embedded-queries.ts";
import { BlockFileReader, BlockFileWriter, type RepairHint } from "../store/block-files.ts";
import { BlockPlaces } from "../store/block-places.ts";
import {
  claimDirectory,
  type DataDirectory,
  dataDirectory,
  finishDirectory,
  keepsAddresses,
  hasIndex,
  hasUnfinishedBulk,
  prepareDirectory,
} from "../store/data-directory.ts";
import { lockDirectory } from "../store/directory-lock.ts";
import { EmbeddedChange } from "./embedded-change.ts";
import { Environment } from "../store/environment.ts";
import type { IndexStore, StoreChange, StoredHeader, StoreTip, RepairTarget } from "./index-store.ts";
import { assertLmdbFile } from "../store/lmdb-file.ts";
import { blocks, emptyTip, sourceFiles, type TipRow, tips } from "../store/layout.ts";
import { StoredTransactions } from "../store/stored-transactions.ts";

/** Options of the embedded store. */
export interface EmbeddedStoreOptions {
  /**
   * Whether to keep the addresses that the chain paid, for searches by prefix. Decided when the directory is created: a later request is
   * rejected, and without a later request it continues.
   */
  readonly addressSearch?: boolean | undefined;
  /** Whether blocks in plain block files of the node are read in place and not copied. Blocks from elsewhere are copied. */
  readonly blocksInPlace?: boolean | undefined;
  /** Description of how damaged blocks are repaired, for the message of the error that reports one. */
  readonly repairHint?: RepairHint | undefined;
}

/**
 * Opens the embedded store of a data directory for writing, and creates it if it does not exist.
 *
 * Throws `IndexerError` when another indexer uses it, or when the directory contains an index of another network or layout, or an
 * unreadable one.
 */
export async function openEmbeddedStore(
  path: string,
  network: Network,
  options: EmbeddedStoreOptions = {},
): Promise<IndexStore> {
  const directory = dataDirectory(path);
  // Checked before the lock's file is created, so that a foreign directory stays untouched.
  const isComplete = hasIndex(directory, network.name);
  if (!isComplete) claimDirectory(directory);
  const lock = await lockDirectory(path);
  try {
    return createStore(directory, network, options, lock);
  } catch (reason) {
    lock.release();
    throw reason;
  }
}

function createStore(
  directory: DataDirectory,
  network: Network,
  options: EmbeddedStoreOptions,
  lock: ProcessLock,
): IndexStore {
  const isComplete = hasIndex(directory, network.name);
  const addressSearch = options.addressSearch === true;
  const isResumed = !isComplete && hasUnfinishedBulk(directory, network.name, addressSearch);
  if (!isComplete && !isResumed) prepareDirectory(directory, network.name, addressSearch);
  const addressesOf = keepsAddresses(directory, options.addressSearch) ? network : undefined;
  // In a complete directory it is not silently recreated.
  if (isComplete) assertLmdbFile(directory.index, false);
  const environment = new Environment(directory.index, "write");
  // Readers are admitted when there is something to see, and a bulk index is visible when it is complete.
  if (environment.get(tips) === undefined) environment.write(() => environment.put(tips, [], emptyTip));
  const isWhole = isResumed && environment.get(tips)?.height !== -1;
  if (isWhole) {
    dropBulkTables(environment);
    finishDirectory(directory);
  }
  if (isComplete || isWhole) rmSync(directory.bulk, { recursive: true, force: true });
  environment.forgetDeadReaders();
  return new EmbeddedStore(directory, network, environment, lock, {
    addressesOf,
    blocksInPlace: options.blocksInPlace === true,
    repairHint: options.repairHint,
    isVisible: isComplete || isWhole,
  });
}

/** Number of changes between two checks for killed readers, whose snapshots stay pinned until they are found. */
const changesPerReaderCheck = 100;

interface StoreSettings {
  /** Network whose addresses are kept, where they are. */
  readonly addressesOf: Network | undefined;
  readonly blocksInPlace: boolean;
  readonly repairHint: RepairHint | undefined;
}

class EmbeddedStore implements IndexStore {
  readonly network: Network;
  readonly #directory: DataDirectory;
  readonly #environment: Environment;
  readonly #lock: ProcessLock;
  readonly #settings: StoreSettings;
  /** Whether readers may open the index. */
  #isVisible: boolean;
  readonly #places = new BlockPlaces();
  readonly #reader: BlockFileReader;
  readonly #writer: BlockFileWriter;
  readonly #transactions: StoredTransactions;
  /** Reads separate from the writer, whose own reads see an open change. */
  #committed: { readonly environment: Environment; readonly files: BlockFileReader } | undefined;
  #changes = 0;

  constructor(
    directory: DataDirectory,
    network: Network,
    environment: Environment,
    lock: ProcessLock,
    { isVisible, ...settings }: StoreSettings & { readonly isVisible: boolean },
  ) {
    this.#isVisible = isVisible;
    this.network = network;
    this.#directory = directory;
    this.#environment = environment;
    this.#lock = lock;
    this.#settings = settings;
    this.#reader = readerOf(directory, environment, settings.repairHint);
    this.#writer = new BlockFileWriter(directory.blocks, network.magic, this.#tipRow().blocksEnd);
    this.#transactions = new StoredTransactions(environment, this.#reader, this.#places);
  }

  get bulk(): BulkTarget | undefined {
    if (this.#isVisible) return undefined;
    return {
      network: this.network,
      environment: this.#environment,
      blocksDirectory: this.#directory.blocks,
      bulkDirectory: this.#directory.bulk,
      ...this.#settings,
      finish: () => {
        this.#writer.returnTo(this.#tipRow().blocksEnd);
        this.#show();
      },
    };
  }

  get repairs(): RepairTarget {
    return { directory: this.#directory, environment: this.#environment, files: this.#reader };
  }

  get extension(): ExtensionTarget | undefined {
    const tip = this.#tipRow();
    if (!this.#isVisible || tip.height === -1) return undefined;
    this.#places.refresh(this.#environment, tip);
    const path = join(this.#directory.index, "data.mdb");
    return {
      network: this.network,
      environment: this.#environment,
      blocksDirectory: this.#directory.blocks,
      ...this.#settings,
      transactions: this.#transactions,
      tip,
      get size() {
        return statSync(path).size;
      },
      settle: async (committed) => {
        this.#checkReaders();
        this.#places.refresh(this.#environment, committed);
        // The snapshot of readers in this process is released by a timer that was set before: now they see the change.
        await sleep(0);
      },
      finish: () => this.#writer.returnTo(this.#tipRow().blocksEnd),
    };
  }

  async tip(): Promise<StoreTip> {
    const { height, nextTransactionNumber } = this.#tipRow();
    return { height, nextTransactionNumber };
  }

  async headers(fromHeight: number, toHeight: number): Promise<readonly StoredHeader[]> {
    const headers: StoredHeader[] = [];
    for (let height = Math.max(0, fromHeight); height <= toHeight; height += 1) {
      const row = this.#environment.get(blocks, height);
      if (row === undefined) break;
      headers.push({
        height,
        hash: displayHash(row.hash),
        header: parseBlockHeader(row.header),
        chainWork: row.chainWork,
        nextTransactionNumber: row.firstTransactionNumber + row.transactionCount,
      });
    }
    return headers;
  }

  async findUnspentOutputs(outpoints: readonly Outpoint[]): Promise<readonly (SpentOutput | undefined)[]> {
    this.#places.refresh(this.#environment, this.#tipRow());
    return outpoints.map((outpoint) => this.#transactions.findUnspentOutput(outpoint));
  }

  async change(forkHeight: number, signal?: AbortSignal): Promise<StoreChange> {
    this.#leaveBulk();
    this.#checkReaders();
    const tip = this.#tipRow();
    this.#places.refresh(this.#environment, tip);
    const change = new EmbeddedChange(tip, {
      environment: this.#environment,
      reader: this.#reader,
      writer: this.#writer,
      places: this.#places,
      transactions: this.#transactions,
      ...this.#settings,
    });
    try {
      await change.disconnectTo(forkHeight, signal);
    } catch (reason) {
      await change.cancel();
      throw reason;
    }
    return change;
  }

  queries(): ChainQueries {
    return new EmbeddedQueries(this.network, () => {
      if (this.#committed === undefined) {
        const environment = new Environment(this.#directory.index, "read");
        this.#committed = { environment, files: readerOf(this.#directory, environment, this.#settings.repairHint) };
      }
      const { addressesOf } = this.#settings;
      return { ...this.#committed, keepsAddresses: addressesOf !== undefined, directory: this.#directory };
    });
  }

  async close(): Promise<void> {
    this.#committed?.files.close();
    await this.#committed?.environment.close();
    await this.#environment.close();
    this.#reader.close();
    this.#lock.release();
  }

  #checkReaders(): void {
    this.#changes += 1;
    if (this.#changes % changesPerReaderCheck === 0) this.#environment.forgetDeadReaders();
  }

  /** Discards what was begun in bulk: the index grows block by block from here on. */
  #leaveBulk(): void {
    const target = this.bulk;
    if (target === undefined) return;
    if (existsSync(target.bulkDirectory)) {
      abandonBulk(target);
      this.#writer.returnTo(this.#tipRow().blocksEnd);
    }
    this.#show();
  }

  #show(): void {
    finishDirectory(this.#directory);
    this.#isVisible = true;
  }

  #tipRow(): TipRow {
    const row = this.#environment.get(tips);
    if (row === undefined) throw this.#environment.damaged("there is no tip row");
    return row;
  }
}

function readerOf(
  directory: DataDirectory,
  environment: Environment,
  repairHint: RepairHint | undefined,
): BlockFileReader {
  return new BlockFileReader(directory, (file) => environment.get(sourceFiles, file), repairHint);
}
