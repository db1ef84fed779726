import { addressOfScript, medianTimePast, parseBlockHeader } from "@nodewright/bitcoin-primitives";
import { medianTimeReach } from "../chain/connect-block.ts";
import type { HeaderWork } from "../chain/header-work.ts";
import { ByteReader } from "../store/byte-codec.ts";
import type { Environment } from "../store/environment.ts";
import {
  type BlockPosition,
  blockPositions,
  blocks,
  blockStarts,
  blockStartsPerRow,
  transactionIds,
  transactionIdsPerRow,
  transactions,
} from "../store/layout.ts";
import { rowOf } from "../store/rows.ts";
import { readScript, sameAsBefore } from "../store/script-codec.ts";
import {
  blockColumn,
  blockWords,
  inputColumn,
  inputWords,
  outputColumn,
  outputWords,
  transactionColumn,
  transactionWords,
} from "./batch-memory.ts";
import type { BlockInFile } from "../source/chain-in-files.ts";
import { type AddressesOf, addressWords, spendFlag, type Sorters, swapBytes } from "./joined-rows.ts";
import { RepeatedTransactions } from "./repeated-transactions.ts";
import { maximumVarintLength, RowBytes } from "./row-bytes.ts";
import type { ScannedBatch } from "./scan-pool.ts";
import { recordColumn, recordHeadWords, UnspentArena } from "./unspent-arena.ts";

const none = -1;

/** Number of scripts whose addresses are remembered as recorded; a power of two. */
const rememberedScripts = 1 << 16;

/** State of the chain on which the next block builds. */
export interface JoinedChain {
  readonly height: number;
  /** Hex in wire order. */
  readonly hash: string;
  readonly nextTransactionNumber: number;
  readonly chainWork: bigint;
  readonly times: readonly number[];
}

/** Outputs that blocks may spend. */
export interface SpendableArena {
  readonly arena: UnspentArena;
  /** Number of the transaction whose output was taken last. */
  readonly takenFrom: number;
  /** Takes the output with the given txid (eight words at `txid`) and number. Returns the first word of its record in the arena, or -1. */
  take(source: Uint32Array, txid: number, vout: number): number;
  /** Hides outputs of earlier transactions with this txid. `mayBeRepeated`: there may have been one. */
  shadow(source: Uint32Array, txid: number, mayBeRepeated: boolean): void;
}

/** State of the chain that blocks are joined to. */
export interface JoinedFrom extends Omit<JoinedChain, "chainWork"> {
  /** Decimal. */
  readonly chainWork: string;
  /** Txids, in hex of wire order, that more than one transaction may have; absent where `unspent` itself knows them all. */
  readonly repeated?: readonly string[] | undefined;
}

export interface JoinerParts {
  readonly environment: Environment;
  readonly unspent: SpendableArena;
  readonly sorters: Sorters;
  readonly headerWork: HeaderWork;
  readonly addressesOf: AddressesOf;
}

/** Cursor over the blocks of a batch in the columns of its slot; advances from block to block. */
export class BatchCursor {
  readonly batch: ScannedBatch;
  readonly #blocks: number;
  #index = 0;
  /** Word offsets of the next rows. */
  transaction: number;
  input: number;
  output: number;

  constructor(batch: ScannedBatch) {
    const slot = batch.memory.slots[batch.slot];
    if (slot === undefined) throw new Error("No such slot");
    this.batch = batch;
    this.#blocks = slot.blocks >>> 2;
    this.transaction = slot.transactions >>> 2;
    this.input = slot.inputs >>> 2;
    this.output = slot.outputs >>> 2;
  }

  /** Returns the next block's row; `undefined` after the last. */
  next(): number | undefined {
    if (this.#index >= this.batch.count) return undefined;
    this.#index += 1;
    return this.#blocks + (this.#index - 1) * blockWords;
  }
}

/**
 * Joiner of scanned blocks to a chain: finds the outputs that they spend, writes the rows in chain order, and gathers the records of the
 * others.
 *
 * It checks what only the chain can show: that outputs exist and are spent once, and that no transaction pays more than it spends.
 */
export class BlockJoiner {
  readonly #environment: Environment;
  readonly #unspent: SpendableArena;
  readonly #sorters: Sorters;
  readonly #headerWork: HeaderWork;
  readonly #addressesOf: AddressesOf;
  readonly #row = new RowBytes();
  readonly #key = new Uint8Array(4);
  readonly #repeated: RepeatedTransactions;
  /** Hash prefixes (two words) of scripts whose addresses are already among the records. */
  readonly #addressed = new Uint32Array(rememberedScripts * 2);
  #height: number;
  #hash: string;
  #nextTransactionNumber: number;
  #chainWork: bigint;
  #times: readonly number[];
  /** Txids of the row that is not full yet. */
  readonly #ids = new Uint8Array(transactionIdsPerRow * 32);
  readonly #idWords = new Uint32Array(this.#ids.buffer);
  #idCount = 0;
  #starts: number[] = [];
  /** Whether the rows that are not full yet are in the tables. */
  #areIdsWritten = false;
  #areStartsWritten = false;

