import type { BitcoinHandler } from "@nodewright/bitcoin-api/server";
import type { Block, BlockWithTransactions } from "@nodewright/bitcoin-api/types";
import type { BlockRecord, ChainQueries, IndexedTransaction } from "@nodewright/bitcoin-indexer";
import { toHex } from "@nodewright/bitcoin-primitives";
import { getBlockRecord, getTip } from "../best-block.ts";
import type { BitcoinNodeContext } from "../context.ts";
import { renderBlockHeader, renderBlockSizes, renderCoinbaseTransaction } from "../render/block.ts";
import { renderIndexedTransaction } from "../render/transaction.ts";
import { rpcError } from "../rpc-error.ts";
import { verbosityOf } from "../verbosity.ts";

const highestVerbosity = 3;

/** A block, by its hash. */
export const getblock: BitcoinHandler<"getblock", BitcoinNodeContext> = async (
  { blockhash, verbosity = 1, verbosetx = false },
  { index },
) => {
  // The older form is a pair of booleans: verbose, and with transactions.
  const level = verbosity === true && verbosetx ? 2 : verbosityOf(verbosity, highestVerbosity);
  const record = await getBlockRecord(index, blockhash);
  if (level === 0) return toHex(await found(index.rawBlock(record.hash)));
  if (level === 1) return await blockWithIds(index, record);
  return await blockWithTransactions(index, record, level === highestVerbosity);
};

async function blockWithIds(index: ChainQueries, record: BlockRecord): Promise<Block> {
  const tip = await getTip(index);
  const ids = await found(index.transactionIds(record.hash));
  const coinbase = await found(index.blockTransactions(record.hash, 0, 1));
  return {
    ...renderBlockHeader(record, tip.height),
    ...renderBlockSizes(record),
    coinbase_tx: coinbaseOf(coinbase),
    tx: [...ids],
  };
}

async function blockWithTransactions(
  index: ChainQueries,
  record: BlockRecord,
  withPreviousOutputs: boolean,
): Promise<BlockWithTransactions> {
  const tip = await getTip(index);
  const transactions = await found(index.blockTransactions(record.hash, 0, record.transactionCount));
  return {
    ...renderBlockHeader(record, tip.height),
    ...renderBlockSizes(record),
    coinbase_tx: coinbaseOf(transactions),
    tx: transactions.map((transaction) =>
      renderIndexedTransaction(transaction, index.network, { withFee: true, withPreviousOutputs }),
    ),
  };
}

function coinbaseOf([coinbase]: readonly IndexedTransaction[]): Block["coinbase_tx"] {
  if (coinbase === undefined) throw new Error("A block without transactions is not indexed");
  return renderCoinbaseTransaction(coinbase.transaction);
}

/** A part of a block whose record was there a moment ago; a stale block may have been dropped since. */
async function found<Part>(part: Promise<Part | undefined>): Promise<Part> {
  const value = await part;
  if (value === undefined) throw rpcError("notFound", "Block not found");
  return value;
}
