import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { TransactionInChain } from "@nodewright/bitcoin-api/types";
import type { BlockRecord, ChainQueries, IndexedTransaction } from "@nodewright/bitcoin-indexer";
import { toHex } from "@nodewright/bitcoin-primitives";
import { getTip } from "../best-block.ts";
import type { BitcoinNodeContext } from "../context.ts";
import { confirmationsOf } from "../render/block.ts";
import { renderIndexedTransaction } from "../render/transaction.ts";
import { rpcError } from "../rpc-error.ts";
import { verbosityOf } from "../verbosity.ts";

const highestVerbosity = 2;

/** A transaction, with its block where it is in one. */
interface Found {
  readonly transaction: IndexedTransaction;
  readonly record?: BlockRecord;
}

/** A transaction, by its id. */
export const getrawtransaction: BitcoinHandler<"getrawtransaction", BitcoinNodeContext> = async (
  { txid, verbose = 0, blockhash },
  { index },
) => {
  const level = verbosityOf(verbose, highestVerbosity);
  const id = txid.toLowerCase();
  const found = await (blockhash === undefined ? findAnywhere(index, id) : findInBlock(index, id, blockhash));
  if (level === 0) return toHex(found.transaction.transaction.bytes);
  const detailed = level === highestVerbosity;
  return {
    ...(blockhash === undefined ? {} : { in_active_chain: found.record?.onBestChain ?? false }),
    ...renderIndexedTransaction(found.transaction, index.network, {
      withFee: detailed,
      withPreviousOutputs: detailed,
    }),
    ...(await placeOf(index, found.record)),
  };
};

async function findAnywhere(index: ChainQueries, txid: string): Promise<Found> {
  const transaction = await index.transaction(txid);
  if (transaction === undefined) {
    throw rpcError(
      "notFound",
      "No such mempool or blockchain transaction. Use gettransaction for wallet transactions.",
    );
  }
  const { block } = transaction;
  if (block === undefined) return { transaction };
  refuseFirstCoinbase(block.height);
  const record = await index.blockByHash(block.hash);
  return record === undefined ? { transaction } : { transaction, record };
}

async function findInBlock(index: ChainQueries, txid: string, blockhash: string): Promise<Found> {
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
  refuseFirstCoinbase(record.height);
  return { transaction, record };
}

/** Bitcoin Core does not count the only transaction of the first block among those that can be asked for. */
function refuseFirstCoinbase(height: number): void {
  if (height > 0) return;
  throw rpcError(
    "notFound",
    "The genesis block coinbase is not considered an ordinary transaction and cannot be retrieved",
  );
}

type Place = Pick<TransactionInChain, "blockhash" | "confirmations" | "time" | "blocktime">;

async function placeOf(index: ChainQueries, record: BlockRecord | undefined): Promise<Place> {
  if (record === undefined) return {};
  if (!record.onBestChain) return { blockhash: record.hash, confirmations: 0 };
  const { height } = await getTip(index);
  const { time } = record.header;
  return { blockhash: record.hash, confirmations: confirmationsOf(record, height), time, blocktime: time };
}
