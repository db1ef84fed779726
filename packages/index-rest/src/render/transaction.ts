// Members stand in the order in which Esplora writes them: a response is the same byte for byte. Nothing that is written here needs an
// escape in JSON: hex, words of scripts, addresses and numbers. A page has a hundred thousand of such characters, so they are written
// directly from a transaction's bytes into those of the response, without objects or strings in between.
import type {
  IndexedTransaction,
  PreviousOutput,
  WriteTransaction,
  WrittenTransaction,
} from "@nodewright/bitcoin-indexer";
import {
  compactSizeAt,
  compactSizeLength,
  lastPushOf,
  type Network,
  partsOfTransaction,
  scriptHashOf,
  strippedSizeOf,
  type TransactionParts,
  uint32At,
  valueAt,
  isNullOutpoint,
} from "@nodewright/bitcoin-primitives";
import type { Transaction } from "@nodewright/index-api/types";
import { PreparedJson } from "@nodewright/runtime";
import { writeAssembly } from "./assembly.ts";
import { JsonBytes, type Literal, literalOf } from "@nodewright/runtime/node";
import { writeScriptMembers } from "./script-text.ts";
import { writeStatus } from "./transaction-status.ts";

/** Writer that is empty between two responses, each of which is written without interruption. */
const shared = new JsonBytes();

/** Renders a transaction with the outputs that it spends, as in `/tx/{txid}`. */
export function renderTransaction(indexed: IndexedTransaction, network: Network): PreparedJson<Transaction> {
  return new PreparedJson(() => {
    shared.clear();
    writeTransaction(shared, indexed, network);
    return shared.takeText();
  });
}

/** Renders several transactions, as in histories and blocks; some may be serialized already. */
export function renderTransactions(
  list: readonly (IndexedTransaction | WrittenTransaction)[],
  network: Network,
): PreparedJson<readonly Transaction[]> {
  return new PreparedJson(() => {
    shared.clear();
    shared.byte(openingBracket);
    for (const [position, one] of list.entries()) {
      if (position > 0) shared.byte(comma);
      if ("bytes" in one) shared.bytes(one.bytes);
      else writeTransaction(shared, one, network);
    }
    shared.byte(closingBracket);
    return shared.takePooled();
  });
}

/** Returns the serializer of transactions for histories; one and the same for each network. */
export function transactionWriter(network: Network): WriteTransaction {
  const known = writers.get(network);
  if (known !== undefined) return known;
  const writer: WriteTransaction = (indexed) => {
    shared.clear();
    writeTransaction(shared, indexed, network);
    return shared.takeView();
  };
  writers.set(network, writer);
  return writer;
}

const writers = new WeakMap<Network, WriteTransaction>();

const openingBracket = 0x5b;
const closingBracket = 0x5d;
const closingBrace = 0x7d;
const comma = 0x2c;
const quote = 0x22;

const names = {
  txid: literalOf('{"txid":"'),
  version: literalOf('","version":'),
  locktime: literalOf(',"locktime":'),
  inputs: literalOf(',"vin":['),
  outputs: literalOf('],"vout":['),
  size: literalOf('],"size":'),
  weight: literalOf(',"weight":'),
  fee: literalOf(',"fee":'),
  status: literalOf(',"status":'),
  vout: literalOf('","vout":'),
  previousOutput: literalOf(',"prevout":'),
  noOutput: literalOf("null"),
  scriptSig: literalOf(',"scriptsig":"'),
  scriptSigAssembly: literalOf('","scriptsig_asm":"'),
  noScriptSig: literalOf(',"scriptsig":"","scriptsig_asm":"'),
  witness: literalOf('","witness":["'),
  nextItem: literalOf('","'),
  witnessEnd: literalOf('"]'),
  noCoinbase: literalOf(',"is_coinbase":false,"sequence":'),
  coinbase: literalOf(',"is_coinbase":true,"sequence":'),
  redeemScript: literalOf(',"inner_redeemscript_asm":"'),
  witnessScript: literalOf(',"inner_witnessscript_asm":"'),
} as const;

function writeTransaction(out: JsonBytes, indexed: IndexedTransaction, network: Network): void {
  const { txid, transaction, previousOutputs, fee, block } = indexed;
  const { bytes } = transaction;
  const parts = partsOfTransaction(transaction);
  out.literal(names.txid);
  out.text(txid);
  out.literal(names.version);
  out.number(uint32At(bytes, 0));
  out.literal(names.locktime);
  out.number(uint32At(bytes, parts.locktime));
  out.literal(names.inputs);
  writeInputs(out, bytes, parts, previousOutputs, network);
  out.literal(names.outputs);
  writeOutputs(out, bytes, parts, network);
  out.literal(names.size);
  out.number(bytes.length);
  out.literal(names.weight);
  out.number(3 * strippedSizeOf(bytes, parts) + bytes.length);
  out.literal(names.fee);
  out.number(Number(fee));
  out.literal(names.status);
  writeStatus(out, block);
  out.byte(closingBrace);
}

/** Bytes of an outpoint: txid 32, vout 4; then the scriptSig follows its length. */
const outpointLength = 36;
const sequenceLength = 4;

