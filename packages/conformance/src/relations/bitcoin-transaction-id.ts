import { doubleSha256 } from "./hashes.ts";

/**
 * The id of a serialized Bitcoin transaction, in display order: the double SHA-256 of what is left of it without marker, flag and
 * witnesses (BIP 144). Undefined for bytes that are no transaction.
 */
export function bitcoinTransactionId(bytes: Uint8Array): string | undefined {
  const isWithWitness = bytes[4] === 0 && bytes[5] === 1;
  const reader = new TransactionReader(Buffer.from(bytes), isWithWitness ? 6 : 4);
  try {
    const inputs = reader.readSize();
    for (let left = inputs; left > 0; left -= 1) reader.skipText(36, 4);
    for (let left = reader.readSize(); left > 0; left -= 1) reader.skipText(8, 0);
    const end = reader.position;
    for (let witness = 0; isWithWitness && witness < inputs; witness += 1) {
      for (let left = reader.readSize(); left > 0; left -= 1) reader.skipText(0, 0);
    }
    if (reader.position + 4 !== bytes.length) return undefined;
    if (!isWithWitness) return doubleSha256(bytes);
    return doubleSha256(Buffer.concat([bytes.subarray(0, 4), bytes.subarray(6, end), bytes.subarray(-4)]));
  } catch (reason) {
    // The transaction ends too early.
    if (reason instanceof RangeError) return undefined;
    throw reason;
  }
}

class TransactionReader {
  readonly #bytes: Buffer;
  position: number;

  constructor(bytes: Buffer, position: number) {
    this.#bytes = bytes;
    this.position = position;
  }

  /** Skips bytes of a fixed length around ones that their own length stands before. */
  skipText(before: number, after: number): void {
    this.position += before;
    const length = this.readSize();
    this.position += length + after;
  }

  /** Reads a length or a number of elements, which Bitcoin writes in one, three, five or nine bytes. */
  readSize(): number {
    const first = this.#bytes.readUInt8(this.position);
    const width = first < 0xfd ? 0 : 2 ** (first - 0xfc);
    const start = this.position + 1;
    this.position = start + width;
    if (width === 0) return first;
    return width === 8 ? Number(this.#bytes.readBigUInt64LE(start)) : this.#bytes.readUIntLE(start, width);
  }
}
