import { setImmediate as nextTimeSlice, setTimeout as sleep } from "node:timers/promises";
import { type Network, type Outpoint, parseBlock, toHex } from "@nodewright/bitcoin-primitives";
import type { ConnectedBlock, SpentOutput } from "../chain/connected-block.ts";
import { type BlockFileReader, type BlockFileWriter, completeBlock } from "../store/block-files.ts";
import type { BlockPlaces } from "../store/block-places.ts";
import type { Environment, WriteTransaction } from "../store/environment.ts";
import type { PlacedBlock, StoreChange } from "./index-store.ts";
import type { BlockLocation } from "../store/block-file.ts";
import {
  type BlockPosition,
  blockPositions,
  blocks,
  firstSourceFile,
  maximumTransactionNumber,
  replacedOutputs,
  sourceFiles,
  staleBlocks,
  type TipRow,
  tips,
  transactions,
} from "../store/layout.ts";
import { forgetStaleBlock, removeBlock } from "../store/remove-block.ts";
import { replaceOutputs, restoreOutputs } from "../store/replaced-outputs.ts";
import { RowBatch } from "../store/row-batch.ts";
import { ScriptHasher } from "../store/script-hasher.ts";
import type { StoredTransactions } from "../store/stored-transactions.ts";

/** Parts of the store that a change works on. */
export interface ChangeParts {
  readonly environment: Environment;
  readonly reader: BlockFileReader;
  readonly writer: BlockFileWriter;
  readonly places: BlockPlaces;
  readonly transactions: StoredTransactions;
  /** Network whose addresses are kept, where they are. */
  readonly addressesOf: Network | undefined;
  readonly blocksInPlace: boolean;
}

/** Maximum time in milliseconds without handling signals and messages. */
const turnMilliseconds = 50;

/** Change of the embedded store: one LMDB transaction, open until it is committed or cancelled. */
export class EmbeddedChange implements StoreChange {
  readonly #parts: ChangeParts;
  readonly #before: TipRow;
  readonly #transaction: WriteTransaction;
  readonly #hasher = new ScriptHasher();
  #tip: TipRow;
  /** Numbers of the node's files, by name. */
  #sourceFiles: Map<string, number> | undefined;

  /** Begins the change. `places` are at the state of `tip`. */
  constructor(tip: TipRow, parts: ChangeParts) {
    this.#parts = parts;
    this.#before = tip;
    this.#tip = { ...tip, changes: tip.changes + 1 };
    this.#transaction = parts.environment.begin();
  }

