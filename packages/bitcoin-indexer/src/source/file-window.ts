import type { BlockFile } from "./block-file.ts";

/** Read at a time, when less is asked for. */
const windowLength = 1024 * 1024;

/** Gives small views of a file that is read in large pieces, for readers that go forward. */
export class FileWindow {
  readonly #file: BlockFile;
  #start = 0;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(file: BlockFile) {
    this.#file = file;
  }

  /** The bytes stay as they are when the window moves on. Shorter at the file's end. */
  view(offset: number, length: number): Buffer {
    if (offset < this.#start || offset + length > this.#start + this.#bytes.length) {
      this.#start = offset;
      this.#bytes = this.#file.read(offset, Math.max(windowLength, length));
    }
    return this.#bytes.subarray(offset - this.#start, offset - this.#start + length);
  }
}
