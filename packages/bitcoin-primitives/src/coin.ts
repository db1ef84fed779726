import { ByteWriter } from "./byte-writer.ts";
import type { TransactionIdBytes } from "./hash.ts";

/** A spendable output, with the facts from its block. */
export interface Coin {
  readonly txid: TransactionIdBytes;
  readonly vout: number;
  /** Height of the block that created the output. */
  readonly height: number;
  readonly isCoinbase: boolean;
  /** Satoshi. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
}

/** Returns a coin in Bitcoin Core's serialization for the hashes over all coins: outpoint, height and kind, amount, script. */
export function serializeCoin({ txid, vout, height, isCoinbase, value, scriptPubKey }: Coin): Uint8Array {
  const writer = new ByteWriter(64 + scriptPubKey.length);
  writer.writeBytes(txid);
  writer.writeUint32(vout);
  writer.writeUint32(height * 2 + (isCoinbase ? 1 : 0));
  writer.writeInt64(value);
  writer.writeVariableBytes(scriptPubKey);
  return writer.finish();
}

/** Returns a coin's share of Bitcoin Core's `bogosize`, a size of the set that is independent of any database. */
export function bogoSizeOf(scriptPubKey: Uint8Array): number {
  // Txid, vout, height and kind, amount, length of the script.
  return 32 + 4 + 4 + 8 + 2 + scriptPubKey.length;
}
