// Members stand in the order in which Esplora writes them: an answer is the same byte for byte.
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
import type { Transaction, TransactionInput, TransactionOutput } from "@nodewright/index-api/types";
import { findAddress } from "./script-address.ts";
import { renderStatus } from "./transaction-status.ts";

/** A transaction with the outputs that it spends, as `/tx/{txid}` and all histories show it. */
export function renderTransaction(indexed: IndexedTransaction, network: Network): Transaction {
  const { transaction, previousOutputs } = indexed;
  return {
    txid: indexed.txid,
    version: transaction.version >>> 0,
    locktime: transaction.locktime,
    vin: transaction.inputs.map((input, position) => renderInput(input, previousOutputs[position], network)),
    vout: transaction.outputs.map((output) => renderOutput(output, network)),
    size: transaction.size,
    weight: transaction.weight,
    fee: Number(indexed.fee),
    status: renderStatus(indexed.block),
  };
}

function renderInput(input: ParsedInput, spent: PreviousOutput | undefined, network: Network): TransactionInput {
  const { previousOutput, scriptSig, witness } = input;
  return {
    txid: displayHash(previousOutput.txid),
    vout: previousOutput.vout,
    prevout: spent === undefined ? null : renderOutput(spent, network),
    scriptsig: toHex(scriptSig),
    scriptsig_asm: renderEsploraAsm(scriptSig),
    ...(witness.length === 0 ? {} : { witness: witness.map(toHex) }),
    is_coinbase: isNoOutput(previousOutput),
    sequence: input.sequence,
    ...(spent === undefined ? {} : renderInnerScripts(input, spent.scriptPubKey)),
  };
}

/** The outpoint of a coinbase's input names no output. */
function isNoOutput({ txid, vout }: Outpoint): boolean {
  return vout === 0xffffffff && isZeroHash(txid);
}

function renderOutput({ scriptPubKey, value }: ParsedOutput, network: Network): TransactionOutput {
  const hex = toHex(scriptPubKey);
  const address = findAddress(scriptPubKey, hex, network);
  return {
    scriptpubkey: hex,
    scriptpubkey_asm: renderEsploraAsm(scriptPubKey),
    scriptpubkey_type: scriptType(scriptPubKey).esplora,
    ...(address === undefined ? {} : { scriptpubkey_address: address }),
    value: Number(value),
  };
}

type InnerScripts = Pick<TransactionInput, "inner_redeemscript_asm" | "inner_witnessscript_asm">;

/** The scripts that a spent output pays only the hash of: BIP 16's last push, BIP 141's last witness item, or one in the other. */
function renderInnerScripts({ scriptSig, witness }: ParsedInput, scriptPubKey: Uint8Array): InnerScripts {
  const redeemScript = scriptHashOf(scriptPubKey) === undefined ? undefined : lastPushOf(scriptSig);
  const isWitnessScriptHash = [scriptPubKey, redeemScript].some(
    (script) => script !== undefined && scriptType(script).esplora === "v0_p2wsh",
  );
  const witnessScript = isWitnessScriptHash ? witness.at(-1) : undefined;
  return {
    ...(redeemScript === undefined ? {} : { inner_redeemscript_asm: renderEsploraAsm(redeemScript) }),
    ...(witnessScript === undefined ? {} : { inner_witnessscript_asm: renderEsploraAsm(witnessScript) }),
  };
}
