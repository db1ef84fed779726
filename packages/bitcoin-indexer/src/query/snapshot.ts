import {
  type Block,
  type BlockHash,
  displayHash,
  equalBytes,
  parseBlock,
  partsOfTransaction,
  type Transaction,
  type TransactionId,
  viewTransaction,
  wireHash,
} from "@nodewright/bitcoin-primitives";
import { type BlockFileReader, completeBlock } from "../store/block-files.ts";
import type { BlockPlaces } from "../store/block-places.ts";
import type { TableReads } from "../store/environment.ts";
import { nextKey } from "../store/find-history-row.ts";
import {
  type BlockPosition,
  type BlockRow,
  heights,
  type SpentOutputRow,
  spends,
  staleBlocks,
  type StaleTransactionRow,
  staleTransactions,
  type TipRow,
  type TransactionRow,
  transactionIds,
  transactionIdsPerRow,
  transactions,
} from "../store/layout.ts";
import { StoredTransactions } from "../store/stored-transactions.ts";
import type {
  BlockPlace,
  BlockRecord,
  IndexedTransaction,
  MerkleProof,
  OutputName,
  RawTransaction,
  Spend,
} from "./chain-queries.ts";
import type { PreviousOutput } from "../chain/connected-block.ts";
import { displayHashes } from "./display-hashes.ts";
import { type KnownBlock, type KnownBlocks, recordOf } from "./known-blocks.ts";
import type { MerkleTrees } from "./merkle-trees.ts";

/** Parts of a snapshot. */
export interface SnapshotParts {
  readonly tip: TipRow;
  readonly reads: TableReads;
  readonly files: BlockFileReader;
  /** Places at the state of `tip`, like `blocks`. */
  readonly places: BlockPlaces;
  readonly blocks: KnownBlocks;
  readonly trees: MerkleTrees;
}

/** A block of the index with its location. */
interface FoundBlock {
  readonly height: number;
  readonly row: BlockRow;
  readonly position: BlockPosition;
  readonly onBestChain: boolean;
}

/** Current tables of blocks and transactions, for use within one turn of the event loop. */
export class Snapshot {
  readonly reads: TableReads;
  readonly stored: StoredTransactions;
  readonly #tip: TipRow;
  readonly #files: BlockFileReader;
  readonly #places: BlockPlaces;
  readonly #blocks: KnownBlocks;
  readonly #trees: MerkleTrees;
  #lastBlock: KnownBlock | undefined;

  constructor({ tip, reads, files, places, blocks, trees }: SnapshotParts) {
    this.reads = reads;
    this.stored = new StoredTransactions(reads, files, places);
    this.#tip = tip;
    this.#files = files;
    this.#places = places;
    this.#blocks = blocks;
    this.#trees = trees;
  }

  /** Number that differs after every change of the tables. */
  get changes(): number {
    return this.#tip.changes;
  }

  /** Number that stays while blocks are only connected. */
  get reorganisations(): number {
    return this.#tip.reorganisations;
  }

  /** Whether there are outputs that later transactions with the same txid replaced. */
  get hasReplaced(): boolean {
    return this.#blocks.hasReplaced(this.reads, this.#tip);
  }

