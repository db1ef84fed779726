/**
 * Every table of the mempool, with its reason. They are made anew by each start of the indexer, so they have no version.
 *
 * Unconfirmed transactions have numbers in the order in which they arrived, from 0: 4 bytes where a txid is 32. Integers in keys are
 * big-endian. Txids in keys are in display order, so that the order of the keys is that of their texts; elsewhere in wire order.
 */
import type { PreviousOutput, ScriptStatistics } from "../query/chain-queries.ts";
import type { MempoolSummary } from "../query/mempool-queries.ts";
import { ByteReader, ByteWriter, uint32Key } from "../store/byte-codec.ts";
import { readScript, writeScript } from "../store/script-codec.ts";
import { readScriptSums, writeScriptSums } from "../store/script-sums-codec.ts";

/** A table whose values are spelled without their keys. */
export interface MempoolTable<Key extends readonly unknown[], Value> {
  readonly name: string;
  readonly key: (...parts: Key) => Buffer;
  readonly encode: (value: Value) => Buffer;
  /** Copies what it keeps. */
  readonly decode: (bytes: Uint8Array) => Value;
}

/** What recent transactions and sums are told from, without the transaction itself. */
export interface MempoolTransactionHead {
  /** 32 bytes. */
  readonly txid: Uint8Array;
  /** When it was first seen, seconds since 1970. */
  readonly time: number;
  /** Of the best block when it was first seen. */
  readonly height: number;
  /** Satoshi. */
  readonly fee: number;
  /** Virtual bytes. */
  readonly virtualSize: number;
  /** Of the outputs that it spends, satoshi. */
  readonly value: number;
}

export interface MempoolTransactionRow extends MempoolTransactionHead {
  /** One for each input; height -1 for outputs of other unconfirmed transactions. */
  readonly previousOutputs: readonly PreviousOutput[];
  /** The serialized transaction. */
  readonly bytes: Uint8Array;
}

/** What one transaction does to one script. */
export interface MempoolHistoryRow {
  readonly funded: readonly { readonly vout: number; readonly value: bigint }[];
  readonly spent: readonly { readonly vin: number; readonly value: bigint }[];
}

/** The input that spends an output. */
export interface MempoolSpendRow {
  readonly number: number;
  readonly vin: number;
}

const writer = new ByteWriter(1_024);

/** From txid to number, walked in the order of the txids' texts. */
export const mempoolIds: MempoolTable<[displayId: Uint8Array], number> = {
  name: "mempool-ids",
  key: (displayId) => Buffer.from(displayId),
  encode: (number) => writer.uint32(number).take(),
  decode: (bytes) => new ByteReader(bytes).uint32(),
};

/** Transactions whole, in the order of arrival: new ones are appended, and the last to arrive stand together. */
export const mempoolTransactions: MempoolTable<[number: number], MempoolTransactionRow> = {
  name: "mempool-transactions",
  key: uint32Key,
  encode: (row) => {
    writer
      .bytes(row.txid)
      .varint(row.time)
      .varint(row.height)
      .varint(row.fee)
      .varint(row.virtualSize)
      .varint(row.value);
    writer.varint(row.bytes.length).varint(row.previousOutputs.length);
    for (const { height, isCoinbase, value, scriptPubKey } of row.previousOutputs) {
      writer.varint((height + 1) * 2 + (isCoinbase ? 1 : 0)).bigVarint(value);
      writeScript(writer, scriptPubKey);
    }
    return writer.bytes(row.bytes).take();
  },
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    const head = readHead(reader);
    // Its length is for those who want nothing else.
    reader.varint();
    const previousOutputs = Array.from({ length: reader.varint() }, (): PreviousOutput => {
      const heightAndKind = reader.varint();
      return {
        height: Math.floor(heightAndKind / 2) - 1,
        isCoinbase: heightAndKind % 2 === 1,
        value: reader.bigVarint(),
        scriptPubKey: readScript(reader),
      };
    });
    return { ...head, previousOutputs, bytes: reader.rest() };
  },
};

/** The beginning of the same rows. */
export const mempoolTransactionHeads: MempoolTable<[number: number], MempoolTransactionHead> = {
  name: mempoolTransactions.name,
  key: uint32Key,
  encode: () => {
    throw new Error("The head of a transaction is not written alone");
  },
  decode: (bytes) => readHead(new ByteReader(bytes)),
};

/** The serialized transaction alone, from the end of the same rows; a view of them. */
export function transactionBytesIn(row: Uint8Array): Uint8Array {
  const reader = new ByteReader(row);
  readHead(reader);
  // With its end: a view's memory may go on.
  return row.subarray(row.length - reader.varint(), row.length);
}

/** Bytes of a txid that the key of a spend keeps: enough that nobody can make two transactions that share them. */
const spentIdLength = 16;

/** A script is busy, and has a row of statistics, when more transactions than these touch it. */
export const maximumWalkedHistory = 64;

