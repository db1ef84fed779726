import { concatBytes } from "./bytes.ts";
import { doubleSha256, type HashBytes, hashLength, type TransactionIdBytes } from "./hash.ts";
import { MalformedBytesError } from "./malformed-bytes-error.ts";
import { compactSizeAt, compactSizeLength } from "./compact-size.ts";
import {
  noVout,
  parseTransaction,
  type Transaction,
  type TransactionInput,
  type TransactionOutput,
} from "./transaction.ts";

/** Positions of the parts of a serialized transaction: 0-based, in its bytes. */
export interface TransactionParts {
  readonly hasWitness: boolean;
  readonly inputCount: number;
  /** Position of the first input. */
  readonly inputs: number;
  readonly outputCount: number;
  /** Position of the first output. */
  readonly outputs: number;
  /** Position after the last output; where there are witnesses, of the first input's. */
  readonly outputsEnd: number;
  readonly locktime: number;
  /** Total of all outputs, in satoshi; not a safe integer where it exceeds the precision of a number. */
  readonly outputValue: number;
}

/** Offset of the inputs' count: version 4, marker and flag of BIP 144. */
const witnessBodyStart = 6;
const plainBodyStart = 4;
const locktimeLength = 4;
/** Bytes of an outpoint: txid 32, vout 4. */
const outpointLength = 36;
const sequenceLength = 4;
const valueLength = 8;

/**
 * Returns a transaction over bytes that are known to be one, such as those of a block that was parsed before: the same as
 * `parseTransaction`, but its inputs and outputs are created on first use. Throws `MalformedBytesError` where parts overlap the end of the
 * bytes; other problems are found when the parts are used.
 */
export function viewTransaction(bytes: Uint8Array): Transaction {
  return new TransactionView(bytes, findParts(bytes));
}

/** Returns the positions of the parts of a transaction's bytes. */
export function partsOfTransaction(transaction: Transaction): TransactionParts {
  if (transaction instanceof TransactionView) return transaction.parts;
  return findParts(transaction.bytes, transaction.hasWitness);
}

class TransactionView implements Transaction {
  readonly bytes: Uint8Array;
  readonly parts: TransactionParts;
  #parsed: Transaction | undefined;

  constructor(bytes: Uint8Array, parts: TransactionParts) {
    this.bytes = bytes;
    this.parts = parts;
  }

  get version(): number {
    return this.#whole().version;
  }

  get inputs(): readonly TransactionInput[] {
    return this.#whole().inputs;
  }

  get outputs(): readonly TransactionOutput[] {
    return this.#whole().outputs;
  }

  get locktime(): number {
    return this.#whole().locktime;
  }

  get hasWitness(): boolean {
    return this.parts.hasWitness;
  }

  get txid(): TransactionIdBytes {
    if (this.#parsed !== undefined) return this.#parsed.txid;
    const { bytes, parts } = this;
    if (!parts.hasWitness) return doubleSha256(bytes);
    const version = bytes.subarray(0, plainBodyStart);
    const body = bytes.subarray(witnessBodyStart, parts.outputsEnd);
    return doubleSha256(concatBytes(version, body, bytes.subarray(parts.locktime)));
  }

  get wtxid(): HashBytes {
    return this.hasWitness ? doubleSha256(this.bytes) : this.txid;
  }

  get size(): number {
    return this.bytes.length;
  }

  get strippedSize(): number {
    return strippedSizeOf(this.bytes, this.parts);
  }

  get weight(): number {
    return this.strippedSize * 3 + this.size;
  }

  get virtualSize(): number {
    return Math.ceil(this.weight / 4);
  }

  get isCoinbase(): boolean {
    const { bytes, parts } = this;
    if (parts.inputCount !== 1) return false;
    return isNullOutpoint(bytes, parts.inputs);
  }

  #whole(): Transaction {
    this.#parsed ??= parseTransaction(this.bytes);
    return this.#parsed;
  }
}

/** Returns whether the outpoint at this position is that of a coinbase's input, which refers to no output. */
export function isNullOutpoint(bytes: Uint8Array, offset: number): boolean {
  if (uint32At(bytes, offset + hashLength) !== noVout) return false;
  for (let index = offset; index < offset + hashLength; index += 1) if (bytes[index] !== 0) return false;
  return true;
}

/** Returns the bytes of a transaction without its witnesses. */
export function strippedSizeOf(bytes: Uint8Array, { hasWitness, outputsEnd }: TransactionParts): number {
  return hasWitness ? plainBodyStart + (outputsEnd - witnessBodyStart) + locktimeLength : bytes.length;
}

/** Finds the parts without creating objects. `hasWitness` is derived from the bytes where it is not given. */
function findParts(bytes: Uint8Array, hasWitness: boolean = startsWithMarker(bytes)): TransactionParts {
  const { length } = bytes;
  let offset = hasWitness ? witnessBodyStart : plainBodyStart;
  const inputCount = compactSizeAt(bytes, offset);
  offset += compactSizeLength(inputCount);
  const inputs = offset;
  for (let position = 0; position < inputCount; position += 1) {
    offset = endOfVariable(bytes, offset + outpointLength) + sequenceLength;
  }
  const outputCount = compactSizeAt(bytes, offset);
  offset += compactSizeLength(outputCount);
  const outputs = offset;
  let outputValue = 0;
  for (let position = 0; position < outputCount; position += 1) {
    outputValue = addValue(outputValue, valueAt(bytes, offset));
    offset = endOfVariable(bytes, offset + valueLength);
  }
  const outputsEnd = offset;
  if (hasWitness) offset = endOfWitnesses(bytes, offset, inputCount);
  if (offset + locktimeLength !== length) throw endsEarly(length);
  return { hasWitness, inputCount, inputs, outputCount, outputs, outputsEnd, locktime: offset, outputValue };
}

/** Returns whether the bytes have the marker of BIP 144: no inputs in place of their count, then a flag of 1. */
function startsWithMarker(bytes: Uint8Array): boolean {
  return bytes[4] === 0 && bytes[5] === 1;
}

function endOfWitnesses(bytes: Uint8Array, start: number, inputCount: number): number {
  let offset = start;
  for (let input = 0; input < inputCount; input += 1) {
    const items = compactSizeAt(bytes, offset);
    offset += compactSizeLength(items);
    for (let item = 0; item < items; item += 1) offset = endOfVariable(bytes, offset);
  }
  return offset;
}

/** Returns the position after a byte string that follows its length. */
function endOfVariable(bytes: Uint8Array, offset: number): number {
  const length = compactSizeAt(bytes, offset);
  return offset + compactSizeLength(length) + length;
}

/** Returns a signed 64-bit integer as the nearest number. */
export function valueAt(bytes: Uint8Array, offset: number): number {
  return uint32At(bytes, offset) + (uint32At(bytes, offset + 4) | 0) * 0x100000000;
}

/** Returns an unsigned 32-bit integer, lowest byte first. */
export function uint32At(bytes: Uint8Array, offset: number): number {
  const low = (bytes[offset] ?? 0) | ((bytes[offset + 1] ?? 0) << 8) | ((bytes[offset + 2] ?? 0) << 16);
  return (low | ((bytes[offset + 3] ?? 0) << 24)) >>> 0;
}

/** Adds values. An unsafe sum stays unsafe: large positive and negative values must not cancel out. */
function addValue(sum: number, value: number): number {
  const next = sum + value;
  return Number.isSafeInteger(value) && Number.isSafeInteger(next) ? next : Number.NaN;
}

function endsEarly(length: number): MalformedBytesError {
  return new MalformedBytesError(length, "transaction has another length than its parts");
}
