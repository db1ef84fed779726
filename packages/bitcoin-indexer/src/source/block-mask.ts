import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { IndexerError } from "../basics/indexer-error.ts";

/** Bytes of the key with which Bitcoin Core, since version 28, masks its block files. */
const maskLength = 8;

/**
 * Returns the mask of the block files of a directory: the bytes of its `xor.dat`, or none when it has no such file or the bytes are all
 * zero, which change nothing.
 *
 * Throws `IndexerError` for a file that can't be read or has another length.
 */
export function readBlockMask(directory: string): Uint8Array {
  const path = join(directory, "xor.dat");
  if (!existsSync(path)) return noMask;
  const mask = readMaskFile(path);
  if (mask.length !== maskLength) {
    throw new IndexerError(
      "source-unusable",
      `${path} has ${mask.length} bytes where Bitcoin Core writes ${maskLength}: the block files can't be unmasked; copy the file again.`,
    );
  }
  return mask.some((byte) => byte !== 0) ? mask : noMask;
}

const noMask = new Uint8Array(0);

function readMaskFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new IndexerError("source-unusable", `${path} can't be read: check its permissions.`, { cause });
  }
}
