import { displayHash, type Network, type Outpoint, parseBlock, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import type { ConnectedBlock, SpentOutput } from "../chain/connected-block.ts";
import type { ChainQueries } from "../query/chain-queries.ts";
import { EmbeddedQueries } from "../query/embedded-queries.ts";
import { BlockFileReader, BlockFileWriter } from "./block-files.ts";
import {
  claimDirectory,
  type DataDirectory,
  dataDirectory,
  finishDirectory,
  holdsIndex,
  prepareDirectory,
} from "./data-directory.ts";
import { type DirectoryLock, lockDirectory } from "./directory-lock.ts";
import { Environment } from "./environment.ts";
import type { IndexStore, StoredHeader, StoreTip, StoreUpdate } from "./index-store.ts";
import { type BlockPosition, blockPositions, blocks, staleBlocks, tips, transactions } from "./layout.ts";
import { RowBatch } from "./row-batch.ts";
import { forgetStaleBlock, removeBlock } from "./remove-block.ts";
import { ScriptHasher } from "./script-hasher.ts";
import { StatisticsChanges } from "./statistics-changes.ts";
import { StoredTransactions } from "./stored-transactions.ts";

/**
 * Opens the embedded store of a data directory for writing, and makes it when there is none.
 *
 * Throws `IndexerError` when another indexer works there, or when the directory holds an index of another network or layout.
 */
export async function openEmbeddedStore(path: string, network: Network): Promise<IndexStore> {
  const directory = dataDirectory(path);
  // Looked at before the lock's file is made, so that a directory of somebody else's stays untouched.
  const isComplete = holdsIndex(directory, network.name);
  if (!isComplete) claimDirectory(directory);
  const lock = await lockDirectory(path);
  try {
    return createStore(directory, network, lock);
  } catch (reason) {
    lock.release();
    throw reason;
  }
}

function createStore(directory: DataDirectory, network: Network, lock: DirectoryLock): IndexStore {
  const isComplete = holdsIndex(directory, network.name);
  if (!isComplete) prepareDirectory(directory, network.name);
  const environment = new Environment(directory.index, "write");
  if (!isComplete) {
    environment.write(() => environment.put(tips, [], { height: -1, nextTransactionNumber: 0, blocksEnd: filesStart }));
    finishDirectory(directory);
  }
  environment.forgetDeadReaders();
  return new EmbeddedStore(directory, network, environment, lock);
}

/** A reader that was killed pins what it was reading until somebody looks for it. */
const updatesPerReaderCheck = 100;

const filesStart: BlockPosition = { file: 0, offset: 0 };

class EmbeddedStore implements IndexStore {
  readonly network: Network;
  readonly #environment: Environment;
  readonly #lock: DirectoryLock;
  readonly #reader: BlockFileReader;
  readonly #writer: BlockFileWriter;
  readonly #hasher = new ScriptHasher();
  readonly #transactions: StoredTransactions;
  #updates = 0;

  constructor(directory: DataDirectory, network: Network, environment: Environment, lock: DirectoryLock) {
    this.network = network;
    this.#environment = environment;
    this.#lock = lock;
    this.#reader = new BlockFileReader(directory.blocks);
    this.#writer = new BlockFileWriter(directory.blocks, network.magic, this.#tipRow().blocksEnd);
    this.#transactions = new StoredTransactions(environment, this.#reader);
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
    return outpoints.map((outpoint) => this.#transactions.findUnspentOutput(outpoint));
  }

  async connectedBlock(height: number): Promise<ConnectedBlock> {
    const row = this.#environment.get(blocks, height);
    const position = this.#environment.get(blockPositions, height);
    if (row === undefined || position === undefined) throw new Error(`No block at height ${height}`);
    return {
      height,
      block: parseBlock(this.#reader.read(position, 0, row.size)),
      firstTransactionNumber: row.firstTransactionNumber,
      medianTime: row.medianTime,
      chainWork: row.chainWork,
      spentOutputs: Array.from({ length: row.transactionCount }, (_, index) => {
        return this.#environment.get(transactions, row.firstTransactionNumber + index)?.spentOutputs ?? [];
      }),
    };
  }

  async apply(update: StoreUpdate): Promise<void> {
    const tip = this.#tipRow();
    this.#updates += 1;
    if (this.#updates % updatesPerReaderCheck === 0) this.#environment.forgetDeadReaders();
    try {
      const positions = update.connect.map((connected) => this.#placeBlock(connected));
      this.#writer.flush();
      const statistics = new StatisticsChanges();
      const batch = new RowBatch(this.#hasher, statistics);
      for (const connected of update.connect) batch.add(connected);
      this.#environment.write(() => {
        for (const connected of update.disconnect) removeBlock(this.#environment, connected, this.#hasher, statistics);
        batch.write(this.#environment, tip.height === -1);
        statistics.write(this.#environment, tip.height === -1);
        this.#writePositions(update.connect, positions);
        this.#environment.put(tips, [], { ...tipAfter(update, tip), blocksEnd: this.#writer.end });
      });
    } catch (reason) {
      this.#writer.returnTo(this.#tipRow().blocksEnd);
      throw reason;
    }
  }

  queries(): ChainQueries {
    return new EmbeddedQueries(this.network, () => ({ environment: this.#environment, files: this.#reader }));
  }

  async close(): Promise<void> {
    await this.#environment.close();
    this.#reader.close();
    this.#lock.release();
  }

  #tipRow(): { height: number; nextTransactionNumber: number; blocksEnd: BlockPosition } {
    const row = this.#environment.get(tips);
    if (row === undefined) throw new Error("The index has no tip row");
    return row;
  }

  /** A block that was on the best chain before is in the files already. */
  #placeBlock({ block }: ConnectedBlock): BlockPosition {
    return this.#environment.get(staleBlocks, block.header.hash)?.position ?? this.#writer.append(block.bytes);
  }

  #writePositions(connect: readonly ConnectedBlock[], positions: readonly BlockPosition[]): void {
    for (const [index, connected] of connect.entries()) {
      const position = positions[index];
      if (position === undefined) continue;
      this.#environment.putBytes(
        blockPositions,
        blockPositions.key(connected.height),
        blockPositions.encode(position),
        true,
      );
      if (this.#environment.has(staleBlocks, connected.block.header.hash))
        forgetStaleBlock(this.#environment, connected);
    }
  }
}

function tipAfter({ disconnect, connect }: StoreUpdate, tip: StoreTip): StoreTip {
  const last = connect.at(-1);
  if (last !== undefined) {
    return {
      height: last.height,
      nextTransactionNumber: last.firstTransactionNumber + last.block.transactions.length,
    };
  }
  const lowest = disconnect.at(-1);
  if (lowest === undefined) return tip;
  return { height: lowest.height - 1, nextTransactionNumber: lowest.firstTransactionNumber };
}
