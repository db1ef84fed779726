/**
 * Every table of the embedded index, with its reason. A change of any of them raises `layoutVersion`.
 *
 * Integers in keys are big-endian and of fixed width, so that byte order is number order. Hashes are in wire order. Transactions
 * of the best chain have numbers: 0 for the genesis coinbase, then upward in chain order; a number is 4 bytes where a txid is 32.
 */
import type { SpentOutput } from "../chain/connected-block.ts";
import { ByteReader, ByteWriter } from "./byte-codec.ts";
import { readScript, writeScript } from "./script-codec.ts";

/** Of the tables, the block files and the directory together. */
export const layoutVersion = 1;

/** Bytes of a txid that its key keeps. Different txids may share them, so every reader compares the whole txid. */
const txidPrefixLength = 8;

/** Bytes of a script hash that a key keeps: enough that nobody can make two scripts that share them. */
export const scriptPrefixLength = 16;

/** 32-byte ids in one row, so that two rows fill a page of 4,096 bytes instead of each taking overflow pages. */
export const transactionIdsPerRow = 63;

/** A table: how its keys and values are spelled in bytes. */
export interface Table<Key extends readonly unknown[], Value> {
  readonly name: string;
  readonly key: (...parts: Key) => Buffer;
  readonly encode: (value: Value) => Buffer;
  /** Copies what it keeps. */
  readonly decode: (bytes: Uint8Array) => Value;
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
}

/** A transaction: where its bytes are, and what it spends. */
export interface TransactionRow {
  readonly height: number;
  /** Bytes from the start of its block. */
  readonly offset: number;
  readonly size: number;
  /** One for each input; none for a coinbase. */
  readonly spentOutputs: readonly SpentOutput[];
}

/** The input that spends an output. */
export interface SpendRow {
  readonly transactionNumber: number;
  readonly vin: number;
}

export interface UnspentOutputRow {
  readonly height: number;
  readonly isCoinbase: boolean;
  readonly value: bigint;
}

export interface ScriptStatisticsRow {
  readonly transactions: number;
  readonly fundedOutputs: number;
  readonly fundedValue: bigint;
  readonly spentOutputs: number;
  readonly spentValue: bigint;
}

/** Where a block's bytes are. */
export interface BlockPosition {
  readonly file: number;
  /** Of the block's first byte, behind magic and length. */
  readonly offset: number;
}

export interface StaleBlockRow {
  readonly height: number;
  readonly position: BlockPosition;
  readonly block: BlockRow;
}

export interface StaleTransactionRow {
  /** 0-based, in its block. */
  readonly position: number;
  readonly offset: number;
  readonly size: number;
  /** Their transaction numbers say nothing. */
  readonly spentOutputs: readonly SpentOutput[];
}

/** The state that the other tables are in. */
export interface TipRow {
  /** Of the highest block; -1 while there is none. */
  readonly height: number;
  readonly nextTransactionNumber: number;
  /** Where the next block's bytes go; what stands there already belongs to no committed block. */
  readonly blocksEnd: BlockPosition;
}

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

/** From hash to height. Whole hashes: one row a block is little, and no block need be compared. */
export const heights: Table<[hash: Uint8Array], number> = {
  name: "heights",
  key: (hash) => Buffer.from(hash),
  encode: (height) => writer.uint32(height).take(),
  decode: (bytes) => new ByteReader(bytes).uint32(),
};

/** A block's txids in order, the only place that holds them whole; the way back from a transaction's number to its txid. */
export const transactionIds: Table<[height: number, row: number], Uint8Array> = {
  name: "transaction-ids",
  key: (height, row) => {
    const key = Buffer.allocUnsafe(6);
    key.writeUInt32BE(height, 0);
    key.writeUInt16BE(row, 4);
    return key;
  },
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
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    const numbers: number[] = [];
    while (reader.hasMore) numbers.push(reader.uint32());
    return numbers;
  },
};

/** What a transaction's answer needs beside its bytes. Holds the spent outputs: this is also the undo of every block. */
export const transactions: Table<[transactionNumber: number], TransactionRow> = {
  name: "transactions",
  key: uint32Key,
  encode: (value) => {
    writer.uint32(value.height).varint(value.offset).varint(value.size);
    return writeSpentOutputs(writer, value.spentOutputs).take();
  },
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    return {
      height: reader.uint32(),
      offset: reader.varint(),
      size: reader.varint(),
      spentOutputs: readSpentOutputs(reader),
    };
  },
};

/** Spent outpoints. All spends of one transaction's outputs are one short range. */
export const spends: Table<[fundingTransactionNumber: number, vout: number], SpendRow> = {
  name: "spends",
  key: (fundingTransactionNumber, vout) => uint32PairKey(fundingTransactionNumber, vout),
  encode: (value) => writer.uint32(value.transactionNumber).varint(value.vin).take(),
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    return { transactionNumber: reader.uint32(), vin: reader.varint() };
  },
};

/**
 * One key-only row for each transaction that funds or spends a script.
 *
 * The number is stored as its complement: the newest stands first, and a page goes on at its cursor's key whatever the history's
 * length.
 */
export const histories: Table<[scriptHash: Uint8Array, transactionNumber: number], undefined> = {
  name: "histories",
  key: (scriptHash, transactionNumber) => scriptKey(scriptHash, 0xffffffff - transactionNumber),
  encode: () => Buffer.alloc(0),
  decode: () => undefined,
};