  tip(): BlockRecord | undefined {
    return this.blockByHeight(this.#tip.height);
  }

  blockByHeight(height: number): BlockRecord | undefined {
    const known = this.#knownBlock(height);
    return known === undefined ? undefined : this.#record(known);
  }

  blockByHash(hash: BlockHash): BlockRecord | undefined {
    const found = this.#findBlock(hash);
    if (found === undefined) return undefined;
    const known = found.onBestChain ? this.#knownBlock(found.height) : undefined;
    return known === undefined ? recordOf(found.row, found.height, false) : this.#record(known);
  }

  blocks(fromHeight: number, count: number): readonly BlockRecord[] {
    const records: BlockRecord[] = [];
    for (let height = fromHeight; height > fromHeight - count; height -= 1) {
      const record = this.blockByHeight(height);
      if (record === undefined) break;
      records.push(record);
    }
    return records;
  }

  rawBlock(hash: BlockHash): Uint8Array | undefined {
    const found = this.#findBlock(hash);
    return found === undefined ? undefined : this.#files.read(found.position, completeBlock(found.row));
  }

  /** Returns the txids in wire order, one after the other. */
  transactionIdBytes(hash: BlockHash): Buffer | undefined {
    const found = this.#findBlock(hash);
    if (found === undefined) return undefined;
    if (!found.onBestChain) return Buffer.concat(this.#parseBlock(found).transactions.map(({ txid }) => txid));
    const known = this.#knownBlock(found.height);
    return known && this.#idsOf(known);
  }

  transactionIdAt(hash: BlockHash, position: number): TransactionId | undefined {
    const found = this.#findBlock(hash);
    if (found === undefined || !isIndexBelow(position, found.row.transactionCount)) return undefined;
    if (!found.onBestChain) return displayHash(this.#parseBlock(found).transactions[position]?.txid ?? noHash);
    return displayHash(this.stored.txidOf(found.row.firstTransactionNumber + position));
  }

  blockTransactions(hash: BlockHash, start: number, count: number): readonly IndexedTransaction[] | undefined {
    const found = this.#findBlock(hash);
    if (found === undefined) return undefined;
    const end = Math.min(start + count, found.row.transactionCount);
    if (start >= end) return [];
    return found.onBestChain
      ? this.#bestChainTransactions(found, start, end)
      : this.#staleBlockTransactions(found, start, end);
  }

  transaction(text: TransactionId): IndexedTransaction | undefined {
    const txid = wireHash(text);
    if (txid === undefined) return undefined;
    for (const number of this.stored.candidates(txid)) {
      const found = this.#readTransaction(number);
      // Costs as much as looking up the txid, and detects a changed file.
      if (equalBytes(found.transaction.txid, txid)) return { txid: displayHash(txid), ...found };
      if (equalBytes(this.stored.txidOf(number), txid))
        throw this.reads.damaged(`the transaction ${number} is at another place of block ${found.block.hash}`);
    }
    return this.#staleTransaction(txid);
  }

  /** Returns the transactions with these numbers. Neighbors in one block are read together. */
  transactionsAt(numbers: readonly number[]): readonly IndexedTransaction[] {
    const found = numbers.map((number) => ({
      number,
      row: this.#transactionRow(number),
      known: this.#blockOf(number),
    }));
    const ids = this.#txidsOf(numbers);
    const groups = groupNeighbours(found);
    // One allocation for all of a page.
    const bytes = Buffer.allocUnsafe(
      groups.reduce((sum, { offset, end }) => sum + this.#files.checkLength(end - offset), 0),
    );
    const transactions: IndexedTransaction[] = [];
    let start = 0;
    for (const { known, count, offset, end } of groups) {
      this.#files.readInto(bytes, start, known.position, offset, end - offset);
      for (let member = 0; member < count; member += 1) {
        const position = transactions.length;
        const each = found[position];
        if (each === undefined) break;
        const place = start + each.row.offset - offset;
        const serialized = bytes.subarray(place, place + each.row.size);
        this.#files.check(serialized, known.position, each.row);
        const transaction = viewTransaction(serialized);
        const indexed = this.#indexed(transaction, each.row.spentOutputs, placeIn(known, each.number));
        transactions.push({ txid: ids[position] ?? displayHash(transaction.txid), ...indexed });
      }
      start += end - offset;
    }
    return transactions;
  }

  rawTransaction(text: TransactionId): RawTransaction | undefined {
    const txid = wireHash(text);
    if (txid === undefined) return undefined;
    const number = this.stored.find(txid);
    if (number === undefined) {
      const stale = this.#staleTransaction(txid);
      return stale && { bytes: stale.transaction.bytes };
    }
    const block = this.#blockOf(number);
    const bytes = this.#files.read(block.position, this.stored.placeOf(number));
    return { bytes, block: placeIn(block, number) };
  }

  transactionPlace(text: TransactionId): BlockPlace | undefined {
    const number = this.findNumber(text);
    return number === undefined ? undefined : this.placeOf(number);
  }

  merkleProof(text: TransactionId): MerkleProof | undefined {
    const number = this.findNumber(text);
    if (number === undefined) return undefined;
    const known = this.#blockOf(number);
    const block = placeIn(known, number);
    return { block, branch: this.#trees.branch(known.hash, block.position, () => this.#idsOf(known)) };
  }

  output({ txid, vout }: OutputName): PreviousOutput | undefined {
    const number = this.findNumber(txid);
    if (number === undefined) return undefined;
    const output = this.stored.parse(number, this.stored.placeOf(number)).outputs[vout];
    if (output === undefined) return undefined;
    const { firstTransactionNumber } = this.#blockOf(number).row;
    return { ...output, height: this.#places.heightOf(number), isCoinbase: number === firstTransactionNumber };
  }

  spends(text: TransactionId): readonly (Spend | undefined)[] | undefined {
    const txid = wireHash(text);
    if (txid === undefined) return undefined;
    const number = this.stored.find(txid);
    if (number === undefined) return this.#staleTransaction(txid)?.transaction.outputs.map(() => undefined);
    const found = new Array<Spend | undefined>(this.stored.placeOf(number).outputCount).fill(undefined);
    for (const { vout, transactionNumber, vin } of this.reads.get(spends, number) ?? []) {
      const spender = displayHash(this.stored.txidOf(transactionNumber));
      found[vout] = { txid: spender, vin, block: this.placeOf(transactionNumber) };
    }
    return found;
  }

  /** Returns the number of the last transaction of the best chain with this txid. */
  findNumber(text: TransactionId): number | undefined {
    const txid = wireHash(text);
    return txid === undefined ? undefined : this.stored.find(txid);
  }

  /** Returns the transaction number of a position of the best chain, whether there is one or not; `undefined` above the tip. */
  numberAt(height: number, position: number): number | undefined {
    const known = this.#knownBlock(height);
    return known && known.row.firstTransactionNumber + position;
  }

  /** Returns the position of a transaction of the best chain. */
  placeOf(number: number): BlockPlace {
    return placeIn(this.#blockOf(number), number);
  }

  #blockOf(number: number): KnownBlock {
    // The next one is often in the same block.
    if (this.#lastBlock !== undefined && containsTransaction(this.#lastBlock, number)) return this.#lastBlock;
    const block = this.#blocks.find(this.reads, this.#places.heightOf(number));
    if (block === undefined) throw this.reads.damaged(`there is no block for transaction ${number}`);
    this.#lastBlock = block;
    return block;
  }

  #knownBlock(height: number): KnownBlock | undefined {
    return isIndexBelow(height, this.#tip.height + 1) ? this.#blocks.find(this.reads, height) : undefined;
  }

  #findBlock(text: BlockHash): FoundBlock | undefined {
    const hash = wireHash(text);
    if (hash === undefined) return undefined;
    const height = this.reads.get(heights, hash);
    if (height === undefined) {
      const stale = this.reads.get(staleBlocks, hash);
      return stale && { height: stale.height, row: stale.block, position: stale.position, onBestChain: false };
    }
    const known = this.#knownBlock(height);
    if (known === undefined) throw this.reads.damaged(`there is no block at height ${height}`);
    if (!equalBytes(known.row.hash, hash)) throw this.reads.damaged(`the block at height ${height} is another`);
    return { height, row: known.row, position: known.position, onBestChain: true };
  }

  #record(known: KnownBlock): BlockRecord {
    const next = this.#knownBlock(known.height + 1);
    return next === undefined ? known.record : { ...known.record, nextHash: next.hash };
  }

  #parseBlock({ position, row }: FoundBlock): Block {
    return parseBlock(this.#files.read(position, completeBlock(row)));
  }

  #readTransaction(number: number): Omit<IndexedTransaction, "txid"> & { readonly block: BlockPlace } {
    const row = this.#transactionRow(number);
    const known = this.#blockOf(number);
    const transaction = viewTransaction(this.#files.read(known.position, row));
    return this.#indexed(transaction, row.spentOutputs, placeIn(known, number));
  }

  #transactionRow(number: number): TransactionRow {
    const row = this.reads.get(transactions, number);
    if (row === undefined) throw this.reads.damaged(`there is no transaction ${number}`);
    return row;
  }

  #txidsOf(numbers: readonly number[]): readonly TransactionId[] {
    const ids = Buffer.allocUnsafe(numbers.length * 32);
    for (const [position, number] of numbers.entries()) this.stored.copyTxid(number, ids, position * 32);
    return displayHashes(ids);
  }

  /** Returns the txids of a block, one after the other: checked against its header when they are read for the first time. */
  #idsOf(known: KnownBlock): Buffer {
    const ids = this.#idsBetween(known.row.firstTransactionNumber, known.row.transactionCount);
    if (!this.#blocks.withCheckedIds.has(known)) {
      if (!this.#trees.areUnder(known.record.header.merkleRoot, known.hash, ids)) {
        throw this.reads.damaged(`the txids of block ${known.hash} are not those under its merkle root`);
      }
      this.#blocks.withCheckedIds.add(known);
    }
    return ids;
  }

  /** Returns the txids of consecutive transactions, one after the other. */
  #idsBetween(first: number, count: number): Buffer {
    const ids = Buffer.allocUnsafeSlow(count * 32);
    for (let done = 0; done < count; ) {
      const number = first + done;
      const row = this.reads.view(transactionIds, Math.floor(number / transactionIdsPerRow));
      const start = number % transactionIdsPerRow;
      const length = Math.min(count - done, transactionIdsPerRow - start);
      if (row === undefined || row.length < (start + length) * 32)
        throw this.reads.damaged(`there is no txid ${number}`);
      ids.set(row.subarray(start * 32, (start + length) * 32), done * 32);
      done += length;
    }
    return ids;
  }

  /** Returns transactions. Their bytes are read at once: they are adjacent. */
  #bestChainTransactions(found: FoundBlock, start: number, end: number): readonly IndexedTransaction[] {
    const firstNumber = found.row.firstTransactionNumber + start;
    const range = { start: transactions.key(firstNumber), end: transactions.key(firstNumber + end - start) };
    const rows = this.reads.rows(transactions, range).map(({ value }, index) => {
      return transactions.decode(value, firstNumber + index);
    });
    const first = rows[0];
    const last = rows.at(-1);
    if (first === undefined || last === undefined) return [];
    const bytes = Buffer.allocUnsafe(this.#files.checkLength(last.offset + last.size - first.offset));
    this.#files.readInto(bytes, 0, found.position, first.offset, bytes.length);
    const ids = displayHashes(this.#idsBetween(firstNumber, rows.length));
    return rows.map((row, index) => {
      const offset = row.offset - first.offset;
      const serialized = bytes.subarray(offset, offset + row.size);
      this.#files.check(serialized, found.position, row);
      const transaction = viewTransaction(serialized);
      const indexed = this.#indexed(transaction, row.spentOutputs, this.placeOf(firstNumber + index));
      return { txid: ids[index] ?? displayHash(transaction.txid), ...indexed };
    });
  }

  #indexed(
    transaction: Transaction,
    rows: readonly SpentOutputRow[],
    block: BlockPlace,
  ): Omit<IndexedTransaction, "txid"> & { readonly block: BlockPlace } {
    const spentOutputs = rows.map((row) => this.#previousOutput(row));
    return { transaction, block, ...spending(transaction, spentOutputs) };
  }

  /** Returns a row's spent output with the block that created it. */
  #previousOutput({ transactionNumber, value, scriptPubKey }: SpentOutputRow): PreviousOutput {
    const height = this.#places.heightOf(transactionNumber);
    const isCoinbase = this.#places.firstNumberOf(height) === transactionNumber;
    return { value, scriptPubKey, height, isCoinbase };
  }

  #staleBlockTransactions(found: FoundBlock, start: number, end: number): readonly IndexedTransaction[] {
    return this.#parseBlock(found)
      .transactions.slice(start, end)
      .map((transaction) => {
        const row = this.reads.get(staleTransactions, transaction.txid, found.row.hash);
        return {
          txid: displayHash(transaction.txid),
          transaction,
          ...spending(transaction, row?.spentOutputs ?? []),
        };
      });
  }

