/**
 * Every table of the embedded index, with its reason. A change of any of them increments `layoutVersion`.
 *
 * Integers in keys are big-endian and of fixed width, so that byte order is number order. Hashes are in wire order. Transactions of the
 * best chain have numbers: 0 for the genesis coinbase, then upward in chain order; a number is 4 bytes instead of a txid's 32. Data that
 * grows with a chain or with a script is split into rows of a fixed count, never by the time of the write: rows are a pure function of the
 * best chain, and no row grows without a bound that the block size sets.
 */
import { type ScriptStatistics, readScriptSums, writeScriptSums } from "./script-sums-codec.ts";
import { ByteReader, ByteWriter, uint32Key } from "./byte-codec.ts";
import { readScript, readSpentScript, writeScript, writeSpentScript } from "./script-codec.ts";

/** Version of the tables, the block files and the directory together. */
export const layoutVersion = 3;

/** Bytes of a txid in its key. Different txids may share them, so every reader compares the complete txid. */
export const txidPrefixLength = 8;

/** Bytes of a script hash in a key: too many for two scripts to be crafted that share them. */
export const scriptPrefixLength = 16;

/** Number of txids in one row, so that two rows fill a page of 4,096 bytes instead of each taking overflow pages. */
export const transactionIdsPerRow = 63;

/** Number of blocks in one row of `blockStarts`: two rows fill a page. */
export const blockStartsPerRow = 500;

/** Number of transactions in one row of a script's history: a page of a response is in one or two rows. */
export const historyPerRow = 128;

/** Upper bound of transaction numbers. */
export const maximumTransactionNumber = 0xffffffff;

/** First number of the node's files; smaller numbers are the index's own. */
export const firstSourceFile = 0x80000000;

/** A table with the encoding of its keys and values. */
export interface Table<Key extends readonly unknown[], Value> {
  readonly name: string;
  readonly key: (...parts: Key) => Buffer;
  /** Encodes a value. `key` is that of the row: the value does not repeat its content. */
  readonly encode: (value: Value, ...key: Key) => Buffer;
  /** Decodes a value; retained bytes are copied. */
  readonly decode: (bytes: Uint8Array, ...key: Key) => Value;
}

/** A block without its transactions. */
export interface BlockRow {
  /** 32 bytes. */
  readonly hash: Uint8Array;
  /** 80 bytes. */
  readonly header: Uint8Array;
  /** Number of its coinbase; the block's other transactions follow. */
  readonly firstTransactionNumber: number;
  readonly transactionCount: number;
  readonly size: number;
  readonly strippedSize: number;
  readonly medianTime: number;
  readonly chainWork: bigint;
  /** `checksumOf` its serialized bytes. */
  readonly checksum: number;
}

