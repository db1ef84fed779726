import type { FoundTransaction } from "@nodewright/bitcoin-api/types";
import type { IndexedTransaction } from "@nodewright/bitcoin-indexer";
import { addressOfScript, type Network } from "@nodewright/bitcoin-primitives";
import { renderIndexedTransaction } from "../render/transaction.ts";

/** Details of a found transaction. */
export interface FoundDetail {
  readonly network: Network;
  readonly tipHeight: number;
  /** Whether inputs include the outputs that they spend. */
  readonly withPreviousOutputs: boolean;
  /** Addresses whose inputs and outputs are included; all are included when there are none. */
  readonly addresses: ReadonlySet<string>;
}

/** Renders a transaction with the parts that involve the addresses, and its place in the chain. */
export function renderFoundTransaction(found: IndexedTransaction, detail: FoundDetail): FoundTransaction {
  const { network, tipHeight } = detail;
  const { size, vsize, weight, vin, vout, ...rest } = renderIndexedTransaction(found, network, {
    withFee: false,
    withPreviousOutputs: false,
  });
  const { block } = found;
  return {
    hex: rest.hex,
    txid: rest.txid,
    hash: rest.hash,
    size: String(size),
    vsize: String(vsize),
    weight: String(weight),
    version: rest.version,
    locktime: rest.locktime,
    vin: foundInputs(vin, found, detail),
    vout: vout.filter(({ scriptPubKey }) => isWanted(detail, scriptPubKey.address)),
    ...(block === undefined
      ? {}
      : {
          blockhash: block.hash,
          confirmations: Math.max(tipHeight - block.height + 1, 1),
          time: block.time,
          blocktime: block.time,
        }),
  };
}

function foundInputs(
  inputs: FoundTransaction["vin"],
  { previousOutputs }: IndexedTransaction,
  detail: FoundDetail,
): FoundTransaction["vin"] {
  return inputs.flatMap((input, position) => {
    const spent = previousOutputs[position];
    const address = spent && addressOfScript(spent.scriptPubKey, detail.network);
    if (!isWanted(detail, address)) return [];
    if (spent === undefined || "coinbase" in input || !detail.withPreviousOutputs) return [input];
    const { sequence, ...first } = input;
    const addresses = address === undefined ? {} : { addresses: [address] };
    return [{ ...first, prevOut: { ...addresses, value: spent.value }, sequence }];
  });
}

function isWanted({ addresses }: FoundDetail, address: string | undefined): boolean {
  return addresses.size === 0 || (address !== undefined && addresses.has(address));
}
