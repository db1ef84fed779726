import {
  type BatchMemory,
  blockColumn,
  blockWords,
  inputColumn,
  inputWords,
  outputColumn,
  outputWords,
  type Slot,
  transactionColumn,
  transactionWords,
} from "./batch-memory.ts";
import { LaneHasher } from "./lane-hasher.ts";
import { checksumOf } from "../store/checksum.ts";
import { ScriptSpeller } from "./script-speller.ts";

const headerLength = 80;
const hashLength = 32;
/** Byte offset of the merkle root in a header. */
const merkleRootOffset = 36;
/** Consensus: maximum weight units of a block (BIP 141). */
const maximumWeight = 4_000_000;
/** Consensus, in satoshi. */
const maximumMoney = 2_100_000_000_000_000;
/** Largest length or count that the protocol allows. */
const maximumCount = 0x02000000;
const noVout = 0xffffffff;
const returnOpcode = 0x6a;
const none = -1;

/** OP_RETURN, a push of 36 bytes, four marker bytes (BIP 141). */
const commitmentHead = [0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed] as const;
const commitmentLength = commitmentHead.length + 32;

/** Signal for an invalid block; caught in this file. */
const badBlock = new Error("A block is malformed or inconsistent");

/**
 * Scanner that reads blocks into a slot's columns and checks each in itself: all that `parseBlock` and `verifyBlock` check.
 *
 * It reports that a block is bad and not why: the caller reads the block again with those functions, which report the reason.
 */
export class BlockScanner {
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #view: DataView;
  readonly #hasher: LaneHasher;
  readonly #merkle: number;
  readonly #speller: ScriptSpeller;
  #slot: Slot;
  #blocks = 0;
  /** Word offsets of the next row of each column. */
  #transactionWord = 0;
  #inputWord = 0;
  #outputWord = 0;
  #script = 0;

  #cursor = 0;
  #end = 0;
  #blockAddress = 0;
  #isCoinbase = false;
  #strippedSize = 0;
  #hasWitness = false;
  /** Addresses in the coinbase: the script of the witness commitment, and the witness reserved value. */
  #commitment = none;
  #reserved = none;

  constructor(memory: BatchMemory) {
    const [slot] = memory.slots;
    if (slot === undefined) throw new Error("No slot to scan into");
    const { buffer } = memory.memory;
    this.#bytes = new Uint8Array(buffer);
    this.#words = new Uint32Array(buffer);
    this.#view = new DataView(buffer);
    this.#hasher = new LaneHasher(memory);
    this.#merkle = memory.scanner.merkle;
    this.#speller = new ScriptSpeller(this.#bytes);
    this.#slot = slot;
  }

  /** Starts a batch. */
  open(slot: Slot): void {
    this.#slot = slot;
    this.#blocks = 0;
    this.#transactionWord = slot.transactions >>> 2;
    this.#inputWord = slot.inputs >>> 2;
    this.#outputWord = slot.outputs >>> 2;
    this.#script = slot.scripts;
  }

