/** Encoder of rows into memory that is reused: no row is an object of its own. */
export class RowBytes {
  bytes: Uint8Array = new Uint8Array(64 * 1024);
  #end = 0;
  /** Views by length: rows begin where the memory does, and most are short. */
  #views: (Uint8Array | undefined)[] = [];

  get length(): number {
    return this.#end;
  }

  /** Reserves space for `count` more bytes. */
  reserve(count: number): void {
    if (this.#end + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.bytes.length * 2, this.#end + count));
    larger.set(this.bytes.subarray(0, this.#end));
    this.bytes = larger;
    this.#views = [];
  }

  /** Writes a varint. Space must have been reserved for this and each of the following. */
  varint(value: number): void {
    const { bytes } = this;
    let rest = value;
    while (rest > 0x7fffffff) {
      bytes[this.#end] = (rest % 0x80) | 0x80;
      this.#end += 1;
      rest = Math.floor(rest / 0x80);
    }
    while (rest > 0x7f) {
      bytes[this.#end] = (rest & 0x7f) | 0x80;
      this.#end += 1;
      rest >>>= 7;
    }
    bytes[this.#end] = rest;
    this.#end += 1;
  }

  byte(value: number): void {
    this.bytes[this.#end] = value;
    this.#end += 1;
  }

  /** Writes a big-endian integer. */
  uint32(value: number): void {
    const { bytes } = this;
    bytes[this.#end] = value >>> 24;
    bytes[this.#end + 1] = value >>> 16;
    bytes[this.#end + 2] = value >>> 8;
    bytes[this.#end + 3] = value;
    this.#end += 4;
  }

  copy(source: Uint8Array, start: number, length: number): void {
    const { bytes } = this;
    for (let index = 0; index < length; index += 1) bytes[this.#end + index] = source[start + index] ?? 0;
    this.#end += length;
  }

  /** Copies the bytes of words in native byte order. */
  copyWords(words: Uint32Array, start: number, length: number): void {
    const { bytes } = this;
    const end = this.#end;
    for (let index = 0; index < length; index += 1) {
      bytes[end + index] = (words[start + (index >>> 2)] ?? 0) >>> ((index & 3) << 3);
    }
    this.#end = end + length;
  }

  /** Returns the written bytes: valid until the next row. */
  take(): Uint8Array {
    const length = this.#end;
    this.#end = 0;
    if (length > maximumViewLength) return this.bytes.subarray(0, length);
    const view = this.#views[length] ?? this.bytes.subarray(0, length);
    this.#views[length] = view;
    return view;
  }
}

/** Bytes of the longest row of which a view is cached. */
const maximumViewLength = 1024;

/** Maximum bytes of one varint. */
export const maximumVarintLength = 8;