  /** Takes the blocks above `height` off the best chain, one at a time. */
  async disconnectTo(height: number, signal: AbortSignal | undefined): Promise<void> {
    if (height >= this.#tip.height) return;
    this.#tip = { ...this.#tip, reorganisations: this.#tip.reorganisations + 1 };
    let lastTurn = performance.now();
    while (this.#tip.height > height) {
      const connected = this.#connectedBlock(this.#tip.height);
      removeBlock(this.#parts.environment, connected, this.#hasher, this.#parts.addressesOf);
      this.#parts.places.cutTo(connected.height - 1);
      this.#restoreOutputs(connected);
      this.#tip = {
        ...this.#tip,
        height: connected.height - 1,
        nextTransactionNumber: connected.firstTransactionNumber,
      };
      if (performance.now() - lastTurn < turnMilliseconds) continue;
      await nextTimeSlice();
      signal?.throwIfAborted();
      lastTurn = performance.now();
    }
  }

  async findUnspentOutputs(outpoints: readonly Outpoint[]): Promise<readonly (SpentOutput | undefined)[]> {
    return outpoints.map((outpoint) => this.#parts.transactions.findUnspentOutput(outpoint));
  }

  async connect(connected: readonly PlacedBlock[]): Promise<void> {
    const last = connected.at(-1);
    if (last === undefined) return;
    const { environment, writer, places, addressesOf } = this.#parts;
    const positions = connected.map((block) => this.#placeBlock(block));
    writer.flush();
    const batch = new RowBatch(this.#hasher);
    for (const block of connected) batch.add(block);
    batch.write(environment, this.#tip.height === -1 && this.#before.height === -1, addressesOf);
    this.#writePositions(connected, positions);
    this.#tip = {
      ...this.#tip,
      height: last.height,
      nextTransactionNumber: last.firstTransactionNumber + last.block.transactions.length,
      blocksEnd: writer.end,
    };
    places.append(
      connected.map(({ firstTransactionNumber }) => firstTransactionNumber),
      this.#tip.nextTransactionNumber,
    );
    for (const key of batch.repeatedKeys) {
      replaceOutputs(environment, this.#parts.transactions, key, this.#tip.nextTransactionNumber);
    }
  }

  async commit(): Promise<void> {
    this.#parts.environment.put(tips, [], this.#tip);
    await this.#transaction.commit();
    this.#parts.places.settle(this.#tip);
    // The snapshot of readers in this process is released by a timer that was set before: now they see the change.
    await sleep(0);
  }

  async cancel(): Promise<void> {
    this.#parts.places.forget();
    await this.#transaction.cancel();
    this.#parts.writer.returnTo(this.#before.blocksEnd);
  }

  #connectedBlock(height: number): ConnectedBlock {
    const { environment, reader } = this.#parts;
    const row = environment.get(blocks, height);
    const position = environment.get(blockPositions, height);
    if (row === undefined || position === undefined) throw environment.damaged(`there is no block at height ${height}`);
    return {
      height,
      block: parseBlock(reader.read(position, completeBlock(row))),
      firstTransactionNumber: row.firstTransactionNumber,
      medianTime: row.medianTime,
      chainWork: row.chainWork,
      spentOutputs: Array.from({ length: row.transactionCount }, (_, index) =>
        this.#spentOutputs(row.firstTransactionNumber + index),
      ),
    };
  }

  #restoreOutputs({ block }: ConnectedBlock): void {
    const { environment, transactions } = this.#parts;
    if (environment.count(replacedOutputs) === 0) return;
    for (const { txid } of block.transactions) restoreOutputs(environment, transactions, txid);
  }

  #spentOutputs(transactionNumber: number): readonly SpentOutput[] {
    const rows = this.#parts.environment.get(transactions, transactionNumber)?.spentOutputs ?? [];
    return rows.map((row) => this.#parts.transactions.spentOutput(row));
  }

  /** Returns the position of a block. One that was on the best chain before is in the files already. */
  #placeBlock({ block, location }: PlacedBlock): BlockPosition {
    const stale = this.#parts.environment.get(staleBlocks, block.header.hash);
    if (stale !== undefined) return stale.position;
    if (this.#parts.blocksInPlace && location !== undefined) {
      return { file: this.#sourceFile(location), offset: location.offset };
    }
    return this.#parts.writer.append(block.bytes);
  }

  /** Returns the number of a file of the node, and assigns one when it has none yet. */
  #sourceFile({ path, mask }: BlockLocation): number {
    this.#sourceFiles ??= this.#readSourceFiles();
    const name = sourceFileName(path, mask);
    const known = this.#sourceFiles.get(name);
    if (known !== undefined) return known;
    const file = firstSourceFile + this.#sourceFiles.size;
    this.#parts.environment.put(sourceFiles, [file], { path, mask });
    this.#sourceFiles.set(name, file);
    return file;
  }

  #readSourceFiles(): Map<string, number> {
    const range = { start: sourceFiles.key(firstSourceFile), end: sourceFiles.key(maximumTransactionNumber) };
    const rows = this.#parts.environment.rows(sourceFiles, range);
    return new Map(
      rows.map(({ value }, index) => {
        const { path, mask } = sourceFiles.decode(value, firstSourceFile + index);
        return [sourceFileName(path, mask), firstSourceFile + index];
      }),
    );
  }

  #writePositions(connected: readonly ConnectedBlock[], positions: readonly BlockPosition[]): void {
    const { environment } = this.#parts;
    for (const [index, block] of connected.entries()) {
      const position = positions[index];
      if (position === undefined) continue;
      const key = [block.height] as const;
      environment.putBytes(blockPositions, blockPositions.key(...key), blockPositions.encode(position, ...key), true);
      if (environment.has(staleBlocks, block.block.header.hash)) forgetStaleBlock(environment, block);
    }
  }
}

function sourceFileName(path: string, mask: Uint8Array): string {
  return `${toHex(mask)}:${path}`;
}
