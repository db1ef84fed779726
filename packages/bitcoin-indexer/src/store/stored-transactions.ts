import {
  displayHash,
  equalBytes,
  type Outpoint,
  parseTransaction,
  type Transaction,
} from "@nodewright/bitcoin-primitives";
import type { SpentOutput } from "../chain/connected-block.ts";
import { isUnspendable } from "../chain/unspendable.ts";
import type { BlockFileReader } from "./block-files.ts";
import { ByteReader } from "./byte-codec.ts";
import type { Environment } from "./environment.ts";
import {
  type BlockRow,
  blockPositions,
  blocks,
  spends,
  type Table,
  type TransactionRow,
  transactionIds,
  transactionIdsPerRow,
  transactionNumbers,
  transactions,
} from "./layout.ts";

/** A transaction of the best chain as its rows tell it. */
export interface StoredTransaction {
  readonly number: number;
  readonly row: TransactionRow;
  readonly block: BlockRow;
}

/** Only the height, where the spent outputs do not matter: a transaction may have thousands. */
const transactionHeights: Table<[transactionNumber: number], number> = {
  ...transactions,
  encode: () => {
    throw new Error("A height is not written alone");
  },
  decode: (bytes) => new ByteReader(bytes).uint32(),
};

/** Finds transactions of the best chain in the rows of the embedded store. */
export class StoredTransactions {
  readonly #environment: Environment;
  readonly #files: BlockFileReader;

  constructor(environment: Environment, files: BlockFileReader) {
    this.#environment = environment;
    this.#files = files;
  }

  /** The last one with this txid. */
  find(txid: Uint8Array): StoredTransaction | undefined {
    const numbers = this.#environment.get(transactionNumbers, txid) ?? [];
    for (const number of numbers.toReversed()) {
      const row = this.#environment.get(transactions, number);
      const block = row === undefined ? undefined : this.#environment.get(blocks, row.height);
      if (row === undefined || block === undefined) continue;
      if (equalBytes(this.#txidOf(number, row.height, block), txid)) return { number, row, block };
    }
    return undefined;
  }

  get(number: number): StoredTransaction {
    const row = this.#environment.get(transactions, number);
    const block = row === undefined ? undefined : this.#environment.get(blocks, row.height);
    if (row === undefined || block === undefined) throw new Error(`The index has no transaction ${number}`);
    return { number, row, block };
  }

  heightOf(number: number): number {
    const height = this.#environment.get(transactionHeights, number);
    if (height === undefined) throw new Error(`The index has no transaction ${number}`);
    return height;
  }

  txidOf(number: number, height: number, block: BlockRow): string {
    return displayHash(this.#txidOf(number, height, block));
  }

  parse({ row }: StoredTransaction): Transaction {
    const position = this.#environment.get(blockPositions, row.height);
    if (position === undefined) throw new Error(`The index has no block at height ${row.height}`);
    return parseTransaction(this.#files.read(position, row.offset, row.size));
  }

  findUnspentOutput({ txid, vout }: Outpoint): SpentOutput | undefined {
    const found = this.find(txid);
    if (found === undefined || this.#environment.has(spends, found.number, vout)) return undefined;
    const output = this.parse(found).outputs[vout];
    if (output === undefined || isUnspendable(output.scriptPubKey)) return undefined;
    return {
      transactionNumber: found.number,
      height: found.row.height,
      isCoinbase: found.number === found.block.firstTransactionNumber,
      value: output.value,
      scriptPubKey: output.scriptPubKey,
    };
  }

  #txidOf(number: number, height: number, block: BlockRow): Uint8Array {
    const position = number - block.firstTransactionNumber;
    const ids = this.#environment.get(transactionIds, height, Math.floor(position / transactionIdsPerRow));
    const start = (position % transactionIdsPerRow) * 32;
    if (ids === undefined || ids.length < start + 32)
      throw new Error(`The index has no txid for transaction ${number}`);
    return ids.subarray(start, start + 32);
  }
}
