// Members stand in Bitcoin Core's order. Nothing that is written here needs an escape in JSON: hex, words of scripts, addresses and
// numbers. A block has millions of such characters, so they are written directly from a transaction's bytes into those of the response.
import type { IndexedTransaction, PreviousOutput } from "@nodewright/bitcoin-indexer";
import {
  compactSizeAt,
  compactSizeLength,
  displayHash,
  type Network,
  partsOfTransaction,
  strippedSizeOf,
  type Transaction,
  type TransactionParts,
  uint32At,
  valueAt,
  isNullOutpoint,
} from "@nodewright/bitcoin-primitives";
import { hundredMillionthsText, JsonBytes, literalOf } from "@nodewright/runtime/node";
import { writeAssembly } from "./assembly-text.ts";
import { writeScriptPubKey } from "./script-text.ts";
import type { TransactionDetail } from "./transaction.ts";

/** Part of a transaction that is written. */
export type WrittenTransaction = Pick<IndexedTransaction, "txid" | "transaction" | "previousOutputs">;

const comma = 0x2c;
const quote = 0x22;
const closingBrace = 0x7d;

const names = {
  txid: literalOf('"txid":"'),
  hash: literalOf('","hash":"'),
  version: literalOf('","version":'),
  size: literalOf(',"size":'),
  virtualSize: literalOf(',"vsize":'),
  weight: literalOf(',"weight":'),
  locktime: literalOf(',"locktime":'),
  inputs: literalOf(',"vin":['),
  outputs: literalOf('],"vout":['),
  outputsEnd: literalOf("]"),
  fee: literalOf(',"fee":'),
  hex: literalOf(',"hex":"'),
  coinbase: literalOf('{"coinbase":"'),
  inputTxid: literalOf('{"txid":"'),
  vout: literalOf('","vout":'),
  scriptSig: literalOf(',"scriptSig":{"asm":"'),
  scriptSigHex: literalOf('","hex":"'),
  scriptSigEnd: literalOf('"}'),
  witness: literalOf(',"txinwitness":["'),
  nextItem: literalOf('","'),
  witnessEnd: literalOf('"]'),
  previousCoinbase: literalOf(',"prevout":{"generated":true,"height":'),
  previousOutput: literalOf(',"prevout":{"generated":false,"height":'),
  previousValue: literalOf(',"value":'),
  scriptPubKey: literalOf(',"scriptPubKey":'),
  sequence: literalOf(',"sequence":'),
  value: literalOf('{"value":'),
  position: literalOf(',"n":'),
} as const;

/** Writer that is empty between two texts, each of which is written without interruption. */
const shared = new JsonBytes();

/** Renders the members of a transaction in its block, from `txid` to `hex`, without the braces around them. */
export function renderTransactionMembers(
  transaction: WrittenTransaction,
  network: Network,
  detail: TransactionDetail,
): string {
  shared.clear();
  const writing = writeTransaction(shared, transaction, network, detail);
  while (writing.next().done !== true);
  return shared.takeText();
}

/** Renders a scriptPubKey like `renderScriptPubKey`. */
export function renderScriptPubKeyText(script: Uint8Array, network: Network): string {
  shared.clear();
  writeScriptPubKey(shared, script, 0, script.length, network);
  return shared.takeText();
}

/** Number of inputs or outputs between two possible pauses. */
const writtenAtOnce = 100;

/**
 * Writes the same as `renderTransactionMembers`. It yields where a large one may pause; a caller that does not pause runs the generator to
 * its end.
 */
export function* writeTransaction(
  out: JsonBytes,
  { txid, transaction, previousOutputs }: WrittenTransaction,
  network: Network,
  { withFee, withPreviousOutputs }: TransactionDetail,
): Generator<void, void, undefined> {
  const { bytes } = transaction;
  const parts = partsOfTransaction(transaction);
  writeFacts(out, txid, transaction, parts);
  out.literal(names.inputs);
  yield* writeInputs(out, bytes, parts, withPreviousOutputs ? previousOutputs : [], network);
  out.literal(names.outputs);
  yield* writeOutputs(out, bytes, parts, network);
  out.literal(names.outputsEnd);
  if (withFee) writeFee(out, transaction, parts, previousOutputs);
  out.literal(names.hex);
  out.hex(bytes, 0, bytes.length);
  out.byte(quote);
}

function writeFacts(out: JsonBytes, txid: string, transaction: Transaction, parts: TransactionParts): void {
  const { bytes } = transaction;
  const weight = 3 * strippedSizeOf(bytes, parts) + bytes.length;
  out.literal(names.txid);
  out.text(txid);
  out.literal(names.hash);
  out.text(parts.hasWitness ? displayHash(transaction.wtxid) : txid);
  out.literal(names.version);
  out.number(uint32At(bytes, 0));
  out.literal(names.size);
  out.number(bytes.length);
  out.literal(names.virtualSize);
  out.number(Math.ceil(weight / 4));
  out.literal(names.weight);
  out.number(weight);
  out.literal(names.locktime);
  out.number(uint32At(bytes, parts.locktime));
}

