// Members stand in the order in which Esplora writes them: an answer is the same byte for byte. Nothing that is written here
// needs an escape in JSON: hex, words of scripts, addresses and numbers.
import type { IndexedTransaction, PreviousOutput } from "@nodewright/bitcoin-indexer";
import {
  displayHash,
  isZeroHash,
  lastPushOf,
  type Network,
  type Outpoint,
  renderEsploraAsm,
  scriptHashOf,
  scriptType,
  toHex,
  type TransactionInput as ParsedInput,
  type TransactionOutput as ParsedOutput,
} from "@nodewright/bitcoin-primitives";
import type { Transaction } from "@nodewright/index-api/types";
import { PreparedJson } from "@nodewright/runtime";
import { scriptPubKeyText } from "./script-text.ts";
import { statusText } from "./transaction-status.ts";

/** A transaction with the outputs that it spends, as `/tx/{txid}` shows it. */
export function renderTransaction(indexed: IndexedTransaction, network: Network): PreparedJson<Transaction> {
  return new PreparedJson(transactionText(indexed, network));
}

/** Several, as histories and blocks show them. */
export function renderTransactions(
  list: readonly IndexedTransaction[],
  network: Network,
): PreparedJson<readonly Transaction[]> {
  let text = "[";
  for (const indexed of list) text += (text === "[" ? "" : ",") + transactionText(indexed, network);
  // Bytes are written to a connection as they are, while a text would be gone through again.
  return new PreparedJson(Buffer.from(`${text}]`, "latin1"));
}

function transactionText(indexed: IndexedTransaction, network: Network): string {
  const { txid, transaction, previousOutputs, fee, block } = indexed;
  let inputs = "";
  for (const [position, input] of transaction.inputs.entries()) {
    inputs += (position === 0 ? "" : ",") + inputText(input, previousOutputs[position], network);
  }
  let outputs = "";
  for (const [position, output] of transaction.outputs.entries()) {
    outputs += (position === 0 ? "" : ",") + outputText(output, network);
  }
  return `{"txid":"${txid}","version":${transaction.version >>> 0},"locktime":${transaction.locktime},"vin":[${inputs}],"vout":[${outputs}],"size":${transaction.size},"weight":${transaction.weight},"fee":${Number(fee)},"status":${statusText(block)}}`;
}

function inputText(input: ParsedInput, spent: PreviousOutput | undefined, network: Network): string {
  const { previousOutput, scriptSig, witness, sequence } = input;
  const hex = toHex(scriptSig);
  return `{"txid":"${displayHash(previousOutput.txid)}","vout":${previousOutput.vout},"prevout":${
    spent === undefined ? "null" : outputText(spent, network)
  },"scriptsig":"${hex}","scriptsig_asm":"${renderEsploraAsm(scriptSig, hex)}"${
    witness.length === 0 ? "" : `,"witness":["${witness.map(toHex).join('","')}"]`
  },"is_coinbase":${isNoOutput(previousOutput)},"sequence":${sequence}${
    spent === undefined ? "" : innerScriptsText(input, spent.scriptPubKey)
  }}`;
}

/** The outpoint of a coinbase's input names no output. */
function isNoOutput({ txid, vout }: Outpoint): boolean {
  return vout === 0xffffffff && isZeroHash(txid);
}

function outputText({ scriptPubKey, value }: ParsedOutput, network: Network): string {
  return `{${scriptPubKeyText(scriptPubKey, network)},"value":${Number(value)}}`;
}

/**
 * The scripts that a spent output pays only the hash of: BIP 16's last push, BIP 141's last witness item, or one in the other. Each
 * with a comma before it.
 */
function innerScriptsText({ scriptSig, witness }: ParsedInput, scriptPubKey: Uint8Array): string {
  const redeemScript = scriptHashOf(scriptPubKey) === undefined ? undefined : lastPushOf(scriptSig);
  const witnessScript = [scriptPubKey, redeemScript].some(paysWitnessScript) ? witness.at(-1) : undefined;
  return (
    (redeemScript === undefined ? "" : `,"inner_redeemscript_asm":"${renderEsploraAsm(redeemScript)}"`) +
    (witnessScript === undefined ? "" : `,"inner_witnessscript_asm":"${renderEsploraAsm(witnessScript)}"`)
  );
}

/** Only one of 34 bytes does. */
function paysWitnessScript(script: Uint8Array | undefined): boolean {
  return script?.length === 34 && scriptType(script).esplora === "v0_p2wsh";
}
