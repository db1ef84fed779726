import { equalBytes, type Outpoint, parseTransaction, type Transaction } from "@nodewright/bitcoin-primitives";
import type { SpentOutput } from "../chain/connected-block.ts";
import { isUnspendable } from "../chain/unspendable.ts";
import type { BlockFileReader } from "./block-files.ts";
import type { BlockPlaces } from "./block-places.ts";
import { ByteReader } from "./byte-codec.ts";
import type { TableReads } from "./environment.ts";
import {
  blockPositions,
  readTransactionPlace,
  type SpentOutputRow,
  spends,
  transactionIds,
  transactionIdsPerRow,
  transactionNumbers,
  transactions,
} from "./layout.ts";

/** Position of a transaction's bytes in its block, without its spent outputs. */
type TransactionPlace = ReturnType<typeof readTransactionPlace>;

/** Lookup of transactions of the best chain in the rows of the embedded store. */
export class StoredTransactions {
  readonly #reads: TableReads;
  readonly #files: BlockFileReader;
  readonly #places: BlockPlaces;

  /** Creates the lookup. `places` are at the state that `reads` reads. */
  constructor(reads: TableReads, files: BlockFileReader, places: BlockPlaces) {
    this.#reads = reads;
    this.#files = files;
    this.#places = places;
  }

  /** Returns all transactions that may have this txid, the last first: their first bytes are the same. */
  candidates(txid: Uint8Array): readonly number[] {
    const numbers = this.#reads.get(transactionNumbers, txid);
    return numbers === undefined ? none : numbers.toReversed();
  }

  /** Returns the number of the last transaction with this txid. */
  find(txid: Uint8Array): number | undefined {
    return this.candidates(txid).find((number) => equalBytes(this.#txidView(number), txid));
  }

  txidOf(number: number): Uint8Array {
    return Buffer.from(this.#txidView(number));
  }

  /** Copies its txid into existing bytes. */
  copyTxid(number: number, target: Uint8Array, offset: number): void {
    target.set(this.#txidView(number), offset);
  }

  /** Returns the position of its bytes and the number of their outputs; not its spent outputs, which may be thousands. */
  placeOf(number: number): TransactionPlace {
    const bytes = this.#reads.view(transactions, number);
    if (bytes === undefined) throw this.#reads.damaged(`there is no transaction ${number}`);
    return readTransactionPlace(new ByteReader(bytes));
  }

  parse(number: number, place: TransactionPlace): Transaction {
    const position = this.#reads.get(blockPositions, this.#places.heightOf(number));
    if (position === undefined) throw this.#reads.damaged(`there is no block for transaction ${number}`);
    return parseTransaction(this.#files.read(position, place));
  }

  /** Returns a row's spent output with the block that created it. */
  spentOutput(row: SpentOutputRow): SpentOutput {
    const height = this.#places.heightOf(row.transactionNumber);
    return { ...row, height, isCoinbase: this.#places.isCoinbase(row.transactionNumber) };
  }

  findUnspentOutput({ txid, vout }: Outpoint): SpentOutput | undefined {
    const number = this.find(txid);
    if (number === undefined) return undefined;
    if (this.#reads.get(spends, number)?.some((spend) => spend.vout === vout) === true) return undefined;
    const output = this.parse(number, this.placeOf(number)).outputs[vout];
    if (output === undefined || isUnspendable(output.scriptPubKey)) return undefined;
    return this.spentOutput({
      transactionNumber: number,
      value: output.value,
      scriptPubKey: Buffer.from(output.scriptPubKey),
    });
  }

  /** Returns a view of the txid, valid until the next read. */
  #txidView(number: number): Uint8Array {
    const ids = this.#reads.view(transactionIds, Math.floor(number / transactionIdsPerRow));
    const start = (number % transactionIdsPerRow) * 32;
    if (ids === undefined || ids.length < start + 32)
      throw this.#reads.damaged(`there is no txid for transaction ${number}`);
    return ids.subarray(start, start + 32);
  }
}

const none: readonly number[] = [];
