import { displayHash, fromHex, parseTransaction, type TransactionId, wireHash } from "@nodewright/bitcoin-primitives";
import {
  historyRange,
  mempoolChanges,
  mempoolFeeEstimates,
  mempoolHistories,
  type MempoolHistoryRow,
  mempoolIds,
  mempoolSpends,
  mempoolSummaries,
  mempoolTransactionHeads,
  mempoolTransactions,
  transactionBytesIn,
  type MempoolSummary,
} from "../store/mempool-layout.ts";
import { noStatistics, readScriptStatistics } from "../store/script-sums.ts";
import { ByteReader } from "../store/byte-codec.ts";
import type { Environment } from "../store/environment.ts";
import { scriptPrefixLength } from "../store/layout.ts";
import { type IndexedTransaction, maximumBatch } from "./chain-queries.ts";
import type { ScriptStatistics } from "../store/script-sums-codec.ts";
import { readMember } from "./mempool-members.ts";
import {
  feeEstimateTargets,
  type MempoolEntry,
  type MempoolHistoryPage,
  type MempoolMember,
  type MempoolQueries,
  type MempoolSpend,
  type MempoolUnspentOutput,
  unknownFeeRate,
} from "./mempool-queries.ts";

const noSummary: MempoolSummary = { count: 0, virtualSize: 0, totalFee: 0n, feeHistogram: [] };

/**
 * Mempool queries over the tables of the mempool.
 *
 * Every method reads its result synchronously, and therefore from one snapshot.
 */
export class EmbeddedMempoolQueries implements MempoolQueries {
  readonly #open: () => Environment | undefined;

  /** Creates the queries. `open` returns the tables as soon as they exist; they must be used synchronously. */
  constructor(open: () => Environment | undefined) {
    this.#open = open;
  }

  async summary(): Promise<MempoolSummary> {
    return this.#open()?.get(mempoolSummaries) ?? noSummary;
  }

  async transactionIds({
    after,
    limit,
  }: {
    readonly after?: TransactionId | undefined;
    readonly limit: number;
  }): Promise<readonly TransactionId[]> {
    const last = after === undefined ? beforeEveryKey : displayBytes(after);
    if (last === undefined) return [];
    const range = { start: nextKey(last), end: afterEveryId, limit };
    return this.#open()?.keys(mempoolIds, range).map(toHex) ?? [];
  }

  async members(txids: readonly TransactionId[]): Promise<readonly (MempoolMember | undefined)[]> {
    if (txids.length > maximumBatch) throw new Error(`Requested ${txids.length} at once, more than ${maximumBatch}`);
    const environment = this.#open();
    return txids.map((txid) => {
      const number = environment && findNumber(environment, txid);
      return environment && number !== undefined ? readMember(environment, number) : undefined;
    });
  }

  async changes(): Promise<number> {
    return this.#open()?.get(mempoolChanges) ?? 0;
  }

  async recent(count: number): Promise<readonly MempoolEntry[]> {
    const range = { start: mempoolTransactions.key(maximumNumber), end: beforeEveryKey, limit: count, reverse: true };
    const rows = this.#open()?.rows(mempoolTransactions, range) ?? [];
    return rows.map(({ value }) => {
      const head = mempoolTransactionHeads.decode(value);
      return {
        txid: displayHash(head.txid),
        fee: BigInt(head.fee),
        virtualSize: head.virtualSize,
        value: BigInt(head.value),
        time: head.time,
      };
    });
  }

  async transaction(txid: TransactionId): Promise<IndexedTransaction | undefined> {
    const environment = this.#open();
    if (environment === undefined) return undefined;
    const number = findNumber(environment, txid);
    return number === undefined ? undefined : readTransaction(environment, number);
  }

  async has(txid: TransactionId): Promise<boolean> {
    const environment = this.#open();
    return environment !== undefined && findNumber(environment, txid) !== undefined;
  }

  async spends(
    outpoints: readonly { readonly txid: TransactionId; readonly vout: number }[],
  ): Promise<readonly (MempoolSpend | undefined)[]> {
    const environment = this.#open();
    return outpoints.map((outpoint) => {
      const txid = wireHash(outpoint.txid);
      if (environment === undefined || txid === undefined || !isUint32(outpoint.vout)) return undefined;
      const spend = environment.get(mempoolSpends, txid, outpoint.vout);
      if (spend === undefined) return undefined;
      return { txid: idOf(environment, spend.number), vin: spend.vin };
    });
  }

  async scriptStatistics(text: string): Promise<ScriptStatistics> {
    const scriptHash = scriptHashPrefix(text);
    const environment = this.#open();
    if (environment === undefined || scriptHash === undefined) return noStatistics;
    return readScriptStatistics(environment, scriptHash);
  }

  async scriptHistory(text: string, { after, limit }: MempoolHistoryPage): Promise<readonly IndexedTransaction[]> {
    const environment = this.#open();
    const scriptHash = scriptHashPrefix(text);
    if (environment === undefined || scriptHash === undefined) return [];
    let from: Uint8Array = mempoolHistories.key(scriptHash, maximumNumber);
    if (after !== undefined) {
      const number = findNumber(environment, after);
      if (number === undefined || !environment.has(mempoolHistories, scriptHash, number)) return [];
      if (number === 0) return [];
      from = mempoolHistories.key(scriptHash, number - 1);
    }
    const keys = environment.keys(mempoolHistories, { start: from, end: scriptHash, limit, reverse: true });
    return keys.map((key) => readTransaction(environment, numberOfKey(key)));
  }

