import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";

/**
 * A number in a file that identifies the last change of the registry.
 *
 * A read costs one system call and sees what any process has written before. It is done once for all the requests that one turn of the
 * event loop found waiting: they were sent before the read, so a change made after it came too late for each of them. The store itself
 * could be read as well, but each read of its latest state costs ten times as much.
 */
export interface RevisionFile {
  /** Returns a number that differs from each earlier result if something was changed since. */
  read(): number;
  /** Notifies all processes of a change that is already visible to them. */
  write(revision: number): void;
  close(): void;
}

const size = 8;

/** Opens the file at `path`, creating it if it does not exist. */
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
        // A file that was never written is shorter, and reads as the buffer's content: zero.
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
