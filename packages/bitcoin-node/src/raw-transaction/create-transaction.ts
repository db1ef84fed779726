import type { CreaterawtransactionInput } from "@nodewright/bitcoin-api/types";
import {
  concatBytes,
  fromHex,
  type Network,
  opcodes,
  pushOf,
  type TransactionContent,
  type TransactionInput,
  type TransactionOutput,
  toHex,
  wireHash,
} from "@nodewright/bitcoin-primitives";
import { hexProblem, truncate } from "../parameters/parameter-problems.ts";
import { readAddress } from "../parameters/read-address.ts";
import { rpcError } from "../parameters/rpc-error.ts";
import { readAmount } from "./amount.ts";

/** One requested output. */
type OutputEntry = readonly [name: string, value: bigint | string];

const defaultVersion = 2;
/** No lock, not replaceable. */
const finalSequence = 0xffffffff;
/** Highest sequence that enables the locktime. */
const lockingSequence = finalSequence - 1;
/** Highest sequence that signals that the transaction may be replaced (BIP 125). */
const replaceableSequence = finalSequence - 2;

/** Creates the transaction of createrawtransaction's parameters, without signatures. Throws in Bitcoin Core's dialect. */
export function createTransaction(parameters: CreaterawtransactionInput, network: Network): TransactionContent {
  const { version = defaultVersion, locktime = 0, replaceable } = parameters;
  const inputs = createInputs(parameters);
  const outputs = createOutputs(outputEntries(parameters.outputs), network);
  const signals = inputs.some(({ sequence }) => sequence <= replaceableSequence);
  if (replaceable === true && inputs.length > 0 && !signals) {
    const message = "Invalid parameter combination: Sequence number(s) contradict replaceable option";
    throw rpcError("invalidParameter", message);
  }
  return { version, inputs, outputs, locktime };
}

function createInputs({
  inputs,
  locktime = 0,
  replaceable = true,
}: CreaterawtransactionInput): readonly TransactionInput[] {
  const lastSequence = locktime === 0 ? finalSequence : lockingSequence;
  const defaultSequence = replaceable ? replaceableSequence : lastSequence;
  return inputs.map(({ txid, vout, sequence }) => ({
    previousOutput: { txid: wireHash(txid) ?? new Uint8Array(), vout },
    scriptSig: new Uint8Array(),
    sequence: sequence ?? defaultSequence,
    witness: [],
  }));
}

/** Returns the members of the one object, or of each object of the list, which has one. */
function outputEntries(outputs: CreaterawtransactionInput["outputs"]): readonly OutputEntry[] {
  if (!isList(outputs)) return Object.entries(outputs);
  return outputs.flatMap((output) => {
    const entries = Object.entries(output);
    if (entries.length !== 1) {
      throw rpcError("invalidParameter", "Invalid parameter, key-value pair must contain exactly one key");
    }
    return entries;
  });
}

function isList(
  outputs: CreaterawtransactionInput["outputs"],
): outputs is Extract<CreaterawtransactionInput["outputs"], readonly unknown[]> {
  return Array.isArray(outputs);
}

function createOutputs(entries: readonly OutputEntry[], network: Network): readonly TransactionOutput[] {
  const names = new Set<string>();
  const scripts = new Set<string>();
  let hasData = false;
  return entries.map(([name, value]) => {
    if (name === "data") {
      if (hasData) throw rpcError("invalidParameter", "Invalid parameter, duplicate key: data");
      hasData = true;
      return dataOutput(value);
    }
    // Checked before its amount: Bitcoin Core reads that of the first output with the name.
    if (names.has(name)) throw duplicatedAddress(name);
    names.add(name);
    const amount = readAmount(value, "outputs");
    const reading = readAddress(name, network);
    if (reading.kind === "problem") {
      throw rpcError("invalidAddress", `Invalid Bitcoin address: ${truncate(name)}`);
    }
    const script = toHex(reading.scriptPubKey);
    if (scripts.has(script)) throw duplicatedAddress(name);
    scripts.add(script);
    return { value: amount, scriptPubKey: reading.scriptPubKey };
  });
}

function duplicatedAddress(name: string) {
  return rpcError("invalidParameter", `Invalid parameter, duplicated address: ${truncate(name)}`);
}

function dataOutput(value: bigint | string): TransactionOutput {
  const data = typeof value === "string" && value !== "" ? fromHex(value) : undefined;
  if (data === undefined) throw hexProblem("Data", typeof value === "string" ? value : "a number");
  return { value: 0n, scriptPubKey: concatBytes(Uint8Array.of(opcodes.OP_RETURN), pushOf(data)) };
}