  #staleTransaction(txid: Uint8Array): IndexedTransaction | undefined {
    const range = {
      start: staleTransactions.key(txid, noHash),
      end: nextKey(staleTransactions.key(txid, lastHash)),
      limit: 1,
    };
    const [found] = this.reads.rows(staleTransactions, range);
    if (found === undefined) return undefined;
    const blockHash = found.key.subarray(32);
    const row: StaleTransactionRow = staleTransactions.decode(found.value, txid, blockHash);
    const stale = this.reads.get(staleBlocks, blockHash);
    if (stale === undefined) throw this.reads.damaged("there is no block for a stale transaction");
    const transaction = viewTransaction(this.#files.read(stale.position, row));
    return {
      txid: displayHash(txid),
      transaction,
      staleBlock: displayHash(blockHash),
      ...spending(transaction, row.spentOutputs),
    };
  }
}

const noHash = new Uint8Array(32);
const lastHash = new Uint8Array(32).fill(0xff);

/** Returns the input-related facts of a transaction; a coinbase spends nothing, and any other transaction does. */
function spending(
  transaction: Transaction,
  spentOutputs: readonly PreviousOutput[],
): Pick<IndexedTransaction, "previousOutputs" | "fee"> {
  if (spentOutputs.length === 0) return { previousOutputs: noPreviousOutputs, fee: 0n };
  return { previousOutputs: spentOutputs, fee: feeOf(transaction, spentOutputs) };
}

