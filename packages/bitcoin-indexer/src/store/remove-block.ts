import type { Network } from "@nodewright/bitcoin-primitives";
import type { ConnectedBlock } from "../chain/connected-block.ts";
import { isUnspendable } from "../chain/unspendable.ts";
import { checksumOf } from "./checksum.ts";
import type { Environment } from "./environment.ts";
import {
  blockPositions,
  blocks,
  blockStarts,
  blockStartsPerRow,
  heights,
  spends,
  staleBlocks,
  staleTransactions,
  transactionIds,
  transactionIdsPerRow,
  transactionNumbers,
  transactions,
  unspentOutputs,
} from "./layout.ts";
import { ScriptChanges } from "./script-changes.ts";
import type { ScriptHasher, StoredScriptHash } from "./script-hasher.ts";

/**
 * Removes the tip's rows from the best chain's tables and adds the block to the tables of stale blocks.
 *
 * The exact inverse of `RowBatch`: afterwards the best chain's tables are as if the block had never been there. `addressesOf` is the
 * network whose addresses are kept, where they are.
 */
export function removeBlock(
  environment: Environment,
  connected: ConnectedBlock,
  hasher: ScriptHasher,
  addressesOf: Network | undefined,
): void {
  keepAsStale(environment, connected);
  const { block, height, firstTransactionNumber } = connected;
  const scripts = new ScriptChanges();
  for (const position of block.transactions.keys()) removeScripts(environment, connected, position, hasher, scripts);
  scripts.write(environment, false, addressesOf);
  removeSpends(environment, connected);
  for (const [position, { txid }] of block.transactions.entries()) {
    environment.remove(transactions, firstTransactionNumber + position);
    removeTransactionNumber(environment, txid, firstTransactionNumber + position);
  }
  cutTransactionIds(environment, connected);
  cutBlockStarts(environment, height);
  environment.remove(heights, block.header.hash);
  environment.remove(blocks, height);
  environment.remove(blockPositions, height);
}

function keepAsStale(environment: Environment, { block, height, spentOutputs }: ConnectedBlock): void {
  const row = environment.get(blocks, height);
  const position = environment.get(blockPositions, height);
  if (row === undefined || position === undefined) throw environment.damaged(`there is no block at height ${height}`);
  environment.put(staleBlocks, [row.hash], { height, position, block: row });
  for (const [index, transaction] of block.transactions.entries()) {
    environment.put(staleTransactions, [transaction.txid, row.hash], {
      position: index,
      offset: transaction.bytes.byteOffset - block.bytes.byteOffset,
      size: transaction.size,
      checksum: checksumOf(transaction.bytes),
      spentOutputs: spentOutputs[index] ?? [],
    });
  }
}

/** Removes a block from the stale ones, because it is on the best chain again. */
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
  scripts: ScriptChanges,
): void {
  const transaction = block.transactions[position];
  if (transaction === undefined) return;
  const touched = new Map<string, StoredScriptHash>();
  for (const [vin, output] of (spentOutputs[position] ?? []).entries()) {
    const { transactionNumber, value, scriptPubKey } = output;
    const { txid, vout } = transaction.inputs[vin]?.previousOutput ?? noOutpoint;
    const scriptHash = hasher.hash(scriptPubKey);
    touched.set(scriptHash.text, scriptHash);
    scripts.spend(scriptHash, scriptPubKey, value, -1);
    // Outputs created by the block are removed with it.
    if (transactionNumber < firstTransactionNumber) {
      environment.put(unspentOutputs, [scriptHash.bytes, transactionNumber, vout], { txid, value });
    }
  }
  for (const [vout, { value, scriptPubKey }] of transaction.outputs.entries()) {
    if (isUnspendable(scriptPubKey)) continue;
    const scriptHash = hasher.hash(scriptPubKey);
    touched.set(scriptHash.text, scriptHash);
    scripts.fund(scriptHash, scriptPubKey, value, -1);
    environment.remove(unspentOutputs, scriptHash.bytes, firstTransactionNumber + position, vout);
  }
  for (const scriptHash of touched.values()) scripts.removeTransaction(scriptHash);
}

const noOutpoint = { txid: new Uint8Array(32), vout: 0 };

/** Removes the block's spends, which are stored with others of the same funding transactions. */
function removeSpends(environment: Environment, { firstTransactionNumber, spentOutputs }: ConnectedBlock): void {
  const fundingNumbers = new Set(spentOutputs.flat().map(({ transactionNumber }) => transactionNumber));
  for (const fundingNumber of fundingNumbers) {
    const rows = environment.get(spends, fundingNumber) ?? [];
    const others = rows.filter(({ transactionNumber }) => transactionNumber < firstTransactionNumber);
    if (others.length > 0) environment.put(spends, [fundingNumber], others);
    else environment.remove(spends, fundingNumber);
  }
}

function removeTransactionNumber(environment: Environment, txid: Uint8Array, number: number): void {
  const others = (environment.get(transactionNumbers, txid) ?? []).filter((other) => other !== number);
  if (others.length > 0) environment.put(transactionNumbers, [txid], others);
  else environment.remove(transactionNumbers, txid);
}

function cutTransactionIds(environment: Environment, { block, firstTransactionNumber }: ConnectedBlock): void {
  const end = firstTransactionNumber + block.transactions.length;
  const part = firstTransactionNumber % transactionIdsPerRow;
  const firstRow = (firstTransactionNumber - part) / transactionIdsPerRow;
  const left = part === 0 ? undefined : environment.get(transactionIds, firstRow)?.subarray(0, part * 32);
  for (let row = firstRow; row * transactionIdsPerRow < end; row += 1) environment.remove(transactionIds, row);
  if (left !== undefined) environment.put(transactionIds, [firstRow], left);
}

function cutBlockStarts(environment: Environment, height: number): void {
  const part = height % blockStartsPerRow;
  const row = (height - part) / blockStartsPerRow;
  if (part === 0) environment.remove(blockStarts, row);
  else environment.put(blockStarts, [row], (environment.get(blockStarts, row) ?? []).slice(0, part));
}
