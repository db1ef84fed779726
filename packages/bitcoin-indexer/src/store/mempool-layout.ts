/**
 * Every table of the mempool, with its reason. They are created anew by each start of the indexer, so they have no version.
 *
 * Unconfirmed transactions have numbers in the order in which they arrived, from 0: 4 bytes instead of a txid's 32. Integers in keys are
 * big-endian. Txids in keys are in display order, so that the key order is that of their hex strings; elsewhere in wire order.
 */
import type { PreviousOutput } from "../chain/connected-block.ts";
import { type ScriptStatistics, readScriptSums, writeScriptSums } from "./script-sums-codec.ts";
import { ByteReader, ByteWriter, uint32Key } from "./byte-codec.ts";
import { readScript, writeScript } from "./script-codec.ts";

/** Totals of all unconfirmed transactions. */
export interface MempoolSummary {
  readonly count: number;
  /** Virtual bytes. */
  readonly virtualSize: number;
  /** Satoshi. */
  readonly totalFee: bigint;
  /**
   * Bins from the highest fee rate down: satoshi per virtual byte, and the virtual bytes that pay at least that much and less than the bin
   * before. Bins are closed above 50,000 virtual bytes, as in Esplora.
   */
  readonly feeHistogram: readonly (readonly [feeRate: number, virtualSize: number])[];
}

/** A table whose values are encoded without their keys. */
export interface MempoolTable<Key extends readonly unknown[], Value> {
  readonly name: string;
  readonly key: (...parts: Key) => Buffer;
  readonly encode: (value: Value) => Buffer;
  /** Decodes a value; retained bytes are copied. */
  readonly decode: (bytes: Uint8Array) => Value;
}

/** Summary of a transaction for recent transactions and sums, without the transaction itself. */
export interface MempoolTransactionHead {
  /** 32 bytes. */
  readonly txid: Uint8Array;
  /** Time when it was first seen, in seconds since 1970. */
  readonly time: number;
  /** Height of the best block when it was first seen. */
  readonly height: number;
  /** Satoshi. */
  readonly fee: number;
  /** Virtual bytes. */
  readonly virtualSize: number;
  /** Total value of the outputs that it spends, in satoshi. */
  readonly value: number;
}

export interface MempoolTransactionRow extends MempoolTransactionHead {
  /** Previous outputs, one for each input; height -1 for outputs of other unconfirmed transactions. */
  readonly previousOutputs: readonly PreviousOutput[];
  /** The serialized transaction. */
  readonly bytes: Uint8Array;
}

/** Effect of one transaction on one script. */
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

/** Numbers by txid, iterated in the order of the txids' hex strings. */
export const mempoolIds: MempoolTable<[displayId: Uint8Array], number> = {
  name: "mempool-ids",
  key: (displayId) => Buffer.from(displayId),
  encode: (number) => writer.uint32(number).take(),
  decode: (bytes) => new ByteReader(bytes).uint32(),
};

/** Complete transactions, in the order of arrival: new ones are appended, and the latest are adjacent. */
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
    // Its length is for readers that need nothing else.
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

/** The heads, from the beginning of the same rows. */
export const mempoolTransactionHeads: MempoolTable<[number: number], MempoolTransactionHead> = {
  name: mempoolTransactions.name,
  key: uint32Key,
  encode: () => {
    throw new Error("The head of a transaction is not written alone");
  },
  decode: (bytes) => readHead(new ByteReader(bytes)),
};

/** Returns the serialized transaction alone, from the end of the same rows; a view of them. */
export function transactionBytesIn(row: Uint8Array): Uint8Array {
  const reader = new ByteReader(row);
  readHead(reader);
  // The end is explicit: a view's memory may continue.
  return row.subarray(row.length - reader.varint(), row.length);
}

/** Bytes of a txid that the key of a spend contains: too many for two transactions to be crafted that share them. */
const spentIdLength = 16;

/** Number of transactions above which a script is busy, and has a row of statistics. */
export const maximumWalkedHistory = 64;

/** Spending inputs by output, of the chain or unconfirmed. */
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

/** A script's transactions in the order of arrival with their effects: unspent and spent outputs are derived from these rows. */
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

/** Returns the range of all rows of a script in `mempoolHistories`. */
export function historyRange(scriptHash: Uint8Array): { readonly start: Uint8Array; readonly end: Uint8Array } {
  const end = Buffer.alloc(scriptHash.length + 5, 0xff);
  end.set(scriptHash);
  return { start: scriptHash, end };
}

/** Total effect of all unconfirmed transactions on a busy script, which has too many of them to iterate for each response. */
export const mempoolScriptStatistics: MempoolTable<[scriptHash: Uint8Array], ScriptStatistics> = {
  name: "mempool-script-statistics",
  key: (scriptHash) => Buffer.from(scriptHash),
  encode: (sums) => writeScriptSums(writer, sums).take(),
  decode: (bytes) => readScriptSums(new ByteReader(bytes)),
};

/** The single row with the totals of all transactions. */
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

/** The single row of fee estimates: satoshi per virtual byte for each target, in the order of the targets. */
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

/** The single row with the number of changes. */
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
