/**
 * Every table of the embedded index, with its reason. A change of any of them raises `layoutVersion`.
 *
 * Integers in keys are big-endian and of fixed width, so that byte order is number order. Hashes are in wire order. Transactions
 * of the best chain have numbers: 0 for the genesis coinbase, then upward in chain order; a number is 4 bytes where a txid is 32.
 * What grows with a chain or with a script is cut into rows of a fixed count, never by when it was written: rows are a pure function
 * of the best chain, and no row grows without a bound that the block size sets.
 */
import type { ScriptStatistics } from "../query/chain-queries.ts";
import { ByteReader, ByteWriter, uint32Key } from "./byte-codec.ts";
import { readScript, readSpentScript, writeScript, writeSpentScript } from "./script-codec.ts";
import { readScriptSums, writeScriptSums } from "./script-sums-codec.ts";

/** Of the tables, the block files and the directory together. */
export const layoutVersion = 3;

/** Bytes of a txid that its key keeps. Different txids may share them, so every reader compares the whole txid. */
export const txidPrefixLength = 8;

/** Bytes of a script hash that a key keeps: enough that nobody can make two scripts that share them. */
export const scriptPrefixLength = 16;

/** Txids in one row, so that two rows fill a page of 4,096 bytes instead of each taking overflow pages. */
export const transactionIdsPerRow = 63;

/** Blocks of one row of `blockStarts`: two rows fill a page. */
export const blockStartsPerRow = 500;

/** Transactions of one row of a script's history: a page of an answer is in one or two rows. */
export const historyPerRow = 128;

/** Above all numbers that transactions may have. */
export const maximumTransactionNumber = 0xffffffff;

/** Numbers from here on name files of the node, smaller ones the index's own. */
export const firstSourceFile = 0x80000000;

/** A table: how its keys and values are spelled in bytes. */
export interface Table<Key extends readonly unknown[], Value> {
  readonly name: string;
  readonly key: (...parts: Key) => Buffer;
  /** `key` is that of the row: what it says is not said again in the value. */
  readonly encode: (value: Value, ...key: Key) => Buffer;
  /** Copies what it keeps. */
  readonly decode: (bytes: Uint8Array, ...key: Key) => Value;
}

/** A block without its transactions. */
export interface BlockRow {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** 80 bytes. */
  readonly header: Uint8Array;
  /** Of its coinbase; the block's other transactions follow. */
  readonly firstTransactionNumber: number;
  readonly transactionCount: number;
  readonly size: number;
  readonly strippedSize: number;
  readonly medianTime: number;
  readonly chainWork: bigint;
  /** `checksumOf` its serialized bytes. */
  readonly checksum: number;
}

