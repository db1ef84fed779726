import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import {
  createMerkleBlock,
  serializeMerkleBlock,
  toHex,
  type TransactionIdBytes,
  wireHash,
} from "@nodewright/bitcoin-primitives";
import { getBlockRecord } from "../best-block.ts";
import type { BitcoinNodeContext } from "../context.ts";
import { rpcError } from "../rpc-error.ts";

/** A proof that transactions are in a block. */
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
  const ids = (await index.transactionIds(record.hash)) ?? [];
  const positions = new Set([...ids.keys()].filter((position) => wanted.has(ids[position] ?? "")));
  if (positions.size !== wanted.size) {
    throw rpcError("notFound", "Not all transactions found in specified or retrieved block");
  }
  return toHex(serializeMerkleBlock(createMerkleBlock(record.header, ids.map(idBytes), positions)));
};

/** The block of the first of the transactions that is in one. */
async function blockOfAny(index: ChainQueries, txids: ReadonlySet<string>): Promise<BlockRecord> {
  for (const txid of txids) {
    const block = (await index.transaction(txid))?.block;
    if (block !== undefined) return await getBlockRecord(index, block.hash);
  }
  throw rpcError("notFound", "Transaction not yet in block");
}

function idBytes(txid: string): TransactionIdBytes {
  const bytes = wireHash(txid);
  if (bytes === undefined) throw new Error(`The index has ${txid} for a transaction id`);
  return bytes;
}