  constructor(parts: JoinerParts, journal: JoinedFrom) {
    this.#environment = parts.environment;
    this.#unspent = parts.unspent;
    this.#sorters = parts.sorters;
    this.#headerWork = parts.headerWork;
    this.#addressesOf = parts.addressesOf;
    this.#height = journal.height;
    this.#hash = journal.hash;
    this.#nextTransactionNumber = journal.nextTransactionNumber;
    this.#chainWork = BigInt(journal.chainWork);
    this.#times = journal.times;
    this.#repeated = new RepeatedTransactions(journal.repeated ?? []);
    this.#resume();
    if (journal.repeated !== undefined) this.#readCoinbases();
  }

  get chain(): JoinedChain {
    return {
      height: this.#height,
      hash: this.#hash,
      nextTransactionNumber: this.#nextTransactionNumber,
      chainWork: this.#chainWork,
      times: this.#times,
    };
  }

  get repeated(): readonly string[] {
    return this.#repeated.repeated;
  }

  /** Returns the number of words that a block's outputs may take in the arena. */
  static wordsFor(words: Uint32Array, block: number): number {
    // An output takes at least nine bytes on the wire, which contain its complete script.
    const length = words[block + blockColumn.length] ?? 0;
    return UnspentArena.wordsFor(length / 9, length + (length / 9) * 3) + (length / 60) * UnspentArena.wordsFor(0, 0);
  }