/** Bytes of an outpoint: txid 32, vout 4; then the scriptSig follows its length. */
const outpointLength = 36;
const sequenceLength = 4;

function* writeInputs(
  out: JsonBytes,
  bytes: Uint8Array,
  { hasWitness, inputs, inputCount, outputsEnd }: TransactionParts,
  previousOutputs: readonly (PreviousOutput | undefined)[],
  network: Network,
): Generator<void, void, undefined> {
  const isCoinbase = inputCount === 1 && isNullOutpoint(bytes, inputs);
  let offset = inputs;
  let witness = outputsEnd;
  for (let position = 0; position < inputCount; position += 1) {
    if (position > 0) out.byte(comma);
    const length = compactSizeAt(bytes, offset + outpointLength);
    const start = offset + outpointLength + compactSizeLength(length);
    const end = start + length;
    if (isCoinbase) {
      out.literal(names.coinbase);
      out.hex(bytes, start, end);
      out.byte(quote);
    } else {
      writeOutpoint(out, bytes, offset);
      writeScriptSig(out, bytes, start, end);
    }
    if (hasWitness) witness = writeWitness(out, bytes, witness);
    const spent = previousOutputs[position];
    if (spent !== undefined && !isCoinbase) writePreviousOutput(out, spent, network);
    out.literal(names.sequence);
    out.number(uint32At(bytes, end));
    out.byte(closingBrace);
    offset = end + sequenceLength;
    if (position % writtenAtOnce === writtenAtOnce - 1) yield;
  }
}

function writeOutpoint(out: JsonBytes, bytes: Uint8Array, offset: number): void {
  out.literal(names.inputTxid);
  out.displayHash(bytes, offset);
  out.literal(names.vout);
  out.number(uint32At(bytes, offset + 32));
}

function writeScriptSig(out: JsonBytes, bytes: Uint8Array, start: number, end: number): void {
  out.literal(names.scriptSig);
  writeAssembly(out, bytes, start, end, true);
  out.literal(names.scriptSigHex);
  out.hex(bytes, start, end);
  out.literal(names.scriptSigEnd);
}

/** Writes a witness and returns where the next one begins. */
function writeWitness(out: JsonBytes, bytes: Uint8Array, start: number): number {
  const items = compactSizeAt(bytes, start);
  let offset = start + compactSizeLength(items);
  if (items === 0) return offset;
  out.literal(names.witness);
  for (let item = 0; item < items; item += 1) {
    if (item > 0) out.literal(names.nextItem);
    const length = compactSizeAt(bytes, offset);
    offset += compactSizeLength(length);
    out.hex(bytes, offset, offset + length);
    offset += length;
  }
  out.literal(names.witnessEnd);
  return offset;
}

function writePreviousOutput(
  out: JsonBytes,
  { isCoinbase, height, value, scriptPubKey }: PreviousOutput,
  network: Network,
): void {
  out.literal(isCoinbase ? names.previousCoinbase : names.previousOutput);
  out.number(height);
  out.literal(names.previousValue);
  out.hundredMillionths(Number(value));
  out.literal(names.scriptPubKey);
  writeScriptPubKey(out, scriptPubKey, 0, scriptPubKey.length, network);
  out.byte(closingBrace);
}

const valueLength = 8;

function* writeOutputs(
  out: JsonBytes,
  bytes: Uint8Array,
  { outputs, outputCount }: TransactionParts,
  network: Network,
): Generator<void, void, undefined> {
  let offset = outputs;
  for (let position = 0; position < outputCount; position += 1) {
    if (position > 0) out.byte(comma);
    const length = compactSizeAt(bytes, offset + valueLength);
    const start = offset + valueLength + compactSizeLength(length);
    out.literal(names.value);
    writeValue(out, bytes, offset);
    out.literal(names.position);
    out.number(position);
    out.literal(names.scriptPubKey);
    writeScriptPubKey(out, bytes, start, start + length, network);
    out.byte(closingBrace);
    offset = start + length;
    if (position % writtenAtOnce === writtenAtOnce - 1) yield;
  }
}

function writeValue(out: JsonBytes, bytes: Uint8Array, offset: number): void {
  const value = valueAt(bytes, offset);
  if (Number.isSafeInteger(value)) out.hundredMillionths(value);
  else
    out.text(hundredMillionthsText(Buffer.from(bytes.buffer, bytes.byteOffset + offset, valueLength).readBigInt64LE()));
}

/** Writes the fee; nothing for a coinbase, and where a spent output is unknown. */
function writeFee(
  out: JsonBytes,
  { isCoinbase }: Transaction,
  { inputCount, outputValue }: TransactionParts,
  previousOutputs: readonly (PreviousOutput | undefined)[],
): void {
  if (isCoinbase) return;
  let fee = -outputValue;
  for (let position = 0; position < inputCount; position += 1) {
    const spent = previousOutputs[position];
    if (spent === undefined) return;
    fee += Number(spent.value);
  }
  out.literal(names.fee);
  out.hundredMillionths(fee);
}
