import { MalformedBytesError } from "./malformed-bytes-error.ts";

/** Maximum length or count that the protocol allows in a CompactSize, 32 MiB. */
const maximumCompactSize = 0x02000000;

/**
 * Sequential reader of protocol integers and byte strings.
 *
 * Every method checks that its bytes exist before it reads them, and throws `MalformedBytesError` when they do not. Byte strings are views
 * of the reader's bytes, never copies.
 */
export class ByteReader {
  readonly bytes: Uint8Array;
  /** Subject of the reading, as the errors name it: `transaction`. */
  readonly #subject: string;
  readonly #view: DataView;
  readonly #end: number;
  #offset = 0;

  constructor(bytes: Uint8Array, subject: string) {
    this.bytes = bytes;
    this.#subject = subject;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#end = bytes.byteLength;
  }

  /** 0-based position of the next byte. */
  get offset(): number {
    return this.#offset;
  }

  get remaining(): number {
    return this.#end - this.#offset;
  }

  readUint8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  readUint32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  readInt32(): number {
    return this.#view.getInt32(this.#advance(4), true);
  }

  readInt64(): bigint {
    return this.#view.getBigInt64(this.#advance(8), true);
  }

  /** Returns a view of the next `length` bytes. */
  readBytes(length: number): Uint8Array {
    const start = this.#advance(length);
    return this.bytes.subarray(start, start + length);
  }

  /** Returns a view of the bytes between two positions that this reader has passed. */
  between(start: number, end: number): Uint8Array {
    return this.bytes.subarray(start, end);
  }

  /**
   * Reads a CompactSize: one byte, or 2, 4 or 8 after the prefixes 0xfd, 0xfe and 0xff.
   *
   * As in Bitcoin Core, values that a shorter form could represent are rejected, and so are values above 32 MiB.
   */
  readCompactSize(): number {
    const start = this.#offset;
    const first = this.readUint8();
    if (first < 0xfd) return first;
    if (first === 0xfd) return this.#checkCompactSize(start, this.#view.getUint16(this.#advance(2), true), 0xfd);
    if (first === 0xfe) return this.#checkCompactSize(start, this.readUint32(), 0x10000);
    const value = this.#view.getBigUint64(this.#advance(8), true);
    return this.#checkCompactSize(start, value > 0xffffffffn ? Number.MAX_SAFE_INTEGER : Number(value), 0x100000000);
  }

  /** Reads a byte string after its length. */
  readVariableBytes(): Uint8Array {
    const start = this.#offset;
    const length = this.readCompactSize();
    if (length > this.remaining) throw this.malformed(`${this.#subject} ends inside a byte string`, start);
    return this.readBytes(length);
  }

  /**
   * Reads a count of items that each take at least `minimumLength` bytes.
   *
   * A count that exceeds the remaining bytes is rejected here, before anything is allocated for it.
   */
  readCount(minimumLength: number, things: string): number {
    const start = this.#offset;
    const count = this.readCompactSize();
    if (count * minimumLength > this.remaining) {
      throw this.malformed(`${this.#subject} is too short for its ${count} ${things}`, start);
    }
    return count;
  }

  /** Throws for bytes after the end of what was read. */
  expectEnd(): void {
    if (this.remaining > 0) throw this.malformed(`${this.remaining} bytes too many after the ${this.#subject}`);
  }

  malformed(reason: string, offset: number = this.#offset): MalformedBytesError {
    return new MalformedBytesError(offset, reason);
  }

  #advance(length: number): number {
    const start = this.#offset;
    if (length > this.#end - start) throw this.malformed(`${this.#subject} ends early`);
    this.#offset = start + length;
    return start;
  }

  #checkCompactSize(start: number, value: number, minimum: number): number {
    if (value < minimum) throw this.malformed("length is not in its shortest form", start);
    if (value > maximumCompactSize) throw this.malformed("length is above 32 MiB", start);
    return value;
  }
}
