import type { Environment } from "../store/environment.ts";
import { replacedOutputs, scriptPrefixLength } from "../store/layout.ts";
import { recordColumn } from "./unspent-arena.ts";

/** An output of a transaction that another one with the same txid replaces, as it is stored in memory. */
export interface ReplacedRecord {
  /** Words that contain its transaction's txid: eight words from `txid` on. */
  readonly txids: Uint32Array;
  readonly txid: number;
  readonly transactionNumber: number;
  readonly vout: number;
  /** Words that contain its record in an arena. */
  readonly records: Uint32Array;
  readonly record: number;
}

/** Writes the row of `replaced-outputs` of an output. */
export function putReplacedOutput(environment: Environment, replaced: ReplacedRecord): void {
  const { txids, txid, transactionNumber, vout, records, record } = replaced;
  const scriptHash = Buffer.alloc(scriptPrefixLength);
  for (let word = 0; word < 4; word += 1) {
    scriptHash.writeUInt32BE(records[record + recordColumn.hash + word] ?? 0, word * 4);
  }
  const high = BigInt(records[record + recordColumn.valueHigh] ?? 0);
  const value = (high << 32n) | BigInt(records[record + recordColumn.valueLow] ?? 0);
  const id = Uint8Array.from(Buffer.from(txids.buffer, txids.byteOffset + txid * 4, 32));
  environment.put(replacedOutputs, [scriptHash, transactionNumber, vout], { txid: id, value });
}
