import {
  type Block,
  type BlockHash,
  displayHash,
  fromHex,
  type Network,
  parseBlock,
  parseBlockHeader,
  parseTransaction,
  type Transaction,
  type TransactionId,
  wireHash,
} from "@nodewright/bitcoin-primitives";
import type { SpentOutput } from "../chain/connected-block.ts";
import type { BlockFileReader } from "../store/block-files.ts";
import { ByteReader } from "../store/byte-codec.ts";
import type { Environment } from "../store/environment.ts";
import {
  type BlockPosition,
  type BlockRow,
  blockPositions,
  blocks,
  heights,
  histories,
  scriptStatistics,
  spends,
  staleBlocks,
  type StaleTransactionRow,
  staleTransactions,
  type Table,
  tips,
  transactionIds,
  transactions,
  unspentOutputs,
} from "../store/layout.ts";
import { type StoredTransaction, StoredTransactions } from "../store/stored-transactions.ts";
import type {
  BlockPlace,
  BlockRecord,
  ChainQueries,
  HistoryPage,
  IndexedTransaction,
  PreviousOutput,
  ScriptStatistics,
  Spend,
  UnspentOutput,
  UnspentOutputPage,
} from "./chain-queries.ts";
import { TransactionMemory } from "./transaction-memory.ts";

/** What the answers are read from. */
export interface EmbeddedIndex {
  readonly environment: Environment;
  readonly files: BlockFileReader;
}

/** A block that the index knows, and where it stands. */
interface FoundBlock {
  readonly height: number;
  readonly row: BlockRow;
  readonly position: BlockPosition;
  readonly onBestChain: boolean;
}

const blockHashes: Table<[height: number], Uint8Array> = {
  ...blocks,
  encode: () => {
    throw new Error("A hash is not written alone");
  },
  decode: (bytes) => new ByteReader(bytes).bytes(32),
};

const noStatistics: ScriptStatistics = {
  transactions: 0,
  fundedOutputs: 0,
  fundedValue: 0n,
  spentOutputs: 0,
  spentValue: 0n,
};

/**
 * Answers from the embedded store.
 *
 * Every answer is made within one turn of the event loop, and thereby from one snapshot of the tables: no method awaits anything.
 */
export class EmbeddedQueries implements ChainQueries {
  readonly network: Network;
  readonly #openIndex: () => EmbeddedIndex | undefined;
  readonly #memory = new TransactionMemory();

  /** `openIndex` gives the index as soon as there is one. */
  constructor(network: Network, openIndex: () => EmbeddedIndex | undefined) {
    this.network = network;
    this.#openIndex = openIndex;
  }

  async tip(): Promise<BlockRecord | undefined> {
    return this.#snapshot()?.tip();
  }

  async tipHeight(): Promise<number | undefined> {
    return this.#snapshot()?.tipHeight();
  }

  async blockByHeight(height: number): Promise<BlockRecord | undefined> {
    return this.#snapshot()?.blockByHeight(height);
  }

  async blockByHash(hash: BlockHash): Promise<BlockRecord | undefined> {
    return this.#snapshot()?.blockByHash(hash);
  }

  async blocks(fromHeight: number, count: number): Promise<readonly BlockRecord[]> {
    return this.#snapshot()?.blocks(fromHeight, count) ?? [];
  }

  async rawBlock(hash: BlockHash): Promise<Uint8Array | undefined> {
    return this.#snapshot()?.rawBlock(hash);
  }

  async transactionIds(hash: BlockHash): Promise<readonly TransactionId[] | undefined> {
    return this.#snapshot()?.transactionIds(hash);
  }

  async blockTransactions(
    hash: BlockHash,
    start: number,
    count: number,
  ): Promise<readonly IndexedTransaction[] | undefined> {
    return this.#snapshot()?.blockTransactions(hash, start, count);
  }

  async transaction(txid: TransactionId): Promise<IndexedTransaction | undefined> {
    const snapshot = this.#snapshot();
    return snapshot && this.#memory.find(snapshot.state(), txid, () => snapshot.transaction(txid));
  }

  async spends(txid: TransactionId): Promise<readonly (Spend | undefined)[] | undefined> {
    return this.#snapshot()?.spends(txid);
  }

  async scriptStatistics(scriptHash: string): Promise<ScriptStatistics> {
    return this.#snapshot()?.scriptStatistics(scriptHash) ?? noStatistics;
  }

  async scriptHistory(scriptHash: string, page: HistoryPage): Promise<readonly IndexedTransaction[]> {
    return this.#snapshot()?.scriptHistory(scriptHash, page) ?? [];
  }