/** An output that an input spends; its block follows from the number of the transaction that created it. */
export interface SpentOutputRow {
  readonly transactionNumber: number;
  /** Satoshi. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
}

/** A transaction: the position of its bytes in its block, and its spent outputs. */
export interface TransactionRow {
  /** Offset in bytes from the start of its block. */
  readonly offset: number;
  readonly size: number;
  readonly outputCount: number;
  /** `checksumOf` its serialized bytes: a txid does not cover witnesses, and takes ten times as long. */
  readonly checksum: number;
  /** Spent outputs, one for each input; none for a coinbase. */
  readonly spentOutputs: readonly SpentOutputRow[];
}

/** Input that spends an output. */
export interface SpendRow {
  readonly vout: number;
  /** Number of the spending transaction. */
  readonly transactionNumber: number;
  readonly vin: number;
}

export interface UnspentOutputRow {
  /** Txid, 32 bytes: a list of outputs needs only its rows. */
  readonly txid: Uint8Array;
  /** Satoshi. */
  readonly value: bigint;
}

export interface ScriptStatisticsRow extends ScriptStatistics {
  /** First transaction number of the script's latest row of `histories`, to which a new transaction is added. */
  readonly newestHistoryRow: number;
}

/** Position of a block's bytes. */
export interface BlockPosition {
  /** Number of one of the index's own files, or from `firstSourceFile` on of a row of `sourceFiles`. */
  readonly file: number;
  /** Offset of the block's first byte, after magic and length. */
  readonly offset: number;
}

/** A block file of the node that is read in place. */
export interface SourceFileRow {
  /** Absolute path. */
  readonly path: string;
  /** XOR mask, repeated over the file from its first byte; empty for a plain file. */
  readonly mask: Uint8Array;
}

export interface StaleBlockRow {
  readonly height: number;
  readonly position: BlockPosition;
  readonly block: BlockRow;
}

/** Spent output of a stale block's transaction, with all its data: its numbers are those of other transactions by now. */
interface StaleSpentOutputRow {
  readonly height: number;
  readonly isCoinbase: boolean;
  /** Satoshi. */
  readonly value: bigint;
  readonly scriptPubKey: Uint8Array;
}

export interface StaleTransactionRow {
  /** 0-based position in its block. */
  readonly position: number;
  readonly offset: number;
  readonly size: number;
  /** `checksumOf` its serialized bytes. */
  readonly checksum: number;
  readonly spentOutputs: readonly StaleSpentOutputRow[];
}

/** State of the other tables. */
export interface TipRow {
  /** Height of the highest block; -1 while the index is empty. */
  readonly height: number;
  readonly nextTransactionNumber: number;
  /** Position of the next block's bytes; bytes that already exist there belong to no committed block. */
  readonly blocksEnd: BlockPosition;
  /** Number of changes of the tables: another number, other tables. */
  readonly changes: number;
  /** Number of changes that took blocks from the best chain: while it stays, facts about a block stay true. */
  readonly reorganisations: number;
}

/** Tip row of an index without blocks. */
export const emptyTip: TipRow = {
  height: -1,
  nextTransactionNumber: 0,
  blocksEnd: { file: 0, offset: 0 },
  changes: 0,
  reorganisations: 0,
};

const writer = new ByteWriter();

// The best chain's tables. A row exists if and only if its block is on the best chain: whatever way the index came to a chain, these tables
// are byte for byte those of a fresh index of it.

/** Blocks of the best chain, iterated by height. This one row contains everything that a response about the block itself needs. */
export const blocks: Table<[height: number], BlockRow> = {
  name: "blocks",
  key: uint32Key,
  encode: (value) => writeBlockRow(writer, value).take(),
  decode: (bytes) => readBlockRow(new ByteReader(bytes)),
};

/**
 * First transaction number of each block, `blockStartsPerRow` heights a row: from a transaction's number to its height.
 *
 * Four bytes a block, small enough to be held in memory completely; so no other row repeats a height.
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

/** Heights by hash. Complete hashes: one row a block is little, and no block need be compared. */
export const heights: Table<[hash: Uint8Array], number> = {
  name: "heights",
  key: (hash) => Buffer.from(hash),
  encode: (height) => writer.uint32(height).take(),
  decode: (bytes) => new ByteReader(bytes).uint32(),
};

/**
 * Txids by number, `transactionIdsPerRow` a row whatever block they are in: from a number to its txid by one read, and a block's txids in a
 * few.
 */
export const transactionIds: Table<[row: number], Uint8Array> = {
  name: "transaction-ids",
  key: uint32Key,
  encode: (ids) => writer.bytes(ids).take(),
  decode: (bytes) => new ByteReader(bytes).rest(),
};

/**
 * Numbers of all transactions by the first bytes of their txids, ascending.
 *
 * Two transactions may even share the complete txid: coinbases before BIP 34 did, twice. The last one counts.
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

/**
 * Data that a response about a transaction needs in addition to its bytes. It contains the spent outputs: this is also the undo data of
 * every block.
 */
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
 * Transactions that fund or spend a script, ascending, `historyPerRow` a row counted from the script's first.
 *
 * The key contains the row's first number, as its complement: the latest row stands first, and one seek finds the row of any number,
 * whatever the history's length. The value contains the difference of each further number from the one before.
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

/** Outputs that a script could spend, in chain order, one row each. Deleted when spent. */
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
 * Outputs that were unspent when another transaction with the same txid came, which replaced them (BIP 30): keyed as they were among
 * `unspentOutputs`. A few rows on mainnet, none elsewhere.
 */
export const replacedOutputs: typeof unspentOutputs = { ...unspentOutputs, name: "replaced-outputs" };

/** Returns the satoshi in a value of `unspentOutputs`. */
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
 * One key-only row for each address that the best chain ever paid, for searches by prefix. Filled when the directory was created with
 * address search; empty otherwise.
 */
export const addresses: Table<[address: string], undefined> = {
  name: "addresses",
  key: (address) => Buffer.from(address, "latin1"),
  encode: () => Buffer.alloc(0),
  decode: () => undefined,
};

/** Tables that a fresh index of the same chain has in the same bytes. */
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

// The other tables depend on history: in which order blocks came, and which were on the best chain before.

/** Positions of the best chain's blocks in the block files. Separate from `blocks`, because they depend on the order of arrival. */
export const blockPositions: Table<[height: number], BlockPosition> = {
  name: "block-positions",
  key: uint32Key,
  encode: (value) => writePosition(writer, value).take(),
  decode: (bytes) => readPosition(new ByteReader(bytes)),
};

/** Files of the node that positions refer to, by number from `firstSourceFile` on. Never deleted: stale blocks may be in them. */
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

/** One row, written with every change: the state of the tables. */
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

/** Every table; the writer creates them all at once, so that a reader finds all or none. */
export const allTables: readonly { readonly name: string }[] = [
  ...bestChainTables,
  blockPositions,
  sourceFiles,
  staleBlocks,
  staleTransactions,
  tips,
];

/** Reads the part of a row of `transactions` with the position of the bytes and the number of their outputs. */
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