function writeInputs(
  out: JsonBytes,
  bytes: Uint8Array,
  { hasWitness, inputs, inputCount, outputsEnd }: TransactionParts,
  previousOutputs: IndexedTransaction["previousOutputs"],
  network: Network,
): void {
  let offset = inputs;
  let witness = outputsEnd;
  for (let position = 0; position < inputCount; position += 1) {
    if (position > 0) out.byte(comma);
    const spent = previousOutputs[position];
    writeOutpoint(out, bytes, offset, spent, network);
    const scriptLength = compactSizeAt(bytes, offset + outpointLength);
    const scriptStart = offset + outpointLength + compactSizeLength(scriptLength);
    const scriptEnd = scriptStart + scriptLength;
    writeScriptSig(out, bytes, scriptStart, scriptEnd);
    const witnessStart = witness;
    if (hasWitness) witness = writeWitness(out, bytes, witnessStart);
    else out.byte(quote);
    out.literal(isNullOutpoint(bytes, offset) ? names.coinbase : names.noCoinbase);
    out.number(uint32At(bytes, scriptEnd));
    if (spent !== undefined && mayPayHash(spent.scriptPubKey)) {
      const lastItem = hasWitness ? lastItemOf(bytes, witnessStart) : undefined;
      writeInnerScripts(out, bytes.subarray(scriptStart, scriptEnd), lastItem, spent.scriptPubKey);
    }
    out.byte(closingBrace);
    offset = scriptEnd + sequenceLength;
  }
}

function writeOutpoint(
  out: JsonBytes,
  bytes: Uint8Array,
  offset: number,
  spent: PreviousOutput | undefined,
  network: Network,
): void {
  out.literal(names.txid);
  out.displayHash(bytes, offset);
  out.literal(names.vout);
  out.number(uint32At(bytes, offset + 32));
  out.literal(names.previousOutput);
  if (spent === undefined) {
    out.literal(names.noOutput);
    return;
  }
  const { scriptPubKey, value } = spent;
  writeScriptMembers(out, scriptPubKey, 0, scriptPubKey.length, network);
  out.number(Number(value));
  out.byte(closingBrace);
}

/** Writes a scriptSig without the quote that ends its assembly. */
function writeScriptSig(out: JsonBytes, bytes: Uint8Array, start: number, end: number): void {
  if (start === end) {
    out.literal(names.noScriptSig);
    return;
  }
  out.literal(names.scriptSig);
  out.hex(bytes, start, end);
  out.literal(names.scriptSigAssembly);
  writeAssembly(out, bytes, start, end);
}

/** Writes from the quote that ends the scriptSig on. Returns where the next input's witness begins. */
function writeWitness(out: JsonBytes, bytes: Uint8Array, start: number): number {
  const items = compactSizeAt(bytes, start);
  let offset = start + compactSizeLength(items);
  if (items === 0) {
    out.byte(quote);
    return offset;
  }
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

/** Returns the last item of the witness at `start`; `undefined` where it has none. */
function lastItemOf(bytes: Uint8Array, start: number): Uint8Array | undefined {
  const items = compactSizeAt(bytes, start);
  let offset = start + compactSizeLength(items);
  let last: Uint8Array | undefined;
  for (let item = 0; item < items; item += 1) {
    const length = compactSizeAt(bytes, offset);
    offset += compactSizeLength(length);
    if (item === items - 1) last = bytes.subarray(offset, offset + length);
    offset += length;
  }
  return last;
}

/** Returns whether a script has a length with which it may pay the hash of a script. */
function mayPayHash({ length }: Uint8Array): boolean {
  return length === 23 || length === 34;
}

/**
 * Writes the scripts of which a spent output pays only the hash: BIP 16's last push, BIP 141's last witness item, or one in the other. Each
 * with a comma before it.
 */
function writeInnerScripts(
  out: JsonBytes,
  scriptSig: Uint8Array,
  lastItem: Uint8Array | undefined,
  scriptPubKey: Uint8Array,
): void {
  const redeemScript = scriptHashOf(scriptPubKey) === undefined ? undefined : lastPushOf(scriptSig);
  if (redeemScript !== undefined) writeInnerScript(out, names.redeemScript, redeemScript);
  const paysWitness = paysWitnessScript(scriptPubKey) || paysWitnessScript(redeemScript);
  if (paysWitness && lastItem !== undefined) writeInnerScript(out, names.witnessScript, lastItem);
}

function writeInnerScript(out: JsonBytes, name: Literal, script: Uint8Array): void {
  out.literal(name);
  writeAssembly(out, script, 0, script.length);
  out.byte(quote);
}

/** Returns whether a script is BIP 141, version 0: OP_0 and the 32 bytes of a script's hash. */
function paysWitnessScript(script: Uint8Array | undefined): boolean {
  return script !== undefined && script.length === 34 && script[0] === 0 && script[1] === 32;
}

const valueLength = 8;

function writeOutputs(
  out: JsonBytes,
  bytes: Uint8Array,
  { outputs, outputCount }: TransactionParts,
  network: Network,
): void {
  let offset = outputs;
  for (let position = 0; position < outputCount; position += 1) {
    if (position > 0) out.byte(comma);
    const length = compactSizeAt(bytes, offset + valueLength);
    const start = offset + valueLength + compactSizeLength(length);
    writeScriptMembers(out, bytes, start, start + length, network);
    out.number(valueAt(bytes, offset));
    out.byte(closingBrace);
    offset = start + length;
  }
}
