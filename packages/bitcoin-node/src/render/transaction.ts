import type {
  BlockTransaction,
  DecodedTransaction,
  Input,
  Output,
  PreviousOutput as RenderedPreviousOutput,
} from "@nodewright/bitcoin-api/types";
import type { IndexedTransaction, PreviousOutput } from "@nodewright/bitcoin-indexer";
import {
  displayHash,
  type Network,
  type Transaction,
  type TransactionInput,
  type TransactionOutput,
  toHex,
} from "@nodewright/bitcoin-primitives";
import { renderScriptPubKey, renderScriptSig } from "./script.ts";

/** Details of a transaction to render. */
export interface TransactionDetail {
  readonly withFee: boolean;
  readonly withPreviousOutputs: boolean;
}

/** Renders a transaction by itself, with Bitcoin Core's members, in its order. */
export function renderTransaction(transaction: Transaction, network: Network): DecodedTransaction {
  return { ...transactionFacts(transaction), ...inputsAndOutputs(transaction, network, []) };
}

/** Renders a transaction in its block. */
export function renderIndexedTransaction(
  { transaction, previousOutputs }: Pick<IndexedTransaction, "transaction" | "previousOutputs">,
  network: Network,
  detail: TransactionDetail,
): BlockTransaction {
  const fee = detail.withFee ? feeOf(transaction, previousOutputs) : undefined;
  return {
    ...transactionFacts(transaction),
    ...inputsAndOutputs(transaction, network, detail.withPreviousOutputs ? previousOutputs : []),
    ...(fee === undefined ? {} : { fee }),
    hex: toHex(transaction.bytes),
  };
}

/** Returns the fee in satoshi; `undefined` for a coinbase, and where a spent output is unknown. */
function feeOf(transaction: Transaction, previousOutputs: IndexedTransaction["previousOutputs"]): bigint | undefined {
  if (transaction.isCoinbase) return undefined;
  let fee = 0n;
  for (const position of transaction.inputs.keys()) {
    const spent = previousOutputs[position];
    if (spent === undefined) return undefined;
    fee += spent.value;
  }
  return transaction.outputs.reduce((rest, output) => rest - output.value, fee);
}

/** Returns the members of a transaction other than its inputs and outputs. */
export function transactionFacts(transaction: Transaction): Omit<DecodedTransaction, "vin" | "vout"> {
  return {
    txid: displayHash(transaction.txid),
    hash: displayHash(transaction.wtxid),
    version: transaction.version >>> 0,
    size: transaction.size,
    vsize: transaction.virtualSize,
    weight: transaction.weight,
    locktime: transaction.locktime,
  };
}

function inputsAndOutputs(
  transaction: Transaction,
  network: Network,
  previousOutputs: IndexedTransaction["previousOutputs"],
): Pick<DecodedTransaction, "vin" | "vout"> {
  const { isCoinbase } = transaction;
  return {
    vin: transaction.inputs.map((input, position) =>
      isCoinbase ? coinbaseInput(input) : spendingInput(input, previousOutputs[position], network),
    ),
    vout: transaction.outputs.map((output, position) => renderOutput(output, position, network)),
  };
}

export function coinbaseInput(input: TransactionInput): Input {
  return { coinbase: toHex(input.scriptSig), ...witnessOf(input), sequence: input.sequence };
}

/** Renders an input. `spent`: the output that it spends, where it is to be shown. */
export function spendingInput(input: TransactionInput, spent: PreviousOutput | undefined, network: Network): Input {
  return {
    txid: displayHash(input.previousOutput.txid),
    vout: input.previousOutput.vout,
    scriptSig: renderScriptSig(input.scriptSig),
    ...witnessOf(input),
    ...(spent === undefined ? {} : { prevout: renderPreviousOutput(spent, network) }),
    sequence: input.sequence,
  };
}

function witnessOf({ witness }: TransactionInput): { readonly txinwitness?: string[] } {
  return witness.length === 0 ? {} : { txinwitness: witness.map(toHex) };
}

function renderPreviousOutput(spent: PreviousOutput, network: Network): RenderedPreviousOutput {
  return {
    generated: spent.isCoinbase,
    height: spent.height,
    value: spent.value,
    scriptPubKey: renderScriptPubKey(spent.scriptPubKey, network),
  };
}

export function renderOutput(output: TransactionOutput, n: number, network: Network): Output {
  return { value: output.value, n, scriptPubKey: renderScriptPubKey(output.scriptPubKey, network) };
}
