/** Words of an entry before its outputs. The txid comes first: eight little-endian words of its wire order. */
const headWords = 12;
const entryColumn = { transactionNumber: 8, outputs: 9, unspent: 10, length: 11 } as const;
/** Words of an output reference: its number, and the offset of its record, in words from the entry; 0 once it is spent. */
const outputRefWords = 2;

/** Words of a record before its script. */
export const recordHeadWords = 7;
/**
 * Columns of an output's record: its value, its script's hash, and its script as rows encode it, padded with zeros to a multiple of a word.
 */
export const recordColumn = { valueLow: 0, valueHigh: 1, hash: 2, scriptLength: 6, script: 7 } as const;

const none = -1;

/** An output during iteration; offsets are words of `UnspentArena.words`. */
export interface UnspentOutput {
  /** Offset of the entry: its txid comes first. */
  readonly entry: number;
  readonly transactionNumber: number;
  readonly vout: number;
  readonly record: number;
}

/**
 * Unspent outputs in memory: their transactions follow each other in an array of 32-bit words, in chain order, with an open-addressing
 * table from txid to offset. No object exists for any of them.
 *
 * The last one of transactions with the same txid is found. Complete txids are compared, so txids crafted with the same beginning gain
 * nothing. The table's places depend on a number that each process draws at random.
 */
export class UnspentArena {
  #words: Uint32Array;
  #bytes: Uint8Array;
  #end = 0;
  /** Two words for each slot: the entry's first word plus one, 0 where it is empty, and its hash. */
  #slots = new Uint32Array(firstSlots * 2);
  #entries = 0;
  readonly #seed: number;

  /** Creates the arena. `capacity`: words; physical memory is used as it is written. */
  constructor(capacity: number, seed: number = Math.floor(Math.random() * 2 ** 32)) {
    this.#words = new Uint32Array(capacity);
    this.#bytes = new Uint8Array(this.#words.buffer);
    this.#seed = seed;
  }

  /** All words; `reserve` may replace the array. */
  get words(): Uint32Array {
    return this.#words;
  }

  /** Number of words in use, including those of spent outputs. */
  get end(): number {
    return this.#end;
  }

  get capacity(): number {
    return this.#words.length;
  }

