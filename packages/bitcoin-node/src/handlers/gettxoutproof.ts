import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import {
  createMerkleBlock,
  hashLength,
  serializeMerkleBlock,
  toHex,
  type TransactionIdBytes,
  wireHash,
} from "@nodewright/bitcoin-primitives";
import { isTimeSliceUsedUp, nextTimeSlice } from "@nodewright/runtime/node";
import { getBlockRecord } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { rpcError } from "../parameters/rpc-error.ts";

/** Returns a proof that transactions are in a block. */
export const gettxoutproof: BitcoinHandler<"gettxoutproof", BitcoinNodeContext> = async (
  { txids, blockhash },
  { index },
) => {
  const wanted = new Set<string>();
  for (const txid of txids) {
    if (wanted.has(txid.toLowerCase())) {
      throw rpcError("invalidParameter", `Invalid parameter, duplicated txid: ${txid}`);
    }
    wanted.add(txid.toLowerCase());
  }
  const record = await (blockhash === undefined ? blockOfAny(index, wanted) : getBlockRecord(index, blockhash));
  const bytes = (await index.transactionIdBytes(record.hash)) ?? new Uint8Array();
  // Each of many concurrent requests iterates over all transactions of a block, and waits for nothing from here on.
  while (isTimeSliceUsedUp()) await nextTimeSlice();
  const ids = hashesOf(bytes);
  const keys = new Set([...wanted].map((txid) => keyOf(wireHash(txid) ?? new Uint8Array())));
  const positions = new Set([...ids.keys()].filter((position) => keys.has(keyOf(ids[position] ?? new Uint8Array()))));
  if (positions.size !== wanted.size) {
    throw rpcError("notFound", "Not all transactions found in specified or retrieved block");
  }
  return toHex(serializeMerkleBlock(createMerkleBlock(record.header, ids, positions)));
};

/** Returns the block of the first of the transactions that is in one. The first block is found by its hash alone, as in Bitcoin Core. */
async function blockOfAny(index: ChainQueries, txids: ReadonlySet<string>): Promise<BlockRecord> {
  for (const txid of txids) {
    const block = (await index.transaction(txid))?.block;
    if (block !== undefined && block.height > 0) return await getBlockRecord(index, block.hash);
  }
  throw rpcError("notFound", "Transaction not yet in block");
}

function hashesOf(bytes: Uint8Array): TransactionIdBytes[] {
  return Array.from({ length: bytes.length / hashLength }, (_, position) =>
    bytes.subarray(position * hashLength, (position + 1) * hashLength),
  );
}

/** Returns bytes as a key of a set. */
function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