/** An output that an input spends; its block is told by the number of the transaction that made it. */
export interface SpentOutputRow {
  readonly transactionNumber: number;
  /** Satoshi. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
}

/** A transaction: where its bytes are in its block, and what it spends. */
export interface TransactionRow {
  /** Bytes from the start of its block. */
  readonly offset: number;
  readonly size: number;
  readonly outputCount: number;
  /** `checksumOf` its serialized bytes: a txid does not cover witnesses, and takes ten times as long. */
  readonly checksum: number;
  /** One for each input; none for a coinbase. */
  readonly spentOutputs: readonly SpentOutputRow[];
}

/** The input that spends an output. */
export interface SpendRow {
  readonly vout: number;
  /** Of the spender. */
  readonly transactionNumber: number;
  readonly vin: number;
}

export interface UnspentOutputRow {
  /** 32 bytes: a list of outputs needs nothing but its rows. */
  readonly txid: Uint8Array;
  /** Satoshi. */
  readonly value: bigint;
}

export interface ScriptStatisticsRow extends ScriptStatistics {
  /** First transaction number of the script's newest row of `histories`, which a new transaction joins. */
  readonly newestHistoryRow: number;
}

/** Where a block's bytes are. */
export interface BlockPosition {
  /** Of the index's own files, or from `firstSourceFile` on a row of `sourceFiles`. */
  readonly file: number;
  /** Of the block's first byte, behind magic and length. */
  readonly offset: number;
}

/** A block file of the node that is read in its place. */
export interface SourceFileRow {
  /** Absolute. */
  readonly path: string;
  /** Repeated over the file from its first byte and combined by XOR; empty for a plain file. */
  readonly mask: Uint8Array;
}

export interface StaleBlockRow {
  readonly height: number;
  readonly position: BlockPosition;
  readonly block: BlockRow;
}

/** What a transaction of a stale block spent, whole: its numbers are those of other transactions by now. */
interface StaleSpentOutputRow {
  readonly height: number;
  readonly isCoinbase: boolean;
  /** Satoshi. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
}

export interface StaleTransactionRow {
  /** 0-based, in its block. */
  readonly position: number;
  readonly offset: number;
  readonly size: number;
  /** `checksumOf` its serialized bytes. */
  readonly checksum: number;
  readonly spentOutputs: readonly StaleSpentOutputRow[];
}

/** The state that the other tables are in. */
export interface TipRow {
  /** Of the highest block; -1 while there is none. */
  readonly height: number;
  readonly nextTransactionNumber: number;
  /** Where the next block's bytes go; what stands there already belongs to no committed block. */
  readonly blocksEnd: BlockPosition;
  /** How often the tables have changed: another number, other tables. */
  readonly changes: number;
  /** How many of the changes took blocks from the best chain: while it stays, what is known of a block stays true. */
  readonly reorganisations: number;
}

/** Of an index without blocks. */
export const emptyTip: TipRow = {
  height: -1,
  nextTransactionNumber: 0,
  blocksEnd: { file: 0, offset: 0 },
  changes: 0,
  reorganisations: 0,
};

const writer = new ByteWriter();

// The best chain's tables. A row exists if and only if its block is on the best chain: whatever way the index came to a chain,
// these tables are byte for byte those of a fresh index of it.

/** The blocks of the best chain, walked by height. Everything that a block's own answer needs is in this one row. */
export const blocks: Table<[height: number], BlockRow> = {
  name: "blocks",
  key: uint32Key,
  encode: (value) => writeBlockRow(writer, value).take(),
  decode: (bytes) => readBlockRow(new ByteReader(bytes)),
};

/**
 * The first transaction number of each block, `blockStartsPerRow` heights a row: from a transaction's number to its height.
 *
 * Four bytes a block, small enough to be held in memory whole; so no other row repeats a height.
 */
export const blockStarts: Table<[row: number], readonly number[]> = {
  name: "block-starts",
  key: uint32Key,
  encode: (starts) => {
    for (const start of starts) writer.uint32(start);
    return writer.take();
  },
  decode: readUint32s,
};

/** From hash to height. Whole hashes: one row a block is little, and no block need be compared. */
export const heights: Table<[hash: Uint8Array], number> = {
  name: "heights",
  key: (hash) => Buffer.from(hash),
  encode: (height) => writer.uint32(height).take(),
  decode: (bytes) => new ByteReader(bytes).uint32(),
};

/**
 * Txids by number, `transactionIdsPerRow` a row whatever block they are in: from a number to its txid by one read, and a block's
 * txids in a few.
 */
export const transactionIds: Table<[row: number], Uint8Array> = {
  name: "transaction-ids",
  key: uint32Key,
  encode: (ids) => writer.bytes(ids).take(),
  decode: (bytes) => new ByteReader(bytes).rest(),
};

/**
 * From the first bytes of a txid to the numbers of all transactions whose txids begin with them, ascending.
 *
 * Two transactions may even share the whole txid: coinbases before BIP 34 did, twice. The last one counts.
 */
export const transactionNumbers: Table<[txid: Uint8Array], readonly number[]> = {
  name: "transaction-numbers",
  key: (txid) => Buffer.from(txid.subarray(0, txidPrefixLength)),
  encode: (numbers) => {
    for (const number of numbers) writer.uint32(number);
    return writer.take();
  },
  decode: readUint32s,
};

/** What a transaction's answer needs beside its bytes. Holds the spent outputs: this is also the undo of every block. */
export const transactions: Table<[transactionNumber: number], TransactionRow> = {
  name: "transactions",
  key: uint32Key,
  encode: (value, number) => {
    writer.varint(value.offset).varint(value.size).varint(value.outputCount).uint32(value.checksum);
    let before: Uint8Array | undefined;
    for (const { transactionNumber, value: satoshi, scriptPubKey } of value.spentOutputs) {
      writer.varint(number - transactionNumber).bigVarint(satoshi);
      writeSpentScript(writer, scriptPubKey, before);
      before = scriptPubKey;
    }
    return writer.take();
  },
  decode: (bytes, number) => {
    const reader = new ByteReader(bytes);
    return { ...readTransactionPlace(reader), spentOutputs: readSpentOutputs(reader, number) };
  },
};

/** All spends of one transaction's outputs, by vout. No row where nothing is spent. */
export const spends: Table<[fundingTransactionNumber: number], readonly SpendRow[]> = {
  name: "spends",
  key: uint32Key,
  encode: (rows, fundingNumber) => {
    let next = 0;
    for (const { vout, transactionNumber, vin } of rows) {
      writer
        .varint(vout - next)
        .varint(transactionNumber - fundingNumber)
        .varint(vin);
      next = vout + 1;
    }
    return writer.take();
  },
  decode: (bytes, fundingNumber) => {
    const reader = new ByteReader(bytes);
    const rows: SpendRow[] = [];
    for (let next = 0; reader.hasMore; ) {
      const vout = next + reader.varint();
      rows.push({ vout, transactionNumber: fundingNumber + reader.varint(), vin: reader.varint() });
      next = vout + 1;
    }
    return rows;
  },
};

/**
 * The transactions that fund or spend a script, ascending, `historyPerRow` a row counted from the script's first.
 *
 * The key names the row's first number, as its complement: the newest row stands first, and one seek finds the row of any number,
 * whatever the history's length. The value says how far each further number is from the one before.
 */
export const histories: Table<[scriptHash: Uint8Array, firstTransactionNumber: number], readonly number[]> = {
  name: "histories",
  key: (scriptHash, firstNumber) => {
    const key = Buffer.allocUnsafe(scriptPrefixLength + 4);
    key.set(scriptHash.subarray(0, scriptPrefixLength));
    key.writeUInt32BE(maximumTransactionNumber - firstNumber, scriptPrefixLength);
    return key;
  },
  encode: (numbers, _scriptHash, firstNumber) => {
    let before = firstNumber;
    for (let index = 1; index < numbers.length; index += 1) {
      const number = numbers[index] ?? 0;
      writer.varint(number - before);
      before = number;
    }
    return writer.take();
  },
  decode: (bytes, _scriptHash, firstNumber) => {
    const reader = new ByteReader(bytes);
    const numbers = [firstNumber];
    for (let number = firstNumber; reader.hasMore; ) {
      number += reader.varint();
      numbers.push(number);
    }
    return numbers;
  },
};

/** The outputs that a script could spend, in chain order, one row each. Deleted when spent. */
export const unspentOutputs: Table<
  [scriptHash: Uint8Array, transactionNumber: number, vout: number],
  UnspentOutputRow
> = {
  name: "unspent-outputs",
  key: (scriptHash, transactionNumber, vout) => {
    const key = Buffer.allocUnsafe(scriptPrefixLength + 7);
    key.set(scriptHash.subarray(0, scriptPrefixLength));
    key.writeUInt32BE(transactionNumber, scriptPrefixLength);
    // Three bytes: a block can't hold that many outputs.
    key.writeUIntBE(vout, scriptPrefixLength + 4, 3);
    return key;
  },
  encode: ({ txid, value }) => writer.bytes(txid).bigVarint(value).take(),
  decode: (bytes) => ({ txid: Uint8Array.prototype.slice.call(bytes, 0, 32), value: unspentValue(bytes) }),
};

/**
 * Outputs that nobody spent before another transaction with the same txid came, which replaced them (BIP 30): keyed as they were among
 * `unspentOutputs`. A few rows on mainnet, none elsewhere.
 */
export const replacedOutputs: typeof unspentOutputs = { ...unspentOutputs, name: "replaced-outputs" };

/** The satoshi in a value of `unspentOutputs`. */
export function unspentValue(bytes: Uint8Array): bigint {
  return new ByteReader(bytes, 32).bigVarint();
}

/** Counts and sums of a script, so that a busy one costs no more than any other. Deleted when all are zero. */
export const scriptStatistics: Table<[scriptHash: Uint8Array], ScriptStatisticsRow> = {
  name: "script-statistics",
  key: (scriptHash) => Buffer.from(scriptHash.subarray(0, scriptPrefixLength)),
  encode: (value) => writeScriptSums(writer, value).uint32(value.newestHistoryRow).take(),
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    return { ...readScriptSums(reader), newestHistoryRow: reader.uint32() };
  },
};