/** From an output, of the chain or unconfirmed, to the input that spends it. */
export const mempoolSpends: MempoolTable<[txid: Uint8Array, vout: number], MempoolSpendRow> = {
  name: "mempool-spends",
  key: (txid, vout) => {
    const key = Buffer.allocUnsafe(spentIdLength + 4);
    key.set(txid.subarray(0, spentIdLength));
    key.writeUInt32BE(vout, spentIdLength);
    return key;
  },
  encode: ({ number, vin }) => writer.uint32(number).varint(vin).take(),
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    return { number: reader.uint32(), vin: reader.varint() };
  },
};

/** A script's transactions in the order of arrival, and what each does to it: unspent and spent outputs are read off these rows. */
export const mempoolHistories: MempoolTable<[scriptHash: Uint8Array, number: number], MempoolHistoryRow> = {
  name: "mempool-histories",
  key: (scriptHash, number) => {
    const key = Buffer.allocUnsafe(scriptHash.length + 4);
    key.set(scriptHash);
    key.writeUInt32BE(number, scriptHash.length);
    return key;
  },
  encode: ({ funded, spent }) => {
    writer.varint(funded.length);
    for (const { vout, value } of funded) writer.varint(vout).bigVarint(value);
    for (const { vin, value } of spent) writer.varint(vin).bigVarint(value);
    return writer.take();
  },
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    const funded = Array.from({ length: reader.varint() }, () => ({
      vout: reader.varint(),
      value: reader.bigVarint(),
    }));
    const spent: { vin: number; value: bigint }[] = [];
    while (reader.hasMore) spent.push({ vin: reader.varint(), value: reader.bigVarint() });
    return { funded, spent };
  },
};

/** All rows of a script in `mempoolHistories`. */
export function historyRange(scriptHash: Uint8Array): { readonly start: Uint8Array; readonly end: Uint8Array } {
  const end = Buffer.alloc(scriptHash.length + 5, 0xff);
  end.set(scriptHash);
  return { start: scriptHash, end };
}

/** What all unconfirmed transactions do to a busy script, which has more of them than can be walked for each answer. */
export const mempoolScriptStatistics: MempoolTable<[scriptHash: Uint8Array], ScriptStatistics> = {
  name: "mempool-script-statistics",
  key: (scriptHash) => Buffer.from(scriptHash),
  encode: (sums) => writeScriptSums(writer, sums).take(),
  decode: (bytes) => readScriptSums(new ByteReader(bytes)),
};

/** The one row of what all transactions come to. */
export const mempoolSummaries: MempoolTable<[], MempoolSummary> = {
  name: "mempool-summaries",
  key: () => oneKey,
  encode: ({ count, virtualSize, totalFee, feeHistogram }) => {
    writer.varint(count).varint(virtualSize).bigVarint(totalFee);
    for (const [feeRate, size] of feeHistogram) writeFloat(feeRate).varint(size);
    return writer.take();
  },
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    const sums = { count: reader.varint(), virtualSize: reader.varint(), totalFee: reader.bigVarint() };
    const feeHistogram: [number, number][] = [];
    while (reader.hasMore) feeHistogram.push([readFloat(reader), reader.varint()]);
    return { ...sums, feeHistogram };
  },
};

/** The one row of fee estimates: satoshi per virtual byte for each target, in the order of the targets. */
export const mempoolFeeEstimates: MempoolTable<[], readonly number[]> = {
  name: "mempool-fee-estimates",
  key: () => oneKey,
  encode: (feeRates) => {
    for (const feeRate of feeRates) writeFloat(feeRate);
    return writer.take();
  },
  decode: (bytes) => {
    const reader = new ByteReader(bytes);
    const feeRates: number[] = [];
    while (reader.hasMore) feeRates.push(readFloat(reader));
    return feeRates;
  },
};

/** The one row that says how often the transactions have changed. */
export const mempoolChanges: MempoolTable<[], number> = {
  name: "mempool-changes",
  key: () => oneKey,
  encode: (count) => writer.varint(count).take(),
  decode: (bytes) => new ByteReader(bytes).varint(),
};

export const mempoolTables: readonly { readonly name: string }[] = [
  mempoolIds,
  mempoolTransactions,
  mempoolSpends,
  mempoolHistories,
  mempoolScriptStatistics,
  mempoolSummaries,
  mempoolFeeEstimates,
  mempoolChanges,
];

const oneKey = Buffer.from([0]);

function readHead(reader: ByteReader): MempoolTransactionHead {
  return {
    txid: reader.bytes(32),
    time: reader.varint(),
    height: reader.varint(),
    fee: reader.varint(),
    virtualSize: reader.varint(),
    value: reader.varint(),
  };
}

function writeFloat(value: number): ByteWriter {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleBE(value);
  return writer.bytes(bytes);
}

function readFloat(reader: ByteReader): number {
  return Buffer.from(reader.bytes(8)).readDoubleBE();
}
