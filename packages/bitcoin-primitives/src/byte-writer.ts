/** Writer of protocol integers and byte strings; grows as needed. The counterpart of `ByteReader`. */
export class ByteWriter {
  #bytes: Buffer;
  #length = 0;

  /** Creates the writer. `capacity`: the expected number of bytes. */
  constructor(capacity = 256) {
    this.#bytes = Buffer.allocUnsafe(capacity);
  }

  writeUint8(value: number): void {
    const start = this.#advance(1);
    this.#bytes.writeUInt8(value, start);
  }

  writeUint32(value: number): void {
    const start = this.#advance(4);
    this.#bytes.writeUInt32LE(value, start);
  }

  writeInt32(value: number): void {
    const start = this.#advance(4);
    this.#bytes.writeInt32LE(value, start);
  }

  writeInt64(value: bigint): void {
    const start = this.#advance(8);
    this.#bytes.writeBigInt64LE(value, start);
  }

  writeBytes(bytes: Uint8Array): void {
    const start = this.#advance(bytes.length);
    this.#bytes.set(bytes, start);
  }

  /** Writes a CompactSize in its shortest form. */
  writeCompactSize(value: number): void {
    if (value < 0xfd) {
      this.writeUint8(value);
    } else if (value <= 0xffff) {
      this.writeUint8(0xfd);
      const start = this.#advance(2);
      this.#bytes.writeUInt16LE(value, start);
    } else if (value <= 0xffffffff) {
      this.writeUint8(0xfe);
      this.writeUint32(value);
    } else {
      this.writeUint8(0xff);
      this.writeInt64(BigInt(value));
    }
  }

  /** Writes a byte string after its length. */
  writeVariableBytes(bytes: Uint8Array): void {
    this.writeCompactSize(bytes.length);
    this.writeBytes(bytes);
  }

  /** Returns the written bytes, as a view: the writer must not be used afterwards. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #advance(length: number): number {
    const start = this.#length;
    this.#length += length;
    if (this.#length > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.#length, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, start));
      this.#bytes = grown;
    }
    return start;
  }
}
