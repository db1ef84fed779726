/**
 * BIP 30: a coinbase with the txid of an earlier one, possible before BIP 34, replaces the earlier one's unspent outputs. Bitcoin Core's
 * set of unspent outputs contains only the later one. On mainnet blocks 91842 and 91880 did so.
 */
import { equalBytes, hashScript } from "@nodewright/bitcoin-primitives";
import { isUnspendable } from "../chain/unspendable.ts";
import { ByteReader } from "./byte-codec.ts";
import type { Environment, TableReads } from "./environment.ts";
import { nextKey } from "./find-history-row.ts";
import {
  maximumTransactionNumber,
  replacedOutputs,
  scriptPrefixLength,
  spends,
  transactionNumbers,
  unspentOutputs,
  unspentValue,
} from "./layout.ts";
import type { StoredTransactions } from "./stored-transactions.ts";

/**
 * Moves unspent outputs of transactions below `end` from `unspent-outputs` to `replaced-outputs`, where a later one has their txid. `key`
 * begins as the txid does. `stored` must know all transactions below `end`.
 */
export function replaceOutputs(
  environment: Environment,
  stored: StoredTransactions,
  key: Uint8Array,
  end: number,
): void {
  const numbers = environment.get(transactionNumbers, key) ?? [];
  const txids = numbers.map((number) => stored.txidOf(number));
  for (const [index, number] of numbers.entries()) {
    const txid = txids[index];
    if (txid === undefined || number >= end) continue;
    if (!txids.slice(index + 1).some((later) => equalBytes(later, txid))) continue;
    const spent = new Set(environment.get(spends, number)?.map(({ vout }) => vout));
    for (const [vout, { value, scriptPubKey }] of stored.parse(number, stored.placeOf(number)).outputs.entries()) {
      if (spent.has(vout) || isUnspendable(scriptPubKey)) continue;
      const scriptHash = hashScript(scriptPubKey);
      environment.remove(unspentOutputs, scriptHash, number, vout);
      environment.put(replacedOutputs, [scriptHash, number, vout], { txid, value });
    }
  }
}

/** Moves the outputs back that a transaction with this txid had replaced, once it has left the best chain. */
export function restoreOutputs(environment: Environment, stored: StoredTransactions, txid: Uint8Array): void {
  const number = stored.find(txid);
  if (number === undefined) return;
  for (const [vout, { scriptPubKey }] of stored.parse(number, stored.placeOf(number)).outputs.entries()) {
    const key: Parameters<typeof replacedOutputs.key> = [hashScript(scriptPubKey), number, vout];
    const row = environment.get(replacedOutputs, ...key);
    if (row === undefined) continue;
    environment.remove(replacedOutputs, ...key);
    environment.put(unspentOutputs, key, row);
  }
}

/** Outputs of a script that later transactions have replaced. */
export interface ReplacedOfScript {
  readonly outputs: number;
  /** Satoshi. */
  readonly value: bigint;
  readonly transactionNumbers: ReadonlySet<number>;
}

/** Reads the replaced outputs; `undefined` for a script without any: all except a few. */
export function readReplaced(reads: TableReads, scriptHash: Uint8Array): ReplacedOfScript | undefined {
  const start = replacedOutputs.key(scriptHash, 0, 0);
  const end = nextKey(replacedOutputs.key(scriptHash, maximumTransactionNumber, 0xffffff));
  const rows = reads.rows(replacedOutputs, { start, end });
  if (rows.length === 0) return undefined;
  return {
    outputs: rows.length,
    value: rows.reduce((sum, { value }) => sum + unspentValue(value), 0n),
    transactionNumbers: new Set(rows.map(({ key }) => new ByteReader(key, scriptPrefixLength).uint32())),
  };
}
