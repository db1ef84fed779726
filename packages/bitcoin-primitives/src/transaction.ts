import { ByteReader } from "./byte-reader.ts";
import { ByteWriter } from "./byte-writer.ts";
import { concatBytes } from "./bytes.ts";
import { doubleSha256, isZeroHash, type HashBytes, type TransactionIdBytes } from "./hash.ts";

/** An output of an earlier transaction. */
export interface Outpoint {
  readonly txid: TransactionIdBytes;
  /** 0-based position; 4294967295 in a coinbase. */
  readonly vout: number;
}

/** An input of a transaction. */
export interface TransactionInput {
  readonly previousOutput: Outpoint;
  readonly scriptSig: Uint8Array;
  /** Unsigned, 32 bits. */
  readonly sequence: number;
  /** Stack of BIP 141; empty when the input has none. */
  readonly witness: readonly Uint8Array[];
}

/** An output of a transaction. */
export interface TransactionOutput {
  /** Value in satoshi. Signed, as on the wire: the bytes of a transaction that consensus would reject may contain less than 0. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
}

/** Content of a transaction: everything that its bytes are derived from. */
export interface TransactionContent {
  /** Signed, 32 bits. */
  readonly version: number;
  readonly inputs: readonly TransactionInput[];
  readonly outputs: readonly TransactionOutput[];
  /** Unsigned, 32 bits. */
  readonly locktime: number;
}

/** A parsed transaction. Its byte strings are views of the bytes it was parsed from. */
export interface Transaction extends TransactionContent {
  /** Complete serialization, with witnesses. */
  readonly bytes: Uint8Array;
  /** Whether the serialization contains witnesses (BIP 144). */
  readonly hasWitness: boolean;
  /** Txid, computed on first use. */
  readonly txid: TransactionIdBytes;
  /** Wtxid (BIP 141); equal to the txid without witnesses. Computed on first use. */
  readonly wtxid: HashBytes;
  /** Size in bytes with witnesses. */
  readonly size: number;
  /** Size in bytes without witnesses. */
  readonly strippedSize: number;
  /** Weight (BIP 141): 3 × stripped size + size. */
  readonly weight: number;
  /** Virtual size: a quarter of the weight, rounded up. */
  readonly virtualSize: number;
  /** Whether the transaction creates new coins: one input, which spends no output. */
  readonly isCoinbase: boolean;
}

/** Serialization format of a transaction. */
export interface TransactionFormat {
  /** Whether the form is that of BIP 144, true by default. False: the form before, in which a transaction may have no inputs. */
  readonly witness?: boolean;
}

/** Value of `vout` in an outpoint that refers to no output. */
export const noVout = 0xffffffff;

/** Minimum bytes: outpoint 36, an empty scriptSig 1, sequence 4. */
const minimumInputLength = 41;
/** Minimum bytes: value 8, an empty scriptPubKey 1. */
const minimumOutputLength = 9;
/** Minimum bytes: version 4, two counts, locktime 4. */
export const minimumTransactionLength = 10;

/**
 * Parses a serialized transaction, in the form of BIP 144 or the older one; `bytes` must contain it and nothing else.
 *
 * Only the form is checked, as strictly as in Bitcoin Core, and not whether consensus allows the transaction. Throws `MalformedBytesError`.
 */
export function parseTransaction(bytes: Uint8Array, format: TransactionFormat = {}): Transaction {
  const reader = new ByteReader(bytes, "transaction");
  const transaction = readTransaction(reader, format);
  reader.expectEnd();
  return transaction;
}

/** Returns the bytes of a transaction: with witnesses when one of its inputs has any, unless the format forbids them. */
export function serializeTransaction(transaction: TransactionContent, format: TransactionFormat = {}): Uint8Array {
  const hasWitness = format.witness !== false && transaction.inputs.some((input) => input.witness.length > 0);
  const writer = new ByteWriter();
  writer.writeInt32(transaction.version);
  if (hasWitness) {
    writer.writeUint8(0);
    writer.writeUint8(1);
  }
  writeInputs(writer, transaction.inputs);
  writeOutputs(writer, transaction.outputs);
  if (hasWitness) writeWitnesses(writer, transaction.inputs);
  writer.writeUint32(transaction.locktime);
  return writer.finish();
}

/** Reads the transaction that begins at the reader's position. For the parsers of this package. */
export function readTransaction(reader: ByteReader, format: TransactionFormat): Transaction {
  const start = reader.offset;
  const version = reader.readInt32();
  const marker = reader.offset;
  let inputs = readInputs(reader);
  let outputs: TransactionOutput[] = [];
  let bodyStart = marker;
  let bodyEnd: number;
  let hasWitness = false;

  // BIP 144: no inputs in place of the count is the marker of the form with witnesses, and the next byte its flag.
  if (inputs.length === 0 && format.witness !== false) {
    const flag = reader.readUint8();
    if (flag > 1) throw reader.malformed(`transaction has the unknown flag ${flag}`, marker + 1);
    // A flag of 0 is the count of no outputs: the one transaction without inputs that is valid in both forms.
    hasWitness = flag === 1;
    if (hasWitness) {
      bodyStart = reader.offset;
      inputs = readInputs(reader);
      outputs = readOutputs(reader);
    }
    bodyEnd = reader.offset;
    if (hasWitness) inputs = readWitnesses(reader, inputs);
  } else {
    outputs = readOutputs(reader);
    bodyEnd = reader.offset;
  }

  const locktime = reader.readUint32();
  const bytes = reader.between(start, reader.offset);
  return new ParsedTransaction(bytes, { version, inputs, outputs, locktime }, hasWitness, {
    start: bodyStart - start,
    end: bodyEnd - start,
  });
}

/** 0-based positions in a transaction's bytes. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

class ParsedTransaction implements Transaction {
  readonly bytes: Uint8Array;
  readonly version: number;
  readonly inputs: readonly TransactionInput[];
  readonly outputs: readonly TransactionOutput[];
  readonly locktime: number;
  readonly hasWitness: boolean;
  /** Range of the inputs and outputs. */
  readonly #body: ByteRange;
  #txid: TransactionIdBytes | undefined;
  #wtxid: HashBytes | undefined;

