import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import {
  type BlockRecord,
  type ChainQueries,
  findTransaction,
  type IndexedTransaction,
} from "@nodewright/bitcoin-indexer";
import { toHex } from "@nodewright/bitcoin-primitives";
import { PreparedJson } from "@nodewright/runtime";
import { getTipHeight } from "../chain/best-block.ts";
import type { BitcoinNodeContext } from "../context/context.ts";
import { confirmationsOf } from "../render/block.ts";
import { renderTransactionMembers } from "../render/transaction-text.ts";
import { rpcError } from "../parameters/rpc-error.ts";
import { verbosityOf } from "../parameters/verbosity.ts";

const highestVerbosity = 2;

/** A transaction, with its block where it is in one. */
interface Found {
  readonly transaction: IndexedTransaction;
  readonly record?: BlockRecord;
}

/** Returns a transaction, by its id. */
export const getrawtransaction: BitcoinHandler<"getrawtransaction", BitcoinNodeContext> = async (
  { txid, verbose = 0, blockhash },
  context,
) => {
  const { index } = context;
  const level = verbosityOf(verbose, highestVerbosity);
  const id = txid.toLowerCase();
  if (level === 0 && blockhash === undefined) return await serializedAnywhere(context, id);
  const found = await (blockhash === undefined ? findAnywhere(context, id) : findInBlock(index, id, blockhash));
  if (level === 0) return toHex(found.transaction.transaction.bytes);
  const { record } = found;
  // Bitcoin Core knows the outputs that a transaction spends from the undo data of its block.
  const isDetailed = level === highestVerbosity && record !== undefined;
  const members = renderTransactionMembers(found.transaction, index.network, {
    withFee: isDetailed,
    withPreviousOutputs: isDetailed,
  });
  const isNamed = blockhash === undefined ? "" : `"in_active_chain":${record?.onBestChain ?? false},`;
  return new PreparedJson(`{${isNamed}${members}${await placeOf(index, record)}}`);
};

async function serializedAnywhere(context: BitcoinNodeContext, txid: string): Promise<string> {
  const found = await context.index.rawTransaction(txid);
  if (found?.block !== undefined) refuseFirstCoinbase(found.block.height);
  const bytes = found?.bytes ?? (await findTransaction(context, txid))?.transaction.bytes;
  if (bytes === undefined) throw notFoundAnywhere();
  return toHex(bytes);
}

/** Finds a transaction; that of a stale block alone as well, which Bitcoin Core finds in its index of transactions. */
async function findAnywhere(context: BitcoinNodeContext, txid: string): Promise<Found> {
  const transaction = await findTransaction(context, txid);
  if (transaction === undefined) throw notFoundAnywhere();
  const { block, staleBlock } = transaction;
  if (block !== undefined) refuseFirstCoinbase(block.height);
  const hash = block?.hash ?? staleBlock;
  const record = hash === undefined ? undefined : await context.index.blockByHash(hash);
  return record === undefined ? { transaction } : { transaction, record };
}

function notFoundAnywhere(): Error {
  return rpcError("notFound", "No such mempool or blockchain transaction. Use gettransaction for wallet transactions.");
}

async function findInBlock(index: ChainQueries, txid: string, blockhash: string): Promise<Found> {
  const place = await index.transactionPlace(txid);
  if (place !== undefined) refuseFirstCoinbase(place.height);
  const record = await index.blockByHash(blockhash.toLowerCase());
  if (record === undefined) throw rpcError("notFound", "Block hash not found");
  const ids = (await index.transactionIds(record.hash)) ?? [];
  const position = ids.indexOf(txid);
  const [transaction] = position === -1 ? [] : ((await index.blockTransactions(record.hash, position, 1)) ?? []);
  if (transaction === undefined) {
    throw rpcError(
      "notFound",
      "No such transaction found in the provided block. Use gettransaction for wallet transactions.",
    );
  }
  return { transaction, record };
}

/** Rejects the only transaction of the first block, which Bitcoin Core does not return either. */
function refuseFirstCoinbase(height: number): void {
  if (height > 0) return;
  throw rpcError(
    "notFound",
    "The genesis block coinbase is not considered an ordinary transaction and cannot be retrieved",
  );
}

/** Renders from `blockhash` to `blocktime`, with a comma before it; nothing for a transaction in no block. */
async function placeOf(index: ChainQueries, record: BlockRecord | undefined): Promise<string> {
  if (record === undefined) return "";
  const { hash, header, onBestChain } = record;
  if (!onBestChain) return `,"blockhash":"${hash}","confirmations":0`;
  const confirmations = confirmationsOf(record, await getTipHeight(index));
  return `,"blockhash":"${hash}","confirmations":${confirmations},"time":${header.time},"blocktime":${header.time}`;
}