const noPreviousOutputs: readonly undefined[] = [undefined];

/** Returns the fee. A number holds any sum exactly: payments of blocks were verified, and the total supply is below 2^51 satoshi. */
function feeOf(transaction: Transaction, spentOutputs: readonly PreviousOutput[]): bigint {
  const { outputValue } = partsOfTransaction(transaction);
  let spent = 0;
  for (const { value } of spentOutputs) spent += Number(value);
  return BigInt(spent - outputValue);
}

/** Gap in bytes between transactions that is read rather than skipped: another read costs more than to copy some bytes. */
const maximumGap = 64 * 1024;

/** Part of a block's bytes that contains `count` transactions. */
interface Neighbours {
  readonly known: KnownBlock;
  readonly count: number;
  readonly offset: number;
  readonly end: number;
}

function groupNeighbours(
  found: readonly { readonly row: TransactionRow; readonly known: KnownBlock }[],
): readonly Neighbours[] {
  const groups: Neighbours[] = [];
  for (let start = 0; start < found.length; ) {
    const group = neighbours(found, start);
    groups.push(group);
    start += group.count;
  }
  return groups;
}

/** Returns the transactions from the one at `start` on that are near to it in its block. */
function neighbours(
  found: readonly { readonly row: TransactionRow; readonly known: KnownBlock }[],
  start: number,
): Neighbours {
  const first = found[start];
  if (first === undefined) throw new Error(`No transaction ${start} among ${found.length}`);
  const { known } = first;
  let { offset } = first.row;
  let end = offset + first.row.size;
  let count = 1;
  for (let next = found[start + count]; next !== undefined && next.known === known; next = found[start + count]) {
    const lower = Math.min(offset, next.row.offset);
    const upper = Math.max(end, next.row.offset + next.row.size);
    if (upper - lower > maximumGap) break;
    offset = lower;
    end = upper;
    count += 1;
  }
  return { known, count, offset, end };
}

function placeIn({ height, hash, time, row }: KnownBlock, transactionNumber: number): BlockPlace {
  return { hash, height, time, medianTime: row.medianTime, position: transactionNumber - row.firstTransactionNumber };
}

function containsTransaction({ row }: KnownBlock, transactionNumber: number): boolean {
  return isIndexBelow(transactionNumber - row.firstTransactionNumber, row.transactionCount);
}

function isIndexBelow(value: number, end: number): boolean {
  return Number.isInteger(value) && value >= 0 && value < end;
}