  async unspentOutputs(scriptHash: string, page: UnspentOutputPage): Promise<readonly UnspentOutput[]> {
    return this.#snapshot()?.unspentOutputs(scriptHash, page) ?? [];
  }

  #snapshot(): Snapshot | undefined {
    const index = this.#openIndex();
    return index === undefined ? undefined : new Snapshot(index);
  }
}

/** The tables as they are now; for use within one turn of the event loop. */
class Snapshot {
  readonly #environment: Environment;
  readonly #files: BlockFileReader;
  readonly #transactions: StoredTransactions;

  constructor({ environment, files }: EmbeddedIndex) {
    this.#environment = environment;
    this.#files = files;
    this.#transactions = new StoredTransactions(environment, files);
  }

  tip(): BlockRecord | undefined {
    return this.blockByHeight(this.tipHeight() ?? -1);
  }

  /**
   * A number that is another after every change of the best chain: the end of the block files, which only grow, and no change
   * comes without a block that was not there before.
   */
  state(): number {
    const end = this.#environment.get(tips)?.blocksEnd;
    return end === undefined ? -1 : end.file * 2 ** 32 + end.offset;
  }

  tipHeight(): number | undefined {
    return this.#environment.get(tips)?.height;
  }

  blockByHeight(height: number): BlockRecord | undefined {
    const row = this.#blockRow(height);
    return row === undefined ? undefined : this.#record(row, height, true);
  }

  blockByHash(hash: BlockHash): BlockRecord | undefined {
    const found = this.#findBlock(hash);
    return found === undefined ? undefined : this.#record(found.row, found.height, found.onBestChain);
  }

  blocks(fromHeight: number, count: number): readonly BlockRecord[] {
    const records: BlockRecord[] = [];
    for (let height = fromHeight; height > fromHeight - count; height -= 1) {
      const record = this.blockByHeight(height);
      if (record === undefined) break;
      records.push(record);
    }
    return records;
  }

  rawBlock(hash: BlockHash): Uint8Array | undefined {
    const found = this.#findBlock(hash);
    return found === undefined ? undefined : this.#files.read(found.position, 0, found.row.size);
  }

  transactionIds(hash: BlockHash): readonly TransactionId[] | undefined {
    const found = this.#findBlock(hash);
    if (found === undefined) return undefined;
    if (!found.onBestChain) return this.#parseBlock(found).transactions.map(({ txid }) => displayHash(txid));
    return this.#idsOfBlock(found.height);
  }

  blockTransactions(hash: BlockHash, start: number, count: number): readonly IndexedTransaction[] | undefined {
    const found = this.#findBlock(hash);
    if (found === undefined) return undefined;
    const end = Math.min(start + count, found.row.transactionCount);
    if (start >= end) return [];
    return found.onBestChain
      ? this.#bestChainTransactions(found, start, end)
      : this.#staleBlockTransactions(found, start, end);
  }

  transaction(text: TransactionId): IndexedTransaction | undefined {
    const txid = wireHash(text);
    if (txid === undefined) return undefined;
    const stored = this.#transactions.find(txid);
    if (stored === undefined) return this.#staleTransaction(txid);
    return indexedTransaction(
      displayHash(txid),
      this.#transactions.parse(stored),
      stored.row.spentOutputs,
      placeOf(stored),
    );
  }

