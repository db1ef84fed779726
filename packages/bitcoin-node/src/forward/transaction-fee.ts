import { maximumBatch, type OutputName } from "@nodewright/bitcoin-indexer";
import { displayHash, type Transaction } from "@nodewright/bitcoin-primitives";
import type { BitcoinNodeContext } from "../context/context.ts";
import { getNode } from "./call-node.ts";
import { findAmount, isRecord } from "./node-response.ts";

/** Returns the fee of a transaction, in satoshi; `undefined` when neither the index nor the node knows all outputs that it spends. */
export async function findFee(
  { inputs, outputs }: Transaction,
  context: BitcoinNodeContext,
): Promise<bigint | undefined> {
  const names = inputs.map(({ previousOutput: { txid, vout } }) => ({ txid: displayHash(txid), vout }));
  let fee = 0n;
  for (let start = 0; start < names.length; start += maximumBatch) {
    for (const value of await findValues(names.slice(start, start + maximumBatch), context)) {
      if (value === undefined) return undefined;
      fee += value;
    }
  }
  return outputs.reduce((rest, { value }) => rest - value, fee);
}

/** Returns the values of confirmed outputs from the index, of unconfirmed ones from the node. */
async function findValues(
  names: readonly OutputName[],
  context: BitcoinNodeContext,
): Promise<readonly (bigint | undefined)[]> {
  const confirmed = (await context.index.outputs(names)).map((output) => output?.value);
  const unknown = names.filter((_name, position) => confirmed[position] === undefined);
  if (unknown.length === 0) return confirmed;
  const found = await getNode(context, "sendrawtransaction").batch(
    unknown.map(({ txid, vout }) => ({ method: "gettxout", params: [txid, vout, true] })),
  );
  const unconfirmed = found.map((response) =>
    response.ok && isRecord(response.result) ? findAmount(response.result["value"]) : undefined,
  );
  let next = 0;
  return confirmed.map((value) => value ?? unconfirmed[next++]);
}