  async unspentOutputs(text: string): Promise<readonly MempoolUnspentOutput[]> {
    const environment = this.#open();
    const unspent: MempoolUnspentOutput[] = [];
    for (const { number, row } of historyOf(environment, text)) {
      if (environment === undefined || row.funded.length === 0) continue;
      const { txid } = headOf(environment, number);
      for (const { vout, value } of row.funded) {
        if (!environment.has(mempoolSpends, txid, vout)) unspent.push({ txid: displayHash(txid), vout, value });
      }
    }
    return unspent;
  }

  async spentOutputs(text: string): Promise<readonly { readonly txid: TransactionId; readonly vout: number }[]> {
    const environment = this.#open();
    const spent: { readonly txid: TransactionId; readonly vout: number }[] = [];
    for (const { number, row } of historyOf(environment, text)) {
      if (environment === undefined || row.spent.length === 0) continue;
      const bytes = environment.view(mempoolTransactions, number);
      if (bytes === undefined) throw new Error(`The mempool has no transaction ${number}`);
      const spends = readSpends(transactionBytesIn(bytes), (row.spent.at(-1)?.vin ?? 0) + 1);
      for (const { vin } of row.spent) {
        const spend = spends[vin];
        if (spend !== undefined) spent.push(spend);
      }
    }
    return spent;
  }

  async feeEstimates(): Promise<ReadonlyMap<number, number>> {
    const feeRates = this.#open()?.get(mempoolFeeEstimates) ?? [];
    return new Map(feeEstimateTargets.map((target, index) => [target, feeRates[index] ?? unknownFeeRate]));
  }
}

const maximumNumber = 0xffffffff;

/** Key that sorts before all numbers and txids. */
const beforeEveryKey = Buffer.alloc(1);

/** Key that sorts after all txids. */
const afterEveryId = Buffer.alloc(33, 0xff);

function findNumber(environment: Environment, txid: TransactionId): number | undefined {
  const id = displayBytes(txid);
  return id === undefined ? undefined : environment.get(mempoolIds, id);
}

function readTransaction(environment: Environment, number: number): IndexedTransaction {
  const row = environment.get(mempoolTransactions, number);
  if (row === undefined) throw new Error(`The mempool has no transaction ${number}`);
  return {
    txid: displayHash(row.txid),
    transaction: parseTransaction(row.bytes),
    previousOutputs: row.previousOutputs,
    fee: BigInt(row.fee),
  };
}

function headOf(environment: Environment, number: number): { readonly txid: Uint8Array } {
  const head = environment.get(mempoolTransactionHeads, number);
  if (head === undefined) throw new Error(`The mempool has no transaction ${number}`);
  return head;
}

function idOf(environment: Environment, number: number): TransactionId {
  return displayHash(headOf(environment, number).txid);
}

/** Returns the history in the order of arrival. */
function historyOf(
  environment: Environment | undefined,
  text: string,
): readonly { readonly number: number; readonly row: MempoolHistoryRow }[] {
  const scriptHash = scriptHashPrefix(text);
  if (environment === undefined || scriptHash === undefined) return [];
  return environment.rows(mempoolHistories, historyRange(scriptHash)).map(({ key, value }) => ({
    number: numberOfKey(key),
    row: mempoolHistories.decode(value),
  }));
}

function numberOfKey(key: Uint8Array): number {
  return new ByteReader(key, key.length - 4).uint32();
}

/** Returns the outpoints that the first `count` inputs of a serialized transaction spend. A hundred times faster than parsing it. */
function readSpends(
  bytes: Uint8Array,
  count: number,
): readonly { readonly txid: TransactionId; readonly vout: number }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const spends: { readonly txid: TransactionId; readonly vout: number }[] = [];
  // After the version: BIP 144's marker and flag, or the number of inputs, which is never 0 here.
  let offset = bytes[4] === 0 ? 6 : 4;
  const readCount = (): number => {
    const first = view.getUint8(offset);
    const length = first < 0xfd ? 1 : first === 0xfd ? 3 : 5;
    const value =
      length === 1 ? first : length === 3 ? view.getUint16(offset + 1, true) : view.getUint32(offset + 1, true);
    offset += length;
    return value;
  };
  for (let left = Math.min(readCount(), count); left > 0; left -= 1) {
    spends.push({ txid: displayHash(bytes.subarray(offset, offset + 32)), vout: view.getUint32(offset + 32, true) });
    offset += 36;
    // The scriptSig and the sequence.
    const scriptLength = readCount();
    offset += scriptLength + 4;
  }
  return spends;
}

function displayBytes(txid: TransactionId): Uint8Array | undefined {
  return txid.length === 64 ? fromHex(txid) : undefined;
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function scriptHashPrefix(text: string): Uint8Array | undefined {
  return text.length === 64 ? fromHex(text)?.subarray(0, scriptPrefixLength) : undefined;
}

/** Returns the first key after `key` in byte order. */
function nextKey(key: Uint8Array): Uint8Array {
  const next = Buffer.alloc(key.length + 1);
  next.set(key);
  return next;
}

function isUint32(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 0xffffffff;
}