  constructor(bytes: Uint8Array, content: TransactionContent, hasWitness: boolean, body: ByteRange) {
    this.bytes = bytes;
    this.version = content.version;
    this.inputs = content.inputs;
    this.outputs = content.outputs;
    this.locktime = content.locktime;
    this.hasWitness = hasWitness;
    this.#body = body;
  }

  get txid(): TransactionIdBytes {
    this.#txid ??= doubleSha256(this.#strippedBytes());
    return this.#txid;
  }

  get wtxid(): HashBytes {
    if (!this.hasWitness) return this.txid;
    this.#wtxid ??= doubleSha256(this.bytes);
    return this.#wtxid;
  }

  get size(): number {
    return this.bytes.length;
  }

  get strippedSize(): number {
    return 4 + (this.#body.end - this.#body.start) + 4;
  }

  get weight(): number {
    return this.strippedSize * 3 + this.size;
  }

  get virtualSize(): number {
    return Math.ceil(this.weight / 4);
  }

  get isCoinbase(): boolean {
    const [input] = this.inputs;
    return input !== undefined && this.inputs.length === 1 && isNoOutput(input.previousOutput);
  }

  #strippedBytes(): Uint8Array {
    if (!this.hasWitness) return this.bytes;
    return concatBytes(
      this.bytes.subarray(0, 4),
      this.bytes.subarray(this.#body.start, this.#body.end),
      this.bytes.subarray(this.bytes.length - 4),
    );
  }
}

function isNoOutput(outpoint: Outpoint): boolean {
  return outpoint.vout === noVout && isZeroHash(outpoint.txid);
}

const noWitness: readonly Uint8Array[] = [];

function readInputs(reader: ByteReader): TransactionInput[] {
  const count = reader.readCount(minimumInputLength, "inputs");
  const inputs: TransactionInput[] = [];
  for (let position = 0; position < count; position += 1) {
    const txid = reader.readBytes(32);
    const vout = reader.readUint32();
    const scriptSig = reader.readVariableBytes();
    const sequence = reader.readUint32();
    inputs.push({ previousOutput: { txid, vout }, scriptSig, sequence, witness: noWitness });
  }
  return inputs;
}

function readOutputs(reader: ByteReader): TransactionOutput[] {
  const count = reader.readCount(minimumOutputLength, "outputs");
  const outputs: TransactionOutput[] = [];
  for (let position = 0; position < count; position += 1) {
    const value = reader.readInt64();
    const scriptPubKey = reader.readVariableBytes();
    outputs.push({ value, scriptPubKey });
  }
  return outputs;
}

/** Reads one stack for each input. BIP 144 forbids this form when all of them are empty: one transaction, one serialization. */
function readWitnesses(reader: ByteReader, inputs: readonly TransactionInput[]): TransactionInput[] {
  const start = reader.offset;
  const witnessed = inputs.map((input): TransactionInput => ({ ...input, witness: readWitness(reader) }));
  if (witnessed.every((input) => input.witness.length === 0)) {
    throw reader.malformed("transaction has the witness form without a witness", start);
  }
  return witnessed;
}

function readWitness(reader: ByteReader): readonly Uint8Array[] {
  const count = reader.readCount(1, "witness items");
  const items: Uint8Array[] = [];
  for (let position = 0; position < count; position += 1) items.push(reader.readVariableBytes());
  return items;
}

function writeInputs(writer: ByteWriter, inputs: readonly TransactionInput[]): void {
  writer.writeCompactSize(inputs.length);
  for (const input of inputs) {
    writer.writeBytes(input.previousOutput.txid);
    writer.writeUint32(input.previousOutput.vout);
    writer.writeVariableBytes(input.scriptSig);
    writer.writeUint32(input.sequence);
  }
}

function writeOutputs(writer: ByteWriter, outputs: readonly TransactionOutput[]): void {
  writer.writeCompactSize(outputs.length);
  for (const output of outputs) {
    writer.writeInt64(output.value);
    writer.writeVariableBytes(output.scriptPubKey);
  }
}

function writeWitnesses(writer: ByteWriter, inputs: readonly TransactionInput[]): void {
  for (const input of inputs) {
    writer.writeCompactSize(input.witness.length);
    for (const item of input.witness) writer.writeVariableBytes(item);
  }
}
