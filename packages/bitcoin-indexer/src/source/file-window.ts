import type { BlockFile } from "./block-file.ts";

const defaultWindowLength = 1024 * 1024;

/** Gives small views of a file that is read in larger pieces, for readers that go forward. */
export class FileWindow {
  readonly #file: BlockFile;
  readonly #windowLength: number;
  #start = 0;
  #bytes: Buffer = Buffer.alloc(0);

  /** `windowLength` bytes are read at a time, when less is asked for. */
  constructor(file: BlockFile, windowLength: number = defaultWindowLength) {
    this.#windowLength = windowLength;
    this.#file = file;
  }

  /** The bytes stay as they are when the window moves on. Shorter at the file's end. */
  view(offset: number, length: number): Buffer {
    if (offset < this.#start || offset + length > this.#start + this.#bytes.length) {
      this.#start = offset;
      this.#bytes = this.#file.read(offset, Math.max(this.#windowLength, length));
    }
    return this.#bytes.subarray(offset - this.#start, offset - this.#start + length);
  }
}