  /** Scans the block at `address` in the slot, which must have `expectedHash`, in wire order. Returns false when it is bad. */
  scan(address: number, length: number, expectedHash: Uint8Array): boolean {
    const row = (this.#slot.blocks >>> 2) + this.#blocks * blockWords;
    this.#blocks += 1;
    this.#words[row + blockColumn.address] = address;
    this.#words[row + blockColumn.length] = length;
    let isGood = true;
    try {
      this.#scanBlock(address, length, expectedHash, row);
    } catch (reason) {
      if (reason !== badBlock) throw reason;
      this.#hasher.finish();
      isGood = false;
    }
    this.#words[row + blockColumn.isGood] = isGood ? 1 : 0;
    return isGood;
  }

  #scanBlock(address: number, length: number, expectedHash: Uint8Array, row: number): void {
    this.#blockAddress = address;
    this.#cursor = address;
    this.#end = address + length;
    this.#skip(headerLength);
    this.#checkHash(address, expectedHash);
    const count = this.#readCount(10);
    if (count === 0) throw badBlock;
    this.#strippedSize = this.#cursor - address;
    this.#hasWitness = false;
    this.#commitment = none;
    this.#reserved = none;
    const first = this.#transactionWord;
    for (let position = 0; position < count; position += 1) this.#scanTransaction(position === 0);
    if (this.#cursor !== this.#end) throw badBlock;
    if (this.#strippedSize * 3 + length > maximumWeight) throw badBlock;
    this.#words[row + blockColumn.strippedSize] = this.#strippedSize;
    this.#words[row + blockColumn.transactions] = count;
    this.#words[row + blockColumn.checksum] = checksumOf(this.#bytes.subarray(address, this.#end));
    this.#hasher.finish();
    this.#checkMerkleRoot(first, count);
    if (this.#hasWitness) this.#checkWitnesses(first, count);
  }

  #checkHash(address: number, expected: Uint8Array): void {
    this.#hasher.doubleHash(address, headerLength, this.#merkle >>> 2);
    this.#hasher.finish();
    for (let index = 0; index < hashLength; index += 1) {
      if (this.#bytes[this.#merkle + index] !== expected[index]) throw badBlock;
    }
  }

  #scanTransaction(isCoinbase: boolean): void {
    const start = this.#cursor;
    const row = this.#transactionWord;
    this.#transactionWord += transactionWords;
    const inputWord = this.#inputWord;
    const outputWord = this.#outputWord;
    this.#isCoinbase = isCoinbase;
    this.#skip(4);
    const marker = this.#cursor;
    let inputs = this.#readCount(41);
    let bodyStart = marker;
    let bodyEnd: number;
    let hasWitness = false;
    if (inputs === 0) {
      // BIP 144: the marker, and after it the flag; or the transaction without inputs and outputs that is valid in both forms.
      const flag = this.#readByte();
      if (flag > 1) throw badBlock;
      hasWitness = flag === 1;
      if (hasWitness) {
        bodyStart = this.#cursor;
        inputs = this.#readCount(41);
        this.#scanInputs(inputs);
        this.#scanOutputs();
      }
      bodyEnd = this.#cursor;
      if (hasWitness) this.#scanWitnesses(inputs);
    } else {
      this.#scanInputs(inputs);
      this.#scanOutputs();
      bodyEnd = this.#cursor;
    }
    this.#skip(4);
    if (isCoinbase) {
      if (!this.#spendsNothing(inputs, inputWord)) throw badBlock;
      this.#inputWord = inputWord;
      inputs = 0;
    } else if (this.#spendsNothing(inputs, inputWord)) throw badBlock;
    const size = this.#cursor - start;
    const words = this.#words;
    words[row + transactionColumn.offset] = start - this.#blockAddress;
    words[row + transactionColumn.size] = size;
    words[row + transactionColumn.checksum] = checksumOf(this.#bytes.subarray(start, this.#cursor));
    words[row + transactionColumn.inputs] = inputs;
    words[row + transactionColumn.outputs] = (this.#outputWord - outputWord) / outputWords;
    if (hasWitness) {
      this.#hasWitness = true;
      this.#strippedSize += bodyEnd - bodyStart + 8;
      this.#hasher.doubleHashStripped(start, bodyStart, bodyEnd, this.#cursor, row);
    } else {
      this.#strippedSize += size;
      this.#hasher.doubleHash(start, size, row);
    }
  }

  #scanInputs(count: number): void {
    const words = this.#words;
    for (let index = 0; index < count; index += 1) {
      const start = this.#cursor;
      this.#skip(36);
      const row = this.#inputWord;
      for (let word = 0; word < inputWords; word += 1) {
        words[row + word] = this.#view.getUint32(start + word * 4, true);
      }
      this.#inputWord += inputWords;
      this.#skipVariableBytes();
      this.#skip(4);
    }
  }

  /** Returns whether the only input spends no output, as in a coinbase. */
  #spendsNothing(inputs: number, row: number): boolean {
    const words = this.#words;
    if (inputs !== 1 || words[row + inputColumn.vout] !== noVout) return false;
    for (let word = 0; word < 8; word += 1) if (words[row + word] !== 0) return false;
    return true;
  }

  #scanOutputs(): void {
    const words = this.#words;
    const count = this.#readCount(9);
    let sum = 0;
    for (let index = 0; index < count; index += 1) {
      const start = this.#cursor;
      this.#skip(8);
      const low = this.#view.getUint32(start, true);
      const high = this.#view.getUint32(start + 4, true);
      sum += high * 0x1_0000_0000 + low;
      if (sum > maximumMoney) throw badBlock;
      const length = this.#skipVariableBytes();
      const row = this.#outputWord;
      this.#outputWord += outputWords;
      words[row + outputColumn.valueLow] = low;
      words[row + outputColumn.valueHigh] = high;
      this.#scanScript(this.#cursor - length, length, row);
    }
  }

  #scanScript(address: number, length: number, row: number): void {
    const words = this.#words;
    words[row + outputColumn.scriptAddress] = this.#script;
    if (length > 0 && this.#bytes[address] === returnOpcode) {
      words[row + outputColumn.scriptLength] = 0;
      if (this.#isCoinbase && this.#isCommitment(address, length)) this.#commitment = address;
      return;
    }
    const end = this.#speller.spell(address, length, this.#script);
    words[row + outputColumn.scriptLength] = end - this.#script;
    this.#script = end;
    this.#hasher.hashScript(address, length, row + outputColumn.hash);
  }

  #scanWitnesses(inputs: number): void {
    let hasAny = false;
    for (let index = 0; index < inputs; index += 1) {
      const items = this.#readCount(1);
      if (items > 0) hasAny = true;
      for (let item = 0; item < items; item += 1) {
        const length = this.#skipVariableBytes();
        // BIP 141: the reserved value is the coinbase's complete witness.
        if (this.#isCoinbase && index === 0 && items === 1 && length === hashLength) {
          this.#reserved = this.#cursor - length;
        }
      }
    }
    if (!hasAny) throw badBlock;
  }

  #isCommitment(address: number, length: number): boolean {
    if (length < commitmentLength) return false;
    for (let index = 0; index < commitmentHead.length; index += 1) {
      if (this.#bytes[address + index] !== commitmentHead[index]) return false;
    }
    return true;
  }

  #checkMerkleRoot(first: number, count: number): void {
    const words = this.#words;
    let target = this.#merkle >>> 2;
    for (let row = first; row < first + count * transactionWords; row += transactionWords) {
      for (let word = 0; word < 8; word += 1) words[target + word] = words[row + word] ?? 0;
      target += 8;
    }
    if (!this.#reduceMerkle(count)) throw badBlock;
    if (!this.#areEqual(this.#merkle, this.#blockAddress + merkleRootOffset)) throw badBlock;
  }

  /** Checks the witness commitment. Witnesses are not covered by the merkle root: without this a source could change them unnoticed. */
  #checkWitnesses(first: number, count: number): void {
    if (this.#commitment === none || this.#reserved === none) throw badBlock;
    const words = this.#words;
    let target = this.#merkle >>> 2;
    words.fill(0, target, target + 8);
    for (let position = 1; position < count; position += 1) {
      target += 8;
      const row = first + position * transactionWords;
      const address = this.#blockAddress + (words[row + transactionColumn.offset] ?? 0);
      if (this.#bytes[address + 4] === 0 && this.#bytes[address + 5] === 1) {
        this.#hasher.doubleHash(address, words[row + transactionColumn.size] ?? 0, target);
      } else {
        for (let word = 0; word < 8; word += 1) words[target + word] = words[row + word] ?? 0;
      }
    }
    this.#hasher.finish();
    // Repeated transactions were found above; repetition among witnesses alone is harmless.
    this.#reduceMerkle(count);
    this.#bytes.copyWithin(this.#merkle + hashLength, this.#reserved, this.#reserved + hashLength);
    this.#hasher.hashPair(this.#merkle, this.#merkle >>> 2);
    this.#hasher.finish();
    if (!this.#areEqual(this.#merkle, this.#commitment + commitmentHead.length)) throw badBlock;
  }

  /** Reduces `count` hashes to their root, in place of the first. Returns false when two neighbors were equal (CVE-2012-2459). */
  #reduceMerkle(count: number): boolean {
    let isUnique = true;
    for (let length = count; length > 1; length = (length + 1) >>> 1) {
      const end = this.#merkle + length * hashLength;
      for (let pair = this.#merkle; pair + hashLength < end; pair += 2 * hashLength) {
        if (this.#areEqual(pair, pair + hashLength)) isUnique = false;
      }
      if (length % 2 === 1) this.#bytes.copyWithin(end, end - hashLength, end);
      // A parent overwrites its children, or those of a pair before them: they have been read by then, because lanes run in step.
      let target = this.#merkle >>> 2;
      for (let pair = this.#merkle; pair < end; pair += 2 * hashLength) {
        this.#hasher.hashPair(pair, target);
        target += 8;
      }
      this.#hasher.finish();
    }
    return isUnique;
  }

  /** Returns whether the hashes at two addresses are equal. The first is a multiple of 4. */
  #areEqual(first: number, second: number): boolean {
    for (let offset = 0; offset < hashLength; offset += 4) {
      if (this.#words[(first + offset) >>> 2] !== this.#view.getUint32(second + offset, true)) return false;
    }
    return true;
  }

  #skip(length: number): void {
    if (length > this.#end - this.#cursor) throw badBlock;
    this.#cursor += length;
  }

  #readByte(): number {
    const address = this.#cursor;
    this.#skip(1);
    return this.#bytes[address] ?? 0;
  }

  /** Reads a count of items that take at least `minimumLength` bytes each. */
  #readCount(minimumLength: number): number {
    const count = this.#readCompactSize();
    if (count * minimumLength > this.#end - this.#cursor) throw badBlock;
    return count;
  }

  /** Skips a byte string and returns its length. */
  #skipVariableBytes(): number {
    const length = this.#readCompactSize();
    this.#skip(length);
    return length;
  }

  /** Reads a CompactSize in its shortest form, no larger than the protocol allows. */
  #readCompactSize(): number {
    const first = this.#readByte();
    if (first < 0xfd) return first;
    const address = this.#cursor;
    if (first === 0xfd) {
      this.#skip(2);
      const value = this.#view.getUint16(address, true);
      if (value < 0xfd) throw badBlock;
      return value;
    }
    // A value that needs eight bytes is above what the protocol allows.
    if (first === 0xff) throw badBlock;
    this.#skip(4);
    const value = this.#view.getUint32(address, true);
    if (value < 0x10000 || value > maximumCount) throw badBlock;
    return value;
  }
}