/**
 * One key-only row for each address that the best chain ever paid, so that they can be found by how they begin. Kept when the
 * directory was made with address search; empty otherwise.
 */
export const addresses: Table<[address: string], undefined> = {
  name: "addresses",
  key: (address) => Buffer.from(address, "latin1"),
  encode: () => Buffer.alloc(0),
  decode: () => undefined,
};

/** The tables that a fresh index of the same chain has in the same bytes. */
export const bestChainTables: readonly { readonly name: string }[] = [
  blocks,
  blockStarts,
  heights,
  transactionIds,
  transactionNumbers,
  transactions,
  spends,
  histories,
  unspentOutputs,
  replacedOutputs,
  scriptStatistics,
  addresses,
];

// The other tables depend on what happened: in which order blocks came, and which were on the best chain before.

/** Where the best chain's blocks are in the block files. Apart from `blocks`, because it depends on the order of arrival. */
export const blockPositions: Table<[height: number], BlockPosition> = {
  name: "block-positions",
  key: uint32Key,
  encode: (value) => writePosition(writer, value).take(),
  decode: (bytes) => readPosition(new ByteReader(bytes)),
};

/** Files of the node that positions name, by number from `firstSourceFile` on. Never deleted: stale blocks may be in them. */
export const sourceFiles: Table<[file: number], SourceFileRow> = {
  name: "source-files",
  key: uint32Key,
  encode: ({ path, mask }) => writer.varint(mask.length).bytes(mask).bytes(Buffer.from(path, "utf8")).take(),
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    const mask = reader.bytes(reader.varint());
    return { mask, path: Buffer.from(reader.rest()).toString("utf8") };
  },
};

