import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";

/**
 * A number in a file that says which change of the registry was the last.
 *
 * A look costs one system call and sees what any process has written before. It is taken once for all the requests that one
 * turn of the event loop found waiting: they were sent before the look, so a change made after it came too late for each of
 * them. The store itself could tell as well, but each look at its newest state costs ten times as much.
 */
export interface RevisionFile {
  /** Different from each earlier answer if something was changed since. */
  read(): number;
  /** Tells all processes of a change that they can see already. */
  write(revision: number): void;
  close(): void;
}

const size = 8;

/** Opens the file at `path`, making it when there is none. */
export function openRevisionFile(path: string): RevisionFile {
  const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  const bytes = Buffer.alloc(size);
  let isFresh = false;
  const forget = () => {
    isFresh = false;
  };
  return {
    read() {
      if (!isFresh) {
        // A file that nobody has written to yet is shorter, and reads as what the buffer held: zero.
        readSync(file, bytes, 0, size, 0);
        isFresh = true;
        setImmediate(forget);
      }
      return bytes.readDoubleLE(0);
    },
    write(revision) {
      isFresh = false;
      const written = Buffer.alloc(size);
      written.writeDoubleLE(revision, 0);
      writeSync(file, written, 0, size, 0);
    },
    close: () => closeSync(file),
  };
}
