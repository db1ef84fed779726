import type { BlockFile } from "../store/block-file.ts";

const defaultWindowLength = 1024 * 1024;

/** Window over a file that returns small views of larger reads, for readers that advance. */
export class FileWindow {
  readonly #file: BlockFile;
  readonly #windowLength: number;
  #start = 0;
  #bytes: Buffer = Buffer.alloc(0);

  /** Creates the window. At least `windowLength` bytes are read at a time. */
  constructor(file: BlockFile, windowLength: number = defaultWindowLength) {
    this.#windowLength = windowLength;
    this.#file = file;
  }

  /** Returns a view. The bytes stay unchanged when the window advances. Shorter at the file's end. */
  view(offset: number, length: number): Buffer {
    if (offset < this.#start || offset + length > this.#start + this.#bytes.length) {
      this.#start = offset;
      this.#bytes = this.#file.read(offset, Math.max(this.#windowLength, length));
    }
    return this.#bytes.subarray(offset - this.#start, offset - this.#start + length);
  }
}
