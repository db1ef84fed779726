import type { BlockRecord, ChainQueries } from "@nodewright/bitcoin-indexer";
import { addressOfScript, renderEsploraAsm, toHex } from "@nodewright/bitcoin-primitives";
import type { BlockExtras, ExtendedBlock } from "@nodewright/index-api/types";
import { blockNotFound } from "../response/refusal.ts";
import { blockMembers } from "../render/block.ts";

/** Maximum blocks of a page, mempool.space's number. */
export const extendedPageSize = 15;

/** Returns a block with mempool.space's additions. Throws `not_found` for one that is no longer in the index. */
export async function extendBlock(index: ChainQueries, record: BlockRecord): Promise<ExtendedBlock> {
  return { ...blockMembers(record), extras: await readExtras(index, record) };
}

async function readExtras(index: ChainQueries, record: BlockRecord): Promise<BlockExtras> {
  const [coinbase] = (await index.blockTransactions(record.hash, 0, 1)) ?? [];
  if (coinbase === undefined) throw blockNotFound();
  const { inputs, outputs } = coinbase.transaction;
  const addresses = outputs.map(({ scriptPubKey }) => addressOfScript(scriptPubKey, index.network));
  return {
    medianTimestamp: record.medianTime,
    reward: Number(outputs.reduce((sum, { value }) => sum + value, 0n)),
    coinbaseRaw: toHex(inputs[0]?.scriptSig ?? new Uint8Array()),
    coinbaseAddress: addresses[0] ?? null,
    coinbaseAddresses: [...new Set(addresses.filter((address) => address !== undefined))],
    coinbaseSignature: renderEsploraAsm(outputs[0]?.scriptPubKey ?? new Uint8Array()),
    virtualSize: record.weight / 4,
    header: toHex(record.header.bytes),
  };
}
