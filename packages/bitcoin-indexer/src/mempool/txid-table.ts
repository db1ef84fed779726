import { randomBytes } from "node:crypto";

/** Position of a txid in a table: stable until it is deleted, and then reused. */
export type Slot = number;

/** Value in place of a slot when the table has no such txid. */
export const noSlot: Slot = -1;

const idLength = 32;
const smallestCapacity = 1_024;

/** Invalid listing that marks a free slot. */
const free = 0xffffffff;

/**
 * Txids in wire order with two numbers each, in 50 to 70 bytes for each instead of some 250 for an object and a string.
 *
 * The hash has a secret seed: transactions can't be crafted to collide.
 */
export class TxidTable {
  #txids: Buffer = Buffer.alloc(0);
  /** Numbers; for free slots, the next free one. */
  #numbers = new Uint32Array(0);
  #listings = new Uint32Array(0);
  /** Slots by hash, plus 1; 0 for an empty slot. Linear probing. */
  #places = new Int32Array(0);
  readonly #seeds: readonly [number, number];
  #firstFree: Slot = noSlot;
  #end = 0;
  #size = 0;

  constructor() {
    const seeds = randomBytes(8);
    this.#seeds = [seeds.readInt32LE(0), seeds.readInt32LE(4)];
  }

  get size(): number {
    return this.#size;
  }

  /** Number of slots that fit before the next growth: columns of others can have this length. */
  get capacity(): number {
    return this.#numbers.length;
  }

  /** Returns the slot of the txid that begins at `offset`, or `noSlot`. */
  find(txid: Uint8Array, offset = 0): Slot {
    if (this.#size === 0) return noSlot;
    const mask = this.#places.length - 1;
    for (let place = this.#hash(txid, offset) & mask; ; place = (place + 1) & mask) {
      const slot = (this.#places[place] ?? 0) - 1;
      if (slot === noSlot || this.#isAt(slot, txid, offset)) return slot;
    }
  }

  /** Adds a txid, which must not be present. `listing` is below 4,294,967,295. */
  add(txid: Uint8Array, number: number, listing: number): Slot {
    if (this.#firstFree === noSlot && this.#end === this.capacity) this.#grow();
    let slot = this.#firstFree;
    if (slot === noSlot) {
      slot = this.#end;
      this.#end += 1;
    } else this.#firstFree = (this.#numbers[slot] ?? 0) - 1;
    this.#txids.set(txid.subarray(0, idLength), slot * idLength);
    this.#numbers[slot] = number;
    this.#listings[slot] = listing;
    this.#size += 1;
    this.#enterPlace(slot);
    return slot;
  }

  delete(slot: Slot): void {
    this.#leavePlace(slot);
    this.#numbers[slot] = this.#firstFree + 1;
    this.#listings[slot] = free;
    this.#firstFree = slot;
    this.#size -= 1;
  }

  /** Yields every slot that has a txid, in no particular order. Changes meanwhile are allowed. */
  *slots(): Iterable<Slot> {
    for (let slot = 0; slot < this.#end; slot += 1) if (this.#listings[slot] !== free) yield slot;
  }

  /** Returns whether the slot still has the txid that it had when `number` was read; numbers must be unique. */
  isStill(slot: Slot, number: number): boolean {
    return this.#listings[slot] !== free && this.#numbers[slot] === number;
  }

  /** Returns a copy of the txid. */
  txidOf(slot: Slot): Buffer {
    return Buffer.from(this.#txids.subarray(slot * idLength, (slot + 1) * idLength));
  }

  numberOf(slot: Slot): number {
    return this.#numbers[slot] ?? 0;
  }

  setNumber(slot: Slot, number: number): void {
    this.#numbers[slot] = number;
  }

  listingOf(slot: Slot): number {
    return this.#listings[slot] ?? 0;
  }

  setListing(slot: Slot, listing: number): void {
    this.#listings[slot] = listing;
  }

  #isAt(slot: Slot, txid: Uint8Array, offset: number): boolean {
    const start = slot * idLength;
    for (let index = 0; index < idLength; index += 1) {
      if (this.#txids[start + index] !== txid[offset + index]) return false;
    }
    return true;
  }

  /** Hashes the first eight bytes, which are as random as all others. */
  #hash(bytes: Uint8Array, offset: number): number {
    const [first, second] = this.#seeds;
    let mixed = Math.imul(word(bytes, offset) ^ first, 0x9e3779b1);
    mixed = Math.imul(mixed ^ (mixed >>> 15) ^ word(bytes, offset + 4) ^ second, 0x85ebca6b);
    return mixed ^ (mixed >>> 13);
  }

  #enterPlace(slot: Slot): void {
    const mask = this.#places.length - 1;
    let place = this.#hash(this.#txids, slot * idLength) & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = slot + 1;
  }

  /** Removes a place. Entries after it that are not at their home place move up, so that no gap remains. */
  #leavePlace(slot: Slot): void {
    const mask = this.#places.length - 1;
    let gap = this.#hash(this.#txids, slot * idLength) & mask;
    while (this.#places[gap] !== slot + 1) gap = (gap + 1) & mask;
    for (let place = (gap + 1) & mask; ; place = (place + 1) & mask) {
      const other = (this.#places[place] ?? 0) - 1;
      if (other === noSlot) break;
      const wished = this.#hash(this.#txids, other * idLength) & mask;
      if (((place - wished) & mask) < ((place - gap) & mask)) continue;
      this.#places[gap] = other + 1;
      gap = place;
    }
    this.#places[gap] = 0;
  }

  /** Grows the table; called while every slot has a txid. */
  #grow(): void {
    const capacity = Math.max(smallestCapacity, Math.ceil(this.capacity * 1.5));
    const txids = Buffer.alloc(capacity * idLength);
    txids.set(this.#txids);
    this.#txids = txids;
    this.#numbers = grown(this.#numbers, new Uint32Array(capacity));
    this.#listings = grown(this.#listings, new Uint32Array(capacity));
    if (capacity * 2 <= this.#places.length) return;
    this.#places = new Int32Array(2 ** Math.ceil(Math.log2(capacity * 2)));
    for (let slot = 0; slot < this.#end; slot += 1) this.#enterPlace(slot);
  }
}

/** Returns a larger column with the content of the smaller one. */
export function grown<Column extends Uint32Array | Float64Array>(column: Column, larger: Column): Column {
  larger.set(column);
  return larger;
}

function word(bytes: Uint8Array, offset: number): number {
  return (
    (bytes[offset] ?? 0) |
    ((bytes[offset + 1] ?? 0) << 8) |
    ((bytes[offset + 2] ?? 0) << 16) |
    ((bytes[offset + 3] ?? 0) << 24)
  );
}