/** Blocks that were on the best chain once. */
export const staleBlocks: Table<[hash: Uint8Array], StaleBlockRow> = {
  name: "stale-blocks",
  key: (hash) => Buffer.from(hash),
  encode: (value) => writeBlockRow(writePosition(writer.uint32(value.height), value.position), value.block).take(),
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    return { height: reader.uint32(), position: readPosition(reader), block: readBlockRow(reader) };
  },
};

/** Transactions of stale blocks, by txid; one in several stale blocks has several rows. */
export const staleTransactions: Table<[txid: Uint8Array, blockHash: Uint8Array], StaleTransactionRow> = {
  name: "stale-transactions",
  key: (txid, blockHash) => Buffer.concat([txid, blockHash]),
  encode: ({ position, offset, size, checksum, spentOutputs }) => {
    writer.varint(position).varint(offset).varint(size).uint32(checksum);
    for (const { height, isCoinbase, value, scriptPubKey } of spentOutputs) {
      writer.varint(height * 2 + (isCoinbase ? 1 : 0)).bigVarint(value);
      writeScript(writer, scriptPubKey);
    }
    return writer.take();
  },
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    return {
      position: reader.varint(),
      offset: reader.varint(),
      size: reader.varint(),
      checksum: reader.uint32(),
      spentOutputs: readStaleSpentOutputs(reader),
    };
  },
};

