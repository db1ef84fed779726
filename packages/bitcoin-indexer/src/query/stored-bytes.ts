import { statSync } from "node:fs";
import { join } from "node:path";
import { blockFileName } from "../store/block-files.ts";
import type { DataDirectory } from "../store/data-directory.ts";
import type { TableReads } from "../store/environment.ts";
import { firstSourceFile, sourceFiles, tips } from "../store/layout.ts";

const everySourceFile = { start: sourceFiles.key(firstSourceFile), end: sourceFiles.key(0xffffffff) };

/** Counter of the bytes of an index's block files. Full files are examined once. */
export class StoredBytes {
  /** Sizes by path of files that no longer grow. */
  readonly #settled = new Map<string, number>();

  /** Returns the bytes of all files that contain its blocks, either its own or the node's. */
  count(reads: TableReads, directory: DataDirectory): number {
    const last = reads.get(tips)?.blocksEnd.file ?? -1;
    let bytes = 0;
    for (let file = 0; file <= last; file += 1) {
      const path = join(directory.blocks, blockFileName(file));
      bytes += file === last ? sizeOf(path) : this.#settledSize(path);
    }
    for (const { value } of reads.rows(sourceFiles, everySourceFile))
      bytes += sizeOf(sourceFiles.decode(value, 0).path);
    return bytes;
  }

  #settledSize(path: string): number {
    let size = this.#settled.get(path);
    if (size === undefined) {
      size = sizeOf(path);
      this.#settled.set(path, size);
    }
    return size;
  }
}

/** Returns the size; 0 for a file that does not exist. */
function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