  /** Reserves space for `words` more, beyond the capacity when necessary. */
  reserve(words: number): void {
    if (this.#end + words <= this.#words.length) return;
    const larger = new Uint32Array(Math.max(Math.ceil(this.#words.length * 1.25), this.#end + words));
    larger.set(this.#words.subarray(0, this.#end));
    this.#words = larger;
    this.#bytes = new Uint8Array(larger.buffer);
  }

  /** Returns the entry of the transaction with the txid at `source[index]`, or -1. */
  find(source: Uint32Array, index: number): number {
    const hash = this.#hashOf(source, index);
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = (hash << 1) & mask; ; slot = (slot + 2) & mask) {
      const place = slots[slot] ?? 0;
      if (place === 0) return none;
      if (slots[slot + 1] === hash && this.#hasTxid(place - 1, source, index)) return place - 1;
    }
  }

  /**
   * Takes an output from its entry and returns the first word of its record, which stays readable until `compact`; -1 when it does not
   * exist.
   */
  take(entry: number, vout: number): number {
    const ref = this.#findOutput(entry, vout);
    if (ref === none) return none;
    const words = this.#words;
    const record = words[ref + 1] ?? 0;
    if (record === 0) return none;
    words[ref + 1] = 0;
    const unspent = (words[entry + entryColumn.unspent] ?? 0) - 1;
    words[entry + entryColumn.unspent] = unspent;
    if (unspent === 0) this.#forget(entry);
    return entry + record;
  }

  transactionNumberOf(entry: number): number {
    return this.#words[entry + entryColumn.transactionNumber] ?? 0;
  }

  /**
   * Begins an entry of `outputs` outputs; `reserve` must have been called. Then `addOutput` follows for each, ascending, then
   * `finishEntry`.
   */
  beginEntry(source: Uint32Array, index: number, transactionNumber: number, outputs: number): number {
    const words = this.#words;
    const entry = this.#end;
    for (let word = 0; word < 8; word += 1) words[entry + word] = source[index + word] ?? 0;
    words[entry + entryColumn.transactionNumber] = transactionNumber;
    words[entry + entryColumn.outputs] = outputs;
    words[entry + entryColumn.unspent] = outputs;
    this.#end = entry + headWords + outputs * outputRefWords;
    return entry;
  }

  /** Returns the first word of a record with space for a script of `scriptLength` bytes. The caller writes all of its columns. */
  addOutput(entry: number, position: number, vout: number, scriptLength: number): number {
    const words = this.#words;
    const ref = entry + headWords + position * outputRefWords;
    const record = this.#end;
    words[ref] = vout;
    words[ref + 1] = record - entry;
    words[record + recordColumn.scriptLength] = scriptLength;
    this.#end = record + recordHeadWords + ((scriptLength + 3) >>> 2);
    // The padding takes part in comparisons of the script.
    if (scriptLength > 0) words[this.#end - 1] = 0;
    return record;
  }

  /** Copies the script of a record to the space that `addOutput` reserved. */
  copyScript(record: number, bytes: Uint8Array, address: number, length: number): void {
    const target = (record + recordHeadWords) * 4;
    for (let index = 0; index < length; index += 1) this.#bytes[target + index] = bytes[address + index] ?? 0;
  }

  finishEntry(entry: number): void {
    this.#words[entry + entryColumn.length] = this.#end - entry;
    this.#put(entry);
  }

  /** Adds a record that belongs to no output any more, for an output taken from elsewhere. `reserve` must have been called. */
  addTaken(scriptLength: number): number {
    const entry = this.#end;
    const words = this.#words;
    words.fill(0, entry, entry + headWords);
    this.#end = entry + headWords;
    words[this.#end + recordColumn.scriptLength] = scriptLength;
    const record = this.#end;
    this.#end = record + recordHeadWords + ((scriptLength + 3) >>> 2);
    if (scriptLength > 0) words[this.#end - 1] = 0;
    words[entry + entryColumn.length] = this.#end - entry;
    return record;
  }

  /** Returns the words of an entry of such outputs: an upper bound for `reserve`. */
  static wordsFor(outputs: number, scriptBytes: number): number {
    return headWords + outputs * (outputRefWords + recordHeadWords + 1) + ((scriptBytes + 3) >>> 2);
  }

  /** Yields the unspent outputs of one entry. */
  *outputsOf(entry: number): Generator<UnspentOutput> {
    const words = this.#words;
    const transactionNumber = this.transactionNumberOf(entry);
    const outputs = words[entry + entryColumn.outputs] ?? 0;
    for (let position = 0; position < outputs; position += 1) {
      const ref = entry + headWords + position * outputRefWords;
      const record = words[ref + 1] ?? 0;
      if (record !== 0) yield { entry, transactionNumber, vout: words[ref] ?? 0, record: entry + record };
    }
  }

  /** Yields the entries with unspent outputs, in chain order. */
  *entries(): Generator<number> {
    for (let entry = 0; entry < this.#end; entry += this.#words[entry + entryColumn.length] ?? 0) {
      if ((this.#words[entry + entryColumn.unspent] ?? 0) > 0) yield entry;
    }
  }

  /** Returns the maximum words of the entry after `compact`. */
  lengthOf(entry: number): number {
    return this.#words[entry + entryColumn.length] ?? 0;
  }

  /** Removes an entry with all its unspent outputs. */
  remove(entry: number): void {
    this.#forget(entry);
    this.#words[entry + entryColumn.unspent] = 0;
  }

  /** Drops spent outputs: the rest is contiguous from the first word on. */
  compact(): void {
    const end = this.#end;
    this.#end = 0;
    for (let entry = 0; entry < end; ) {
      const length = this.#words[entry + entryColumn.length] ?? 0;
      if ((this.#words[entry + entryColumn.unspent] ?? 0) > 0) this.#move(entry, length);
      entry += length;
    }
    this.#index();
  }

  /** Loads the words of a compact arena. */
  load(words: Uint32Array): void {
    this.#end = 0;
    this.reserve(words.length);
    this.#words.set(words);
    this.#end = words.length;
    this.#index();
  }

  /** Moves an entry down to the end, without its spent outputs. */
  #move(entry: number, length: number): void {
    const words = this.#words;
    const target = this.#end;
    const unspent = words[entry + entryColumn.unspent] ?? 0;
    if (words[entry + entryColumn.outputs] === unspent) {
      if (target !== entry) words.copyWithin(target, entry, entry + length);
      this.#end = target + length;
      return;
    }
    const old = words.slice(entry, entry + length);
    words.set(old.subarray(0, headWords), target);
    words[target + entryColumn.outputs] = unspent;
    let ref = headWords;
    let record = headWords + unspent * outputRefWords;
    const outputs = old[entryColumn.outputs] ?? 0;
    for (let position = 0; position < outputs; position += 1) {
      const oldRef = headWords + position * outputRefWords;
      const from = old[oldRef + 1] ?? 0;
      if (from === 0) continue;
      words[target + ref] = old[oldRef] ?? 0;
      words[target + ref + 1] = record;
      ref += outputRefWords;
      const recordWords = recordHeadWords + (((old[from + recordColumn.scriptLength] ?? 0) + 3) >>> 2);
      for (let word = 0; word < recordWords; word += 1) words[target + record + word] = old[from + word] ?? 0;
      record += recordWords;
    }
    words[target + entryColumn.length] = record;
    this.#end = target + record;
  }

  #index(): void {
    this.#entries = 0;
    this.#slots.fill(0);
    for (const entry of this.entries()) this.#put(entry);
  }

  #put(entry: number): void {
    if (this.#entries * 4 >= this.#slots.length) this.#growTable();
    this.#putHashed(entry, this.#hashOf(this.#words, entry));
    this.#entries += 1;
  }

  #putHashed(entry: number, hash: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = (hash << 1) & mask;
    while (slots[slot] !== 0) slot = (slot + 2) & mask;
    slots[slot] = entry + 1;
    slots[slot + 1] = hash;
  }

  #growTable(): void {
    const slots = this.#slots;
    this.#slots = new Uint32Array(slots.length * 2);
    for (let slot = 0; slot < slots.length; slot += 2) {
      const place = slots[slot] ?? 0;
      if (place !== 0) this.#putHashed(place - 1, slots[slot + 1] ?? 0);
    }
  }

  /** Removes an entry from the table, and closes the gap, so that the entries after it are still found. */
  #forget(entry: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let gap = (this.#hashOf(this.#words, entry) << 1) & mask;
    while (slots[gap] !== entry + 1) {
      if (slots[gap] === 0) return;
      gap = (gap + 2) & mask;
    }
    this.#entries -= 1;
    for (let slot = (gap + 2) & mask; slots[slot] !== 0; slot = (slot + 2) & mask) {
      const home = ((slots[slot + 1] ?? 0) << 1) & mask;
      // Whether the gap lies between its home slot and its current slot.
      if (((slot - home) & mask) < ((slot - gap) & mask)) continue;
      slots[gap] = slots[slot] ?? 0;
      slots[gap + 1] = slots[slot + 1] ?? 0;
      gap = slot;
    }
    slots[gap] = 0;
  }

  #findOutput(entry: number, vout: number): number {
    const words = this.#words;
    const first = entry + headWords;
    let high = words[entry + entryColumn.outputs] ?? 0;
    // If no output was left out, an output's position is its number.
    if (vout < high && words[first + vout * outputRefWords] === vout) return first + vout * outputRefWords;
    let low = 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = words[first + middle * outputRefWords] ?? 0;
      if (found === vout) return first + middle * outputRefWords;
      if (found < vout) low = middle + 1;
      else high = middle;
    }
    return none;
  }

  #hasTxid(entry: number, source: Uint32Array, index: number): boolean {
    const words = this.#words;
    for (let word = 0; word < 8; word += 1) if (words[entry + word] !== source[index + word]) return false;
    return true;
  }

  #hashOf(source: Uint32Array, index: number): number {
    const first = Math.imul((source[index] ?? 0) ^ this.#seed, 0x9e3779b1);
    const second = Math.imul((source[index + 1] ?? 0) + first, 0x85ebca77);
    const third = Math.imul((source[index + 2] ?? 0) ^ second ^ (second >>> 15), 0xc2b2ae3d);
    return (third ^ (third >>> 13)) >>> 0;
  }
}

/** Initial number of slots: a power of two, as every size of the table. */
const firstSlots = 4_096;
