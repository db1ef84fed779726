/**
 * Knows which txids a second transaction may have.
 *
 * Coinbases before BIP 34 could be alike, and so what spends them could be. Nothing else can: a transaction names what it spends, and
 * that can be spent again only when it was made again.
 */
export class RepeatedTransactions {
  /** Of coinbases: the first words of their txids, some of which may be alike by chance. */
  readonly #coinbases = new Set<number>();
  readonly #repeated: Set<string>;

  /** `repeated`: txids in hex of wire order. */
  constructor(repeated: readonly string[]) {
    this.#repeated = new Set(repeated);
  }

  get repeated(): readonly string[] {
    return [...this.#repeated];
  }

  /** Whether there may have been a coinbase with this txid. Takes it as one that was. */
  addCoinbase(words: Uint32Array, txid: number): boolean {
    // 53 of the first 64 bits: what a number can hold.
    const fingerprint = (words[txid] ?? 0) * 0x200000 + ((words[txid + 1] ?? 0) >>> 11);
    const isRepeated = this.#coinbases.has(fingerprint);
    this.#coinbases.add(fingerprint);
    if (isRepeated) this.#repeated.add(hexOf(words, txid));
    return isRepeated;
  }

  /** Whether there may have been a transaction like the one with this txid, which spends an output of `spent`. */
  addSpender(words: Uint32Array, txid: number, spent: number): boolean {
    if (this.#repeated.size === 0 || !this.#repeated.has(hexOf(words, spent))) return false;
    this.#repeated.add(hexOf(words, txid));
    return true;
  }
}

function hexOf(words: Uint32Array, txid: number): string {
  return Buffer.from(words.buffer, words.byteOffset + txid * 4, 32).toString("hex");
}