  spends(text: TransactionId): readonly (Spend | undefined)[] | undefined {
    const txid = wireHash(text);
    if (txid === undefined) return undefined;
    const stored = this.#transactions.find(txid);
    if (stored === undefined) return this.#staleTransaction(txid)?.transaction.outputs.map(() => undefined);
    const found: (Spend | undefined)[] = this.#transactions.parse(stored).outputs.map(() => undefined);
    const range = { start: spends.key(stored.number, 0), end: spends.key(stored.number + 1, 0) };
    for (const { key, value } of this.#environment.rows(spends, range)) {
      const { transactionNumber, vin } = spends.decode(value);
      found[new ByteReader(key, 4).uint32()] = { ...this.#identify(transactionNumber), vin };
    }
    return found;
  }

  scriptStatistics(text: string): ScriptStatistics | undefined {
    const scriptHash = scriptHashBytes(text);
    return scriptHash === undefined ? undefined : this.#environment.get(scriptStatistics, scriptHash);
  }

  scriptHistory(text: string, { after, below, limit }: HistoryPage): readonly IndexedTransaction[] {
    const scriptHash = scriptHashBytes(text);
    if (scriptHash === undefined) return [];
    const start = after === undefined ? this.#historyStart(scriptHash, below) : this.#historyCursor(scriptHash, after);
    if (start === undefined) return [];
    const keys = this.#environment.keys(histories, { start, end: keyBehind(histories.key(scriptHash, 0)), limit });
    return keys.map((key) => {
      const stored = this.#transactions.get(newestNumber - new ByteReader(key, key.length - 4).uint32());
      const txid = this.#transactions.txidOf(stored.number, stored.row.height, stored.block);
      return indexedTransaction(txid, this.#transactions.parse(stored), stored.row.spentOutputs, placeOf(stored));
    });
  }

  unspentOutputs(text: string, { after, limit }: UnspentOutputPage): readonly UnspentOutput[] {
    const scriptHash = scriptHashBytes(text);
    if (scriptHash === undefined) return [];
    const start = after === undefined ? unspentOutputs.key(scriptHash, 0, 0) : this.#unspentCursor(scriptHash, after);
    if (start === undefined) return [];
    const end = keyBehind(unspentOutputs.key(scriptHash, newestNumber, newestNumber));
    return this.#environment.rows(unspentOutputs, { start, end, limit }).map(({ key, value }) => {
      const reader = new ByteReader(key, key.length - 8);
      const number = reader.uint32();
      const vout = reader.uint32();
      const { isCoinbase, value: satoshi } = unspentOutputs.decode(value);
      return { ...this.#identify(number), vout, value: satoshi, isCoinbase };
    });
  }

  #blockRow(height: number): BlockRow | undefined {
    return isUint32(height) ? this.#environment.get(blocks, height) : undefined;
  }

  #findBlock(text: BlockHash): FoundBlock | undefined {
    const hash = wireHash(text);
    if (hash === undefined) return undefined;
    const height = this.#environment.get(heights, hash);
    if (height === undefined) {
      const stale = this.#environment.get(staleBlocks, hash);
      return stale === undefined
        ? undefined
        : { height: stale.height, row: stale.block, position: stale.position, onBestChain: false };
    }
    const row = this.#environment.get(blocks, height);
    const position = this.#environment.get(blockPositions, height);
    if (row === undefined || position === undefined) throw new Error(`The index has no block at height ${height}`);
    return { height, row, position, onBestChain: true };
  }

  #record(row: BlockRow, height: number, onBestChain: boolean): BlockRecord {
    const header = parseBlockHeader(row.header);
    const next = onBestChain ? this.#environment.get(blockHashes, height + 1) : undefined;
    return {
      hash: displayHash(row.hash),
      height,
      header,
      transactionCount: row.transactionCount,
      size: row.size,
      strippedSize: row.strippedSize,
      weight: row.strippedSize * 3 + row.size,
      medianTime: row.medianTime,
      chainWork: row.chainWork,
      ...(height === 0 ? {} : { previousHash: displayHash(header.previousHash) }),
      ...(next === undefined ? {} : { nextHash: displayHash(next) }),
      onBestChain,
    };
  }

  #parseBlock({ position, row }: FoundBlock): Block {
    return parseBlock(this.#files.read(position, 0, row.size));
  }

  #idsOfBlock(height: number): readonly TransactionId[] {
    const range = { start: transactionIds.key(height, 0), end: keyBehind(transactionIds.key(height, 0xffff)) };
    const ids: TransactionId[] = [];
    for (const { value } of this.#environment.rows(transactionIds, range)) {
      for (let start = 0; start < value.length; start += 32) ids.push(displayHash(value.subarray(start, start + 32)));
    }
    return ids;
  }

  /** Reads the transactions' bytes at once: they follow each other. */
  #bestChainTransactions(found: FoundBlock, start: number, end: number): readonly IndexedTransaction[] {
    const { firstTransactionNumber } = found.row;
    const range = {
      start: transactions.key(firstTransactionNumber + start),
      end: transactions.key(firstTransactionNumber + end),
    };
    const rows = this.#environment.rows(transactions, range).map(({ value }) => transactions.decode(value));
    const first = rows[0];
    const last = rows.at(-1);
    if (first === undefined || last === undefined) return [];
    const bytes = this.#files.read(found.position, first.offset, last.offset + last.size - first.offset);
    return rows.map((row, index) => {
      const offset = row.offset - first.offset;
      const number = firstTransactionNumber + start + index;
      return indexedTransaction(
        this.#transactions.txidOf(number, found.height, found.row),
        parseTransaction(bytes.subarray(offset, offset + row.size)),
        row.spentOutputs,
        placeOf({ number, row, block: found.row }),
      );
    });
  }

  #staleBlockTransactions(found: FoundBlock, start: number, end: number): readonly IndexedTransaction[] {
    return this.#parseBlock(found)
      .transactions.slice(start, end)
      .map((transaction) => {
        const row = this.#environment.get(staleTransactions, transaction.txid, found.row.hash);
        return indexedTransaction(displayHash(transaction.txid), transaction, row?.spentOutputs ?? []);
      });
  }

  #staleTransaction(txid: Uint8Array): IndexedTransaction | undefined {
    const range = {
      start: staleTransactions.key(txid, new Uint8Array(32)),
      end: keyBehind(staleTransactions.key(txid, new Uint8Array(32).fill(0xff))),
      limit: 1,
    };
    const [found] = this.#environment.rows(staleTransactions, range);
    if (found === undefined) return undefined;
    const row: StaleTransactionRow = staleTransactions.decode(found.value);
    const stale = this.#environment.get(staleBlocks, found.key.subarray(32));
    if (stale === undefined) throw new Error("The index has no block for a stale transaction");
    const transaction = parseTransaction(this.#files.read(stale.position, row.offset, row.size));
    return indexedTransaction(displayHash(txid), transaction, row.spentOutputs);
  }

  /** Names a transaction without reading its bytes. */
  #identify(transactionNumber: number): { readonly txid: TransactionId; readonly block: BlockPlace } {
    const height = this.#transactions.heightOf(transactionNumber);
    const row = this.#environment.get(blocks, height);
    if (row === undefined) throw new Error(`The index has no block at height ${height}`);
    return {
      txid: this.#transactions.txidOf(transactionNumber, height, row),
      block: placeAt(row, height, transactionNumber),
    };
  }

  #historyStart(scriptHash: Uint8Array, below: HistoryPage["below"]): Uint8Array | undefined {
    if (below === undefined) return histories.key(scriptHash, newestNumber);
    const block = this.#blockRow(below.height);
    return block && keyBehind(histories.key(scriptHash, block.firstTransactionNumber + below.position));
  }

  #historyCursor(scriptHash: Uint8Array, after: TransactionId): Uint8Array | undefined {
    const stored = this.#findByText(after);
    if (stored === undefined) return undefined;
    if (!this.#environment.has(histories, scriptHash, stored.number)) return undefined;
    return keyBehind(histories.key(scriptHash, stored.number));
  }

  #unspentCursor(
    scriptHash: Uint8Array,
    after: { readonly txid: TransactionId; readonly vout: number },
  ): Uint8Array | undefined {
    const stored = this.#findByText(after.txid);
    if (stored === undefined || !isUint32(after.vout)) return undefined;
    return keyBehind(unspentOutputs.key(scriptHash, stored.number, after.vout));
  }

  #findByText(text: TransactionId): StoredTransaction | undefined {
    const txid = wireHash(text);
    return txid === undefined ? undefined : this.#transactions.find(txid);
  }
}