/** One row, written with every change: which state the tables are in. */
export const tips: Table<[], TipRow> = {
  name: "tip",
  key: () => Buffer.from("tip"),
  encode: (value) =>
    writePosition(writer.varint(value.height + 1).uint32(value.nextTransactionNumber), value.blocksEnd)
      .varint(value.changes)
      .varint(value.reorganisations)
      .take(),
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    return {
      height: reader.varint() - 1,
      nextTransactionNumber: reader.uint32(),
      blocksEnd: readPosition(reader),
      changes: reader.varint(),
      reorganisations: reader.varint(),
    };
  },
};

/** Every table; the writer makes them all at once, so that a reader finds all or none. */
export const allTables: readonly { readonly name: string }[] = [
  ...bestChainTables,
  blockPositions,
  sourceFiles,
  staleBlocks,
  staleTransactions,
  tips,
];

/** The part of a row of `transactions` that says where the bytes are and how many outputs they have. */
export function readTransactionPlace(reader: ByteReader): Omit<TransactionRow, "spentOutputs"> {
  return {
    offset: reader.varint(),
    size: reader.varint(),
    outputCount: reader.varint(),
    checksum: reader.uint32(),
  };
}

function readUint32s(bytes: Uint8Array): readonly number[] {
  const reader = new ByteReader(bytes);
  const numbers: number[] = [];
  while (reader.hasMore) numbers.push(reader.uint32());
  return numbers;
}

function readSpentOutputs(reader: ByteReader, number: number): readonly SpentOutputRow[] {
  const outputs: SpentOutputRow[] = [];
  let before: Uint8Array | undefined;
  while (reader.hasMore) {
    const transactionNumber = number - reader.varint();
    const value = reader.bigVarint();
    const scriptPubKey = readSpentScript(reader, before);
    outputs.push({ transactionNumber, value, scriptPubKey });
    before = scriptPubKey;
  }
  return outputs;
}

function readStaleSpentOutputs(reader: ByteReader): readonly StaleSpentOutputRow[] {
  const outputs: StaleSpentOutputRow[] = [];
  while (reader.hasMore) {
    const heightAndKind = reader.varint();
    outputs.push({
      height: Math.floor(heightAndKind / 2),
      isCoinbase: heightAndKind % 2 === 1,
      value: reader.bigVarint(),
      scriptPubKey: readScript(reader),
    });
  }
  return outputs;
}

function writePosition(target: ByteWriter, value: BlockPosition): ByteWriter {
  return target.varint(value.file).varint(value.offset);
}

function readPosition(reader: ByteReader): BlockPosition {
  return { file: reader.varint(), offset: reader.varint() };
}

function writeBlockRow(target: ByteWriter, value: BlockRow): ByteWriter {
  return target
    .bytes(value.hash)
    .bytes(value.header)
    .uint32(value.firstTransactionNumber)
    .varint(value.transactionCount)
    .varint(value.size)
    .varint(value.strippedSize)
    .uint32(value.medianTime)
    .bigVarint(value.chainWork)
    .uint32(value.checksum);
}

function readBlockRow(reader: ByteReader): BlockRow {
  return {
    hash: reader.bytes(32),
    header: reader.bytes(80),
    firstTransactionNumber: reader.uint32(),
    transactionCount: reader.varint(),
    size: reader.varint(),
    strippedSize: reader.varint(),
    medianTime: reader.uint32(),
    chainWork: reader.bigVarint(),
    checksum: reader.uint32(),
  };
}
