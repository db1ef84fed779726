import { doubleSha256 } from "./hashes.ts";

/**
 * The id of a serialized Bitcoin transaction, in display order: the double SHA-256 of what is left of it without marker, flag and
 * witnesses (BIP 144). Undefined for bytes that are no transaction.
 */
export function bitcoinTransactionId(bytes: Uint8Array): string | undefined {
  const isWithWitness = bytes[4] === 0 && bytes[5] === 1;
  const reader = new TransactionReader(bytes, isWithWitness ? 6 : 4);
  try {
    const inputs = reader.size();
    for (let index = 0; index < inputs; index += 1) {
      reader.skip(36);
      reader.skip(reader.size());
      reader.skip(4);
    }
    const outputs = reader.size();
    for (let index = 0; index < outputs; index += 1) {
      reader.skip(8);
      reader.skip(reader.size());
    }
    const end = reader.position;
    for (let index = 0; isWithWitness && index < inputs; index += 1) {
      for (let left = reader.size(); left > 0; left -= 1) reader.skip(reader.size());
    }
    reader.skip(4);
    if (reader.position !== bytes.length) return undefined;
    if (!isWithWitness) return doubleSha256(bytes);
    return doubleSha256(Buffer.concat([bytes.subarray(0, 4), bytes.subarray(6, end), bytes.subarray(-4)]));
  } catch (reason) {
    if (reason instanceof RangeError) return undefined;
    throw reason;
  }
}

class TransactionReader {
  readonly #view: DataView;
  position: number;

  constructor(bytes: Uint8Array, position: number) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = position;
  }

  /** @throws {RangeError} beyond the end. */
  skip(length: number): void {
    if (this.position + length > this.#view.byteLength) throw new RangeError("The transaction ends too early");
    this.position += length;
  }

  /** A length or a number of elements, as Bitcoin writes them in one, three, five or nine bytes. */
  size(): number {
    const start = this.position;
    this.skip(1);
    const first = this.#view.getUint8(start);
    if (first < 0xfd) return first;
    const length = first === 0xfd ? 2 : first === 0xfe ? 4 : 8;
    this.skip(length);
    if (length === 2) return this.#view.getUint16(start + 1, true);
    return length === 4 ? this.#view.getUint32(start + 1, true) : Number(this.#view.getBigUint64(start + 1, true));
  }
}
