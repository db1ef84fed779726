/**
 * Set of the txids that a second transaction may have.
 *
 * Coinbases before BIP 34 could be identical, and so could transactions that spend them. Others cannot: a transaction refers to the outputs
 * that it spends, which can be spent again only when they were created again.
 */
export class RepeatedTransactions {
  /** Coinbases: the first words of their txids, some of which may be equal by chance. */
  readonly #coinbases = new Set<number>();
  readonly #repeated: Set<string>;

  /** Creates the set. `repeated`: txids in hex of wire order. */
  constructor(repeated: readonly string[]) {
    this.#repeated = new Set(repeated);
  }

  get repeated(): readonly string[] {
    return [...this.#repeated];
  }

  /** Returns whether there may have been a coinbase with this txid, and adds it. */
  addCoinbase(words: Uint32Array, txid: number): boolean {
    // 53 of the first 64 bits: as many as a number can hold.
    const fingerprint = (words[txid] ?? 0) * 0x200000 + ((words[txid + 1] ?? 0) >>> 11);
    const isRepeated = this.#coinbases.has(fingerprint);
    this.#coinbases.add(fingerprint);
    if (isRepeated) this.#repeated.add(hexOf(words, txid));
    return isRepeated;
  }

  /** Returns whether there may have been another transaction with this txid, which spends an output of `spent`. */
  addSpender(words: Uint32Array, txid: number, spent: number): boolean {
    if (this.#repeated.size === 0 || !this.#repeated.has(hexOf(words, spent))) return false;
    this.#repeated.add(hexOf(words, txid));
    return true;
  }
}

function hexOf(words: Uint32Array, txid: number): string {
  return Buffer.from(words.buffer, words.byteOffset + txid * 4, 32).toString("hex");
}
