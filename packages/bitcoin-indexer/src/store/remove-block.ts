import type { ConnectedBlock, SpentOutput } from "../chain/connected-block.ts";
import { isUnspendable } from "../chain/unspendable.ts";
import type { Environment } from "./environment.ts";
import {
  type BlockPosition,
  blockPositions,
  blocks,
  heights,
  histories,
  spends,
  staleBlocks,
  staleTransactions,
  transactionIds,
  transactionIdsPerRow,
  transactionNumbers,
  transactions,
  unspentOutputs,
} from "./layout.ts";
import type { ScriptHasher, StoredScriptHash } from "./script-hasher.ts";
import type { StatisticsChanges } from "./statistics-changes.ts";

/**
 * Takes the tip's rows out of the best chain's tables and puts the block into the tables of stale blocks.
 *
 * The exact inverse of `RowBatch`: afterwards the best chain's tables are as if the block had never been there.
 */
export function removeBlock(
  environment: Environment,
  connected: ConnectedBlock,
  hasher: ScriptHasher,
  statistics: StatisticsChanges,
): void {
  keepAsStale(environment, connected);
  const { block, height, firstTransactionNumber } = connected;
  // From the last transaction to the first: one may spend the outputs of another before it.
  for (let position = block.transactions.length - 1; position >= 0; position -= 1) {
    removeScripts(environment, connected, position, hasher, statistics);
    environment.remove(transactions, firstTransactionNumber + position);
    removeTransactionNumber(environment, connected, position);
  }
  const idRows = Math.ceil(block.transactions.length / transactionIdsPerRow);
  for (let row = 0; row < idRows; row += 1) environment.remove(transactionIds, height, row);
  environment.remove(heights, block.header.hash);
  environment.remove(blocks, height);
  environment.remove(blockPositions, height);
}

function keepAsStale(environment: Environment, { block, height, spentOutputs }: ConnectedBlock): void {
  const row = environment.get(blocks, height);
  const position: BlockPosition | undefined = environment.get(blockPositions, height);
  if (row === undefined || position === undefined) throw new Error(`No block at height ${height} to remove`);
  environment.put(staleBlocks, [row.hash], { height, position, block: row });
  for (const [index, transaction] of block.transactions.entries()) {
    environment.put(staleTransactions, [transaction.txid, row.hash], {
      position: index,
      offset: transaction.bytes.byteOffset - block.bytes.byteOffset,
      size: transaction.size,
      spentOutputs: spentOutputs[index] ?? [],
    });
  }
}

/** Takes a block out of the stale ones, because it is on the best chain again. */
export function forgetStaleBlock(environment: Environment, { block }: ConnectedBlock): void {
  const { hash } = block.header;
  environment.remove(staleBlocks, hash);
  for (const { txid } of block.transactions) environment.remove(staleTransactions, txid, hash);
}

function removeScripts(
  environment: Environment,
  { block, firstTransactionNumber, spentOutputs }: ConnectedBlock,
  position: number,
  hasher: ScriptHasher,
  statistics: StatisticsChanges,
): void {
  const transaction = block.transactions[position];
  if (transaction === undefined) return;
  const number = firstTransactionNumber + position;
  const touched = new Map<string, StoredScriptHash>();
  for (const [vin, output] of (spentOutputs[position] ?? []).entries()) {
    const vout = transaction.inputs[vin]?.previousOutput.vout ?? 0;
    const scriptHash = hasher.hash(output.scriptPubKey);
    touched.set(scriptHash.text, scriptHash);
    statistics.spend(scriptHash, output.value, -1);
    environment.remove(spends, output.transactionNumber, vout);
    restoreOutput(environment, scriptHash, vout, output);
  }
  for (const [vout, { value, scriptPubKey }] of transaction.outputs.entries()) {
    if (isUnspendable(scriptPubKey)) continue;
    const scriptHash = hasher.hash(scriptPubKey);
    touched.set(scriptHash.text, scriptHash);
    statistics.fund(scriptHash, value, -1);
    environment.remove(unspentOutputs, scriptHash.bytes, number, vout);
  }
  for (const scriptHash of touched.values()) {
    statistics.countTransaction(scriptHash, -1);
    environment.remove(histories, scriptHash.bytes, number);
  }
}

function restoreOutput(
  environment: Environment,
  scriptHash: StoredScriptHash,
  vout: number,
  output: SpentOutput,
): void {
  environment.put(unspentOutputs, [scriptHash.bytes, output.transactionNumber, vout], output);
}

function removeTransactionNumber(
  environment: Environment,
  { block, firstTransactionNumber }: ConnectedBlock,
  position: number,
): void {
  const txid = block.transactions[position]?.txid;
  if (txid === undefined) return;
  const numbers = environment.get(transactionNumbers, txid) ?? [];
  const others = numbers.filter((number) => number !== firstTransactionNumber + position);
  if (others.length > 0) environment.put(transactionNumbers, [txid], others);
  else environment.remove(transactionNumbers, txid);
}