/** Largest number of a transaction; above all that exist. */
const newestNumber = 0xffffffff;

function indexedTransaction(
  txid: TransactionId,
  transaction: Transaction,
  spentOutputs: readonly SpentOutput[],
  block?: BlockPlace,
): IndexedTransaction {
  if (transaction.isCoinbase) {
    return { txid, transaction, previousOutputs: [undefined], fee: 0n, ...(block === undefined ? {} : { block }) };
  }
  const spent = spentOutputs.reduce((sum, { value }) => sum + value, 0n);
  const paid = transaction.outputs.reduce((sum, { value }) => sum + value, 0n);
  const previousOutputs = spentOutputs.map(
    ({ value, scriptPubKey, height, isCoinbase }): PreviousOutput => ({ value, scriptPubKey, height, isCoinbase }),
  );
  return { txid, transaction, previousOutputs, fee: spent - paid, ...(block === undefined ? {} : { block }) };
}

function placeOf({ number, row, block }: StoredTransaction): BlockPlace {
  return placeAt(block, row.height, number);
}

function placeAt(block: BlockRow, height: number, transactionNumber: number): BlockPlace {
  return {
    hash: displayHash(block.hash),
    height,
    time: parseBlockHeader(block.header).time,
    medianTime: block.medianTime,
    position: transactionNumber - block.firstTransactionNumber,
  };
}

/** The first key after `key` in byte order. */
function keyBehind(key: Uint8Array): Uint8Array {
  const behind = Buffer.alloc(key.length + 1);
  behind.set(key);
  return behind;
}

function scriptHashBytes(text: string): Uint8Array | undefined {
  return text.length === 64 ? fromHex(text) : undefined;
}

function isUint32(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 0xffffffff;
}
