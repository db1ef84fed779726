import { IndexerError } from "../basics/indexer-error.ts";

/** Writer of the integers and byte strings of keys and values; grows as needed. Offsets and lengths are bytes. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(capacity = 256) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  /** Writes a big-endian integer, so that keys sort as their numbers do. */
  uint32(value: number): this {
    this.#reserve(4);
    this.#length = this.#bytes.writeUInt32BE(value, this.#length);
    return this;
  }

  /** Writes LEB128: seven bits a byte, the lowest first. From 0 to 2^53-1. */
  varint(value: number): this {
    this.#reserve(8);
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.#length] = (rest % 0x80) | 0x80;
      this.#length += 1;
      rest = Math.floor(rest / 0x80);
    }
    this.#bytes[this.#length] = rest;
    this.#length += 1;
    return this;
  }

  /** Writes the same as `varint`, without its upper bound. */
  bigVarint(value: bigint): this {
    if (value <= maximumSafeInteger) return this.varint(Number(value));
    let rest = value;
    while (rest > 0x7fn) {
      this.#reserve(1);
      this.#bytes[this.#length] = Number(rest & 0x7fn) | 0x80;
      this.#length += 1;
      rest >>= 7n;
    }
    return this.varint(Number(rest));
  }

  byte(value: number): this {
    this.#reserve(1);
    this.#bytes[this.#length] = value;
    this.#length += 1;
    return this;
  }

  bytes(value: Uint8Array): this {
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
    return this;
  }

  /** Returns a copy of the written bytes, and resets the writer. */
  take(): Buffer {
    const written = Buffer.allocUnsafe(this.#length);
    this.#bytes.copy(written, 0, 0, this.#length);
    this.#length = 0;
    return written;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + count));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** Reader of the output of `ByteWriter`. Byte strings are copies: the engine reuses the memory of values. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #offset: number;

  constructor(bytes: Uint8Array, offset = 0) {
    this.#bytes = bytes;
    this.#end = bytes.length;
    this.#offset = offset;
  }

  get hasMore(): boolean {
    return this.#offset < this.#end;
  }

  uint32(): number {
    const start = this.#advance(4);
    const bytes = this.#bytes;
    return (
      (bytes[start] ?? 0) * 0x1000000 +
      (((bytes[start + 1] ?? 0) << 16) | ((bytes[start + 2] ?? 0) << 8) | (bytes[start + 3] ?? 0))
    );
  }

  varint(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
  }

  bigVarint(): bigint {
    let value = 0;
    let factor = 1;
    // Seven bytes fit in a number, which is many times faster; more are rare.
    for (; factor < 2 ** 49; factor *= 0x80) {
      const byte = this.byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return BigInt(value);
    }
    let large = BigInt(value);
    for (let shift = 49n; ; shift += 7n) {
      const byte = this.byte();
      large |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return large;
    }
  }

  byte(): number {
    return this.#bytes[this.#advance(1)] ?? 0;
  }

  bytes(length: number): Uint8Array {
    const start = this.#advance(length);
    return Uint8Array.prototype.slice.call(this.#bytes, start, start + length);
  }

  /** Copies the next `length` bytes, which should be few. */
  copyTo(target: Uint8Array, offset: number, length: number): void {
    const start = this.#advance(length);
    const bytes = this.#bytes;
    for (let index = 0; index < length; index += 1) target[offset + index] = bytes[start + index] ?? 0;
  }

  rest(): Uint8Array {
    return this.bytes(this.#end - this.#offset);
  }

  #advance(count: number): number {
    const start = this.#offset;
    if (start + count > this.#end)
      throw new IndexerError("tables-damaged", "A row of the index ends early: its tables are damaged.");
    this.#offset = start + count;
    return start;
  }
}

const maximumSafeInteger = BigInt(Number.MAX_SAFE_INTEGER);

/** Returns a key of one number: big-endian, so that byte order is number order. */
export function uint32Key(value: number): Buffer {
  const key = Buffer.allocUnsafe(4);
  key.writeUInt32BE(value, 0);
  return key;
}
