import type { DecodedTransaction, Input, Output, ScriptPubKey } from "@nodewright/bitcoin-api/types";
import {
  type Network,
  renderCoreAsmInSteps,
  scriptType,
  toHex,
  type Transaction,
  type TransactionInput,
  type TransactionOutput,
} from "@nodewright/bitcoin-primitives";
import { encodeBitcoinAmount, PreparedJson } from "@nodewright/runtime";
import { runInTimeSlices, isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { descriptorChecksumInSteps } from "../descriptor/descriptor-checksum.ts";
import { coinbaseInput, renderOutput, spendingInput, transactionFacts } from "./transaction.ts";

/** Length in bytes above which scripts are rendered in time slices. Consensus: none of them can be spent, or be inside a hash. */
const maximumUnslicedLength = 10_000;

/** Size in bytes above which transactions are rendered in time slices. */
const maximumUnslicedSize = 50_000;

const none = new Uint8Array(0);

export function isLongScript(script: Uint8Array): boolean {
  return script.length > maximumUnslicedLength;
}

export function isLargeTransaction({ size }: Transaction): boolean {
  return size > maximumUnslicedSize;
}

/** Renders like `renderScriptPubKey`: no script of this length has an address, or is of a kind that has a descriptor of its own. */
export async function renderLongScript(script: Uint8Array): Promise<ScriptPubKey> {
  const asm = await runInTimeSlices(renderCoreAsmInSteps(script));
  const hex = toHex(script);
  const descriptor = `raw(${hex})`;
  const checksum = await runInTimeSlices(descriptorChecksumInSteps(descriptor));
  return { asm, desc: `${descriptor}#${checksum}`, hex, type: scriptType(script).core };
}

/** Renders like `renderTransaction`, with other work in between. */
export async function renderLargeTransaction(
  transaction: Transaction,
  network: Network,
): Promise<PreparedJson<DecodedTransaction>> {
  const pieces = [`${JSON.stringify(transactionFacts(transaction)).slice(0, -1)},"vin":[`];
  for (const [position, input] of transaction.inputs.entries()) {
    pieces.push(position === 0 ? "" : ",", textOf(await renderInput(input, transaction.isCoinbase, network)));
    if (isTimeSliceUsedUp()) await nextTimeSlice();
  }
  pieces.push('],"vout":[');
  for (const [n, output] of transaction.outputs.entries()) {
    pieces.push(n === 0 ? "" : ",", textOf(await renderAnyOutput(output, n, network)));
    if (isTimeSliceUsedUp()) await nextTimeSlice();
  }
  pieces.push("]}");
  return new PreparedJson<DecodedTransaction>(pieces);
}

async function renderInput(input: TransactionInput, isCoinbase: boolean, network: Network): Promise<Input> {
  if (isCoinbase) return coinbaseInput(input);
  const { scriptSig } = input;
  if (!isLongScript(scriptSig)) return spendingInput(input, undefined, network);
  // As Bitcoin Core, which marks no signatures in a script that is too long to be spent.
  const asm = await runInTimeSlices(renderCoreAsmInSteps(scriptSig));
  return {
    ...spendingInput({ ...input, scriptSig: none }, undefined, network),
    scriptSig: { asm, hex: toHex(scriptSig) },
  };
}

async function renderAnyOutput(output: TransactionOutput, n: number, network: Network): Promise<Output> {
  const { scriptPubKey } = output;
  if (!isLongScript(scriptPubKey)) return renderOutput(output, n, network);
  const short = renderOutput({ ...output, scriptPubKey: none }, n, network);
  return { ...short, scriptPubKey: await renderLongScript(scriptPubKey) };
}

/** Serializes an input or output. The only bigints of a transaction are amounts. */
function textOf(value: Input | Output): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === "bigint" ? encodeBitcoinAmount(member) : member,
  );
}