  /**
   * Joins the cursor's block. `place` is called once the block is known to be good. Returns false when it is bad: nothing joined since the
   * last journal may then be kept.
   */
  join(cursor: BatchCursor, block: number, file: BlockInFile, place: () => BlockPosition): boolean {
    const { words } = cursor.batch;
    if (words[block + blockColumn.isGood] !== 1) return false;
    const count = words[block + blockColumn.transactions] ?? 0;
    const first = this.#nextTransactionNumber;
    for (let index = 0; index < count; index += 1) {
      if (!this.#joinTransaction(cursor, first + index, index === 0)) return false;
    }
    this.#nextTransactionNumber = first + count;
    this.#writeBlock(words, block, file, place(), first, count);
    return true;
  }

  /** Writes the rows that are not full yet, so that the next start finds them. */
  writeOpenRows(): void {
    if (this.#idCount > 0) this.#writeIds();
    if (this.#starts.length > 0) this.#writeStarts();
  }

  #joinTransaction(cursor: BatchCursor, number: number, isCoinbase: boolean): boolean {
    const { words, bytes } = cursor.batch;
    const transaction = cursor.transaction;
    const inputs = words[transaction + transactionColumn.inputs] ?? 0;
    const outputs = words[transaction + transactionColumn.outputs] ?? 0;
    const firstInput = cursor.input;
    const row = this.#row;
    row.reserve(3 * maximumVarintLength + 4);
    row.varint(words[transaction + transactionColumn.offset] ?? 0);
    row.varint(words[transaction + transactionColumn.size] ?? 0);
    row.varint(outputs);
    row.uint32(words[transaction + transactionColumn.checksum] ?? 0);
    let available = 0;
    let before = none;
    for (let vin = 0; vin < inputs; vin += 1) {
      const record = this.#joinInput(words, cursor.input, number, vin, before);
      if (record === none) return false;
      const taken = this.#unspent.arena.words;
      available += satoshiOf(taken[record] ?? 0, taken[record + recordColumn.valueHigh] ?? 0);
      before = record;
      cursor.input += inputWords;
    }
    setUint32(this.#key, number);
    this.#environment.putBytes(transactions, this.#key, row.take(), true);
    const mayBeRepeated = isCoinbase
      ? this.#repeated.addCoinbase(words, transaction)
      : inputs > 0 && this.#repeated.addSpender(words, transaction, firstInput);
    this.#unspent.shadow(words, transaction, mayBeRepeated);
    const paid = this.#addOutputs(words, bytes, cursor.output, outputs, transaction, number);
    cursor.output += outputs * outputWords;
    cursor.transaction += transactionWords;
    this.#addTxid(words, transaction, number);
    return isCoinbase || paid <= available;
  }

  /** Returns the first word of the record of the spent output, or -1 if the output is unknown. */
  #joinInput(words: Uint32Array, input: number, number: number, vin: number, before: number): number {
    const vout = words[input + inputColumn.vout] ?? 0;
    const record = this.#unspent.take(words, input, vout);
    if (record === none) return none;
    const taken = this.#unspent.arena.words;
    const funding = this.#unspent.takenFrom;
    const low = taken[record] ?? 0;
    const high = taken[record + recordColumn.valueHigh] ?? 0;
    this.#addScript(taken, record + recordColumn.hash, number, low, (high | spendFlag) >>> 0);
    const { spends } = this.#sorters;
    const spend = spends.add(funding);
    const spendWords = spends.words;
    spendWords[spend] = funding;
    spendWords[spend + 1] = vout;
    spendWords[spend + 2] = number;
    spendWords[spend + 3] = vin;
    const scriptLength = taken[record + recordColumn.scriptLength] ?? 0;
    const row = this.#row;
    row.reserve(2 * maximumVarintLength + 1 + scriptLength);
    row.varint(number - funding);
    row.varint(satoshiOf(low, high));
    if (before !== none && hasSameScript(taken, record, before)) row.byte(sameAsBefore);
    else row.copyWords(taken, record + recordHeadWords, scriptLength);
    return record;
  }

  /** Returns the total output value of the transaction. */
  #addOutputs(
    words: Uint32Array,
    bytes: Uint8Array,
    firstOutput: number,
    outputs: number,
    transaction: number,
    number: number,
  ): number {
    const { arena } = this.#unspent;
    let spendable = 0;
    let paid = 0;
    for (let vout = 0; vout < outputs; vout += 1) {
      const output = firstOutput + vout * outputWords;
      paid += satoshiOf(words[output] ?? 0, words[output + outputColumn.valueHigh] ?? 0);
      if (words[output + outputColumn.scriptLength] !== 0) spendable += 1;
    }
    if (spendable === 0) return paid;
    const entry = arena.beginEntry(words, transaction, number, spendable);
    let position = 0;
    for (let vout = 0; vout < outputs; vout += 1) {
      const output = firstOutput + vout * outputWords;
      const scriptLength = words[output + outputColumn.scriptLength] ?? 0;
      if (scriptLength === 0) continue;
      const low = words[output] ?? 0;
      const high = words[output + outputColumn.valueHigh] ?? 0;
      const record = arena.addOutput(entry, position, vout, scriptLength);
      position += 1;
      const kept = arena.words;
      kept[record] = low;
      kept[record + recordColumn.valueHigh] = high;
      for (let word = 0; word < 4; word += 1) {
        kept[record + recordColumn.hash + word] = words[output + outputColumn.hash + word] ?? 0;
      }
      const script = words[output + outputColumn.scriptAddress] ?? 0;
      arena.copyScript(record, bytes, script, scriptLength);
      this.#addScript(words, output + outputColumn.hash, number, low, high);
      if (this.#addressesOf !== undefined) this.#addAddress(words, output, bytes);
    }
    arena.finishEntry(entry);
    return paid;
  }

  #addScript(source: Uint32Array, hash: number, number: number, low: number, high: number): void {
    const { scripts } = this.#sorters;
    const start = scripts.add(source[hash] ?? 0);
    const { words } = scripts;
    words[start] = source[hash] ?? 0;
    words[start + 1] = source[hash + 1] ?? 0;
    words[start + 2] = source[hash + 2] ?? 0;
    words[start + 3] = source[hash + 3] ?? 0;
    words[start + 4] = number;
    words[start + 5] = high;
    words[start + 6] = low;
  }

  #addTxid(words: Uint32Array, transaction: number, number: number): void {
    const { numbers } = this.#sorters;
    const first = swapBytes(words[transaction] ?? 0);
    const start = numbers.add(first);
    numbers.words[start] = first;
    numbers.words[start + 1] = swapBytes(words[transaction + 1] ?? 0);
    numbers.words[start + 2] = number;
    const place = this.#idCount * 8;
    for (let word = 0; word < 8; word += 1) this.#idWords[place + word] = words[transaction + word] ?? 0;
    this.#idCount += 1;
    if (this.#idCount < transactionIdsPerRow) return;
    this.#nextTransactionNumber = number + 1;
    this.#writeIds();
    this.#idCount = 0;
    this.#areIdsWritten = false;
  }

  /** Adds an address. Addresses repeat often: most that are already recorded are skipped here, the rest during the sort. */
  #addAddress(words: Uint32Array, output: number, bytes: Uint8Array): void {
    const first = words[output + outputColumn.hash] ?? 0;
    const second = words[output + outputColumn.hash + 1] ?? 0;
    const place = (first & (rememberedScripts - 1)) * 2;
    if (this.#addressed[place] === first && this.#addressed[place + 1] === second) return;
    this.#addressed[place] = first;
    this.#addressed[place + 1] = second;
    const script = words[output + outputColumn.scriptAddress] ?? 0;
    const length = words[output + outputColumn.scriptLength] ?? 0;
    const network = this.#addressesOf;
    if (network === undefined) return;
    const address = addressOfScript(readScript(new ByteReader(bytes.slice(script, script + length))), network);
    if (address === undefined) return;
    const { addresses } = this.#sorters;
    const padded = Buffer.alloc(addressWords * 4);
    padded.write(address, "latin1");
    const start = addresses.add(padded.readUInt32BE());
    for (let word = 0; word < addressWords; word += 1) addresses.words[start + word] = padded.readUInt32BE(word * 4);
  }

  #writeBlock(
    words: Uint32Array,
    block: number,
    { hash, header }: BlockInFile,
    position: BlockPosition,
    firstTransactionNumber: number,
    transactionCount: number,
  ): void {
    const height = this.#height + 1;
    const { bits, time } = parseBlockHeader(header);
    const times = [...this.#times, time];
    this.#chainWork += this.#headerWork.workOf(bits);
    const { key, value } = rowOf(blocks, [height], {
      hash,
      header,
      firstTransactionNumber,
      transactionCount,
      size: words[block + blockColumn.length] ?? 0,
      strippedSize: words[block + blockColumn.strippedSize] ?? 0,
      medianTime: medianTimePast(times),
      chainWork: this.#chainWork,
      checksum: words[block + blockColumn.checksum] ?? 0,
    });
    this.#environment.putBytes(blocks, key, value, true);
    const place = rowOf(blockPositions, [height], position);
    this.#environment.putBytes(blockPositions, place.key, place.value, true);
    const { heights } = this.#sorters;
    const view = Buffer.from(hash.buffer, hash.byteOffset, 32);
    const start = heights.add(view.readUInt32BE());
    for (let word = 0; word < 8; word += 1) heights.words[start + word] = view.readUInt32BE(word * 4);
    heights.words[start + 8] = height;
    this.#height = height;
    this.#hash = view.toString("hex");
    this.#times = times.slice(-medianTimeReach);
    this.#starts.push(firstTransactionNumber);
    if (this.#starts.length < blockStartsPerRow) return;
    this.#writeStarts();
    this.#starts = [];
    this.#areStartsWritten = false;
  }

  #writeIds(): void {
    const row = Math.floor((this.#nextTransactionNumber - 1) / transactionIdsPerRow);
    const ids = this.#ids.subarray(0, this.#idCount * 32);
    this.#environment.putBytes(transactionIds, transactionIds.key(row), ids, !this.#areIdsWritten);
    this.#areIdsWritten = true;
  }

  #writeStarts(): void {
    const row = Math.floor(this.#height / blockStartsPerRow);
    const { key, value } = rowOf(blockStarts, [row], this.#starts);
    this.#environment.putBytes(blockStarts, key, value, !this.#areStartsWritten);
    this.#areStartsWritten = true;
  }

  /** Resumes the rows that were not full when the journal was written. */
  #resume(): void {
    const number = this.#nextTransactionNumber;
    const part = number % transactionIdsPerRow;
    if (part > 0) {
      const row = this.#environment.get(transactionIds, (number - part) / transactionIdsPerRow);
      if (row === undefined) throw new Error("The row of the last txids is missing");
      this.#ids.set(row);
      this.#idCount = part;
      this.#areIdsWritten = true;
    }
    const heightPart = (this.#height + 1) % blockStartsPerRow;
    if (heightPart > 0) {
      const row = this.#environment.get(blockStarts, (this.#height + 1 - heightPart) / blockStartsPerRow);
      this.#starts = [...(row ?? [])];
      this.#areStartsWritten = true;
    }
  }

  /** Reads the coinbases of the chain so far. */
  #readCoinbases(): void {
    for (let height = 0; height <= this.#height; height += 1) {
      const first = this.#environment.get(blocks, height)?.firstTransactionNumber ?? 0;
      const ids = this.#environment.get(transactionIds, Math.floor(first / transactionIdsPerRow));
      const start = (first % transactionIdsPerRow) * 32;
      if (ids === undefined) throw this.#environment.damaged(`there is no txid for transaction ${first}`);
      const txid = new Uint32Array(Uint8Array.from(ids.subarray(start, start + 32)).buffer);
      this.#repeated.addCoinbase(txid, 0);
    }
  }
}

function satoshiOf(low: number, high: number): number {
  return high * 0x1_0000_0000 + low;
}

function setUint32(bytes: Uint8Array, value: number): void {
  bytes[0] = value >>> 24;
  bytes[1] = value >>> 16;
  bytes[2] = value >>> 8;
  bytes[3] = value;
}

function hasSameScript(words: Uint32Array, left: number, right: number): boolean {
  const length = words[left + recordColumn.scriptLength] ?? 0;
  if (length !== words[right + recordColumn.scriptLength]) return false;
  const end = (length + 3) >>> 2;
  for (let word = 0; word < end; word += 1) {
    if (words[left + recordHeadWords + word] !== words[right + recordHeadWords + word]) return false;
  }
  return true;
}
