import { acquireBytes } from "./pooled-bytes.ts";

/** Maximum capacity that is kept for the next text; a larger buffer is released. */
const keptCapacity = 512 * 1024;

/** Length from which Node's own hex is faster than ours, which costs no call. */
const longHex = 192;

/** The two digits of each byte, as one number that is written lowest byte first. */
const digitPairs: Uint16Array = Uint16Array.from({ length: 256 }, (_, byte) => {
  const digits = byte.toString(16).padStart(2, "0");
  return digits.charCodeAt(0) | (digits.charCodeAt(1) << 8);
});

const zero = 0x30;

/** Text that is written often: four bytes at a time, the last ones padded. */
export interface Literal {
  readonly words: Int32Array;
  /** Length in bytes. */
  readonly length: number;
}

/** Prepares text that has no character above U+007F. */
export function literalOf(text: string): Literal {
  const bytes = Buffer.alloc(Math.ceil(text.length / 4) * 4);
  bytes.write(text, "latin1");
  const words = Int32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readInt32LE(index * 4));
  return { words, length: text.length };
}

/** Writer of JSON in bytes, one piece after the other, into reused memory. Nothing is escaped. */
export class JsonBytes {
  #bytes: Buffer = Buffer.allocUnsafeSlow(keptCapacity);
  #view: DataView = new DataView(this.#bytes.buffer);
  #length = 0;

  /** Writes characters up to U+007F. */
  text(text: string): void {
    this.#reserve(text.length);
    this.#length += this.#bytes.write(text, this.#length, "latin1");
  }

  /** Writes the same without a call into Node. */
  literal({ words, length }: Literal): void {
    const count = words.length;
    this.#reserve(4 * count);
    const view = this.#view;
    let at = this.#length;
    // The padding of the last word is overwritten by the next piece.
    for (let index = 0; index < count; index += 1) {
      view.setInt32(at, words[index] ?? 0, true);
      at += 4;
    }
    this.#length += length;
  }

  /** Copies a few bytes. Up to three after them are read. */
  copy(source: DataView, start: number, length: number): void {
    this.#reserve(length + 3);
    const view = this.#view;
    const at = this.#length;
    for (let index = 0; index < length; index += 4)
      view.setInt32(at + index, source.getInt32(start + index, true), true);
    this.#length = at + length;
  }

  /** Repeats the bytes between two lengths. */
  again(start: number, end: number): void {
    this.#reserve(end - start + 3);
    const view = this.#view;
    let at = this.#length;
    for (let index = start; index < end; index += 4) {
      view.setInt32(at, view.getInt32(index, true), true);
      at += 4;
    }
    this.#length += end - start;
  }

  /** Writes bytes of another source. */
  bytes(source: Uint8Array): void {
    this.#reserve(source.length);
    this.#bytes.set(source, this.#length);
    this.#length += source.length;
  }

  byte(character: number): void {
    this.#reserve(1);
    this.#bytes[this.#length] = character;
    this.#length += 1;
  }

  /** Writes the digits of the bytes from `start` on, in lower case. */
  hex(source: Uint8Array, start: number, end: number): void {
    if (end - start >= longHex) {
      this.text(Buffer.from(source.buffer, source.byteOffset + start, end - start).toString("hex"));
      return;
    }
    this.#reserve(2 * (end - start));
    const view = this.#view;
    let at = this.#length;
    for (let index = start; index < end; index += 1) {
      view.setUint16(at, digitPairs[source[index] ?? 0] ?? 0, true);
      at += 2;
    }
    this.#length = at;
  }

  /** Writes the hash of 32 bytes at `start` in display order: reversed. */
  displayHash(source: Uint8Array, start: number): void {
    this.#reserve(64);
    const view = this.#view;
    let at = this.#length;
    for (let index = start + 31; index >= start; index -= 1) {
      view.setUint16(at, digitPairs[source[index] ?? 0] ?? 0, true);
      at += 2;
    }
    this.#length = at;
  }

  /** Writes a number as JavaScript does. */
  number(value: number): void {
    if (value < 0 || !Number.isSafeInteger(value)) this.text(String(value));
    else if (value < billion) this.#digits(value, lengthOf(value));
    else {
      const upper = Math.floor(value / billion);
      if (upper < billion) {
        this.#digits(upper, lengthOf(upper));
        this.#digits(value - upper * billion, 9);
      } else this.text(String(value));
    }
  }

  /** Writes an integer of units of which there are a hundred million in one, with eight places: 150000000 becomes `1.50000000`. */
  hundredMillionths(units: number): void {
    if (units < 0 || !Number.isSafeInteger(units)) {
      this.text(hundredMillionthsText(BigInt(units)));
      return;
    }
    const whole = Math.floor(units / hundredMillion);
    this.number(whole);
    this.byte(point);
    this.#digits(units - whole * hundredMillion, 8);
  }

  /** Number of written bytes. */
  get length(): number {
    return this.#length;
  }

  /** Returns the written text, and resets the writer. */
  takeText(): string {
    const text = this.#bytes.toString("latin1", 0, this.#length);
    this.#startAnew();
    return text;
  }

  /** Returns a copy of the written bytes, and resets the writer. */
  takeBytes(): Buffer {
    const taken = Buffer.allocUnsafeSlow(this.#length);
    this.#bytes.copy(taken, 0, 0, this.#length);
    this.#startAnew();
    return taken;
  }

  /** Returns the same for a response that is sent once: the bytes are acquired, and may be released. */
  takePooled(): Uint8Array {
    const taken = acquireBytes(this.#length);
    taken.set(this.#bytes.subarray(0, this.#length));
    this.#startAnew();
    return taken;
  }

  /** Returns the written bytes, valid until the next write, and resets the writer. */
  takeView(): Uint8Array {
    const view = this.#bytes.subarray(0, this.#length);
    this.#startAnew();
    return view;
  }

  /** Discards the written bytes, such as half of a text that could not be completed. */
  clear(): void {
    this.#startAnew();
  }

  #digits(value: number, count: number): void {
    this.#reserve(count);
    const bytes = this.#bytes;
    let rest = value;
    for (let at = this.#length + count - 1; at >= this.#length; at -= 1) {
      const tens = (rest / 10) | 0;
      bytes[at] = zero + rest - tens * 10;
      rest = tens;
    }
    this.#length += count;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed > this.#bytes.length) this.#grow(needed);
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  #startAnew(): void {
    this.#length = 0;
    if (this.#bytes.length <= keptCapacity) return;
    this.#bytes = Buffer.allocUnsafeSlow(keptCapacity);
    this.#view = new DataView(this.#bytes.buffer);
  }
}

const hundredMillion = 100_000_000;
const point = 0x2e;

/** Returns the text of `JsonBytes.hundredMillionths`, for integers of any size. */
export function hundredMillionthsText(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(9, "0");
  return `${units < 0n ? "-" : ""}${digits.slice(0, -8)}.${digits.slice(-8)}`;
}

const billion = 1_000_000_000;

/** Returns the number of digits of an integer below a billion. */
function lengthOf(value: number): number {
  if (value < 10_000) return value < 100 ? (value < 10 ? 1 : 2) : value < 1_000 ? 3 : 4;
  if (value < 1_000_000) return value < 100_000 ? 5 : 6;
  return value < 100_000_000 ? (value < 10_000_000 ? 7 : 8) : 9;
}