/** The outputs that a script could spend, in chain order. Deleted when spent. */
export const unspentOutputs: Table<
  [scriptHash: Uint8Array, transactionNumber: number, vout: number],
  UnspentOutputRow
> = {
  name: "unspent-outputs",
  key: (scriptHash, transactionNumber, vout) => {
    const key = Buffer.allocUnsafe(scriptPrefixLength + 8);
    key.set(scriptHash.subarray(0, scriptPrefixLength));
    key.writeUInt32BE(transactionNumber, scriptPrefixLength);
    key.writeUInt32BE(vout, scriptPrefixLength + 4);
    return key;
  },
  encode: (value) => writer.varint(heightAndKind(value)).bigVarint(value.value).take(),
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    return { ...readHeightAndKind(reader), value: reader.bigVarint() };
  },
};

/** Counts and sums of a script, so that a busy one costs no more than any other. Deleted when all are zero. */
export const scriptStatistics: Table<[scriptHash: Uint8Array], ScriptStatisticsRow> = {
  name: "script-statistics",
  key: (scriptHash) => Buffer.from(scriptHash.subarray(0, scriptPrefixLength)),
  encode: (value) =>
    writer
      .varint(value.transactions)
      .varint(value.fundedOutputs)
      .bigVarint(value.fundedValue)
      .varint(value.spentOutputs)
      .bigVarint(value.spentValue)
      .take(),
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    return {
      transactions: reader.varint(),
      fundedOutputs: reader.varint(),
      fundedValue: reader.bigVarint(),
      spentOutputs: reader.varint(),
      spentValue: reader.bigVarint(),
    };
  },
};

/** The tables that a fresh index of the same chain has in the same bytes. */
export const bestChainTables: readonly { readonly name: string }[] = [
  blocks,
  heights,
  transactionIds,
  transactionNumbers,
  transactions,
  spends,
  histories,
  unspentOutputs,
  scriptStatistics,
];

// The other tables depend on what happened: in which order blocks came, and which were on the best chain before.

/** Where the best chain's blocks are in the block files. Apart from `blocks`, because it depends on the order of arrival. */
export const blockPositions: Table<[height: number], BlockPosition> = {
  name: "block-positions",
  key: uint32Key,
  encode: (value) => writePosition(writer, value).take(),
  decode: (bytes) => readPosition(new ByteReader(bytes)),
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
  encode: (value) => {
    writer.varint(value.position).varint(value.offset).varint(value.size);
    return writeSpentOutputs(writer, value.spentOutputs).take();
  },
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    return {
      position: reader.varint(),
      offset: reader.varint(),
      size: reader.varint(),
      spentOutputs: readSpentOutputs(reader),
    };
  },
};

/** One row, written with every batch: which state the tables are in. */
export const tips: Table<[], TipRow> = {
  name: "tip",
  key: () => Buffer.from("tip"),
  encode: (value) =>
    writePosition(writer.varint(value.height + 1).uint32(value.nextTransactionNumber), value.blocksEnd).take(),
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    return {
      height: reader.varint() - 1,
      nextTransactionNumber: reader.uint32(),
      blocksEnd: readPosition(reader),
    };
  },
};

/** Every table; the writer makes them all at once, so that a reader finds all or none. */
export const allTables: readonly { readonly name: string }[] = [
  ...bestChainTables,
  blockPositions,
  staleBlocks,
  staleTransactions,
  tips,
];

function uint32Key(value: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(value, 0);
  return key;
}

function uint32PairKey(first: number, second: number): Buffer {
  const key = Buffer.allocUnsafe(8);
  key.writeUInt32BE(first, 0);
  key.writeUInt32BE(second, 4);
  return key;
}

function scriptKey(scriptHash: Uint8Array, number: number): Buffer {
  const key = Buffer.allocUnsafe(scriptPrefixLength + 4);
  key.set(scriptHash.subarray(0, scriptPrefixLength));
  key.writeUInt32BE(number, scriptPrefixLength);
  return key;
}

function heightAndKind(value: { readonly height: number; readonly isCoinbase: boolean }): number {
  return value.height * 2 + (value.isCoinbase ? 1 : 0);
}

function readHeightAndKind(reader: ByteReader): { readonly height: number; readonly isCoinbase: boolean } {
  const value = reader.varint();
  return { height: Math.floor(value / 2), isCoinbase: value % 2 === 1 };
}

function writePosition(target: ByteWriter, value: BlockPosition): ByteWriter {
  return target.uint32(value.file).uint32(value.offset);
}

function readPosition(reader: ByteReader): BlockPosition {
  return { file: reader.uint32(), offset: reader.uint32() };
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
    .bigVarint(value.chainWork);
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
  };
}

function writeSpentOutputs(target: ByteWriter, outputs: readonly SpentOutput[]): ByteWriter {
  for (const output of outputs) {
    target.uint32(output.transactionNumber).varint(heightAndKind(output)).bigVarint(output.value);
    writeScript(target, output.scriptPubKey);
  }
  return target;
}

function readSpentOutputs(reader: ByteReader): readonly SpentOutput[] {
  const outputs: SpentOutput[] = [];
  while (reader.hasMore) {
    const transactionNumber = reader.uint32();
    const { height, isCoinbase } = readHeightAndKind(reader);
    outputs.push({
      transactionNumber,
      height,
      isCoinbase,
      value: reader.bigVarint(),
      scriptPubKey: readScript(reader),
    });
  }
  return outputs;
}
